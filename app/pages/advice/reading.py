"""Which template, token pooling, layer and calibrator are best for a model, chosen on dev."""

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.show import say, show_end, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker, pick_or_type
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.encoders.pooling import POOLINGS
from bertflow_core.encoders.template import OFFERED, SLOT
from bertflow_core.report.remark import Kind
from bertflow_core.studies.layers.study import LayersRecipe


def draw() -> None:
    """Compare templates, poolings, layers and calibrators of the sidebar's model."""
    st.write(
        "The picture shows the score of every layer under each pooling and template. Choose what "
        "to compare; a raw language model often gains most from a template and its last token."
    )
    recipe, fold = state.current_recipe(), Fold()
    own = recipe.template or SLOT
    with fold.drawing():
        picked = calibrator_picker("reading_calibrators", ("null-top-k:k=6", "whiten"))
        templates = pick_or_type(
            st.multiselect,
            "Templates",
            (SLOT, own, *OFFERED),
            default=[own],
            key="reading_templates",
            help="The text that the model reads around each sentence; {text} alone means no "
            "template.",
        )
        poolings = st.multiselect(
            "Poolings",
            [*map(str, POOLINGS)],
            default=["mean", "mean-content", "last"],
            key="reading_poolings",
            bind="query-params",
            help="How the token vectors of a sentence are combined into one.",
        )
        base = recipe.without("layers", "tokens", "template", "calibrator").to_dict()
        asked = LayersRecipe(**base, templates=tuple(templates), poolings=tuple(poolings))
    specs = baseline_first(picked)
    report = ask(
        "Read the model",
        Shared("studies.layers.study:layers", asked, specs),
        fold=fold,
        choices=(", ".join(specs), recipe.model),
        help="Embeds once for each template, then fits each calibrator at each layer and pooling.",
    )
    say(report, Kind.ANSWER)
    show_picture(report, "scores")
    show_table(report.table, alt=report.title)
    st.header("What the first token contributes")
    show_picture(report, "first-token")
    show_end(report)
