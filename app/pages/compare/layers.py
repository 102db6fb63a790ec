"""Layers: every layer by template, token pooling and calibrator; press a cell to use it."""

from dataclasses import replace

import streamlit as st
from bertflow_app import services, state
from bertflow_app.shared import Shared
from bertflow_app.show import drawer, headline, say, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_picker, pick_or_type
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.encoders.pooling import POOLINGS, USUAL_POOLINGS
from bertflow_core.encoders.template import OFFERED, SLOT
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Report
from bertflow_core.studies.layers.study import LayersRecipe
from bertflow_core.wording import percent

DEFAULT_CALIBRATORS = ("null-top-k:k=6",)
"""The default calibrators; each is fitted at every layer under every template and pooling."""

LINES = "Lines"
"""The choice of a picture that shows the score of all templates and poolings."""


def draw() -> None:
    """Let the visitor choose templates, poolings and calibrators, and show every layer."""
    recipe, fold = state.current_recipe(), Fold("layers")
    with fold.drawing():
        specs = baseline_first(calibrator_picker("layer_calibrators", DEFAULT_CALIBRATORS))
        templates = pick_or_type(
            st.multiselect,
            "Templates",
            (SLOT, recipe.template or SLOT, *OFFERED),
            default=[recipe.template or SLOT],
            key="layer_templates",
            help="The text that the model reads around each sentence; {text} alone means no "
            "template.",
        )
        poolings = st.multiselect(
            "Poolings",
            [*map(str, POOLINGS)],
            default=[*map(str, USUAL_POOLINGS)],
            key="layer_poolings",
            bind="query-params",
        )
        base = recipe.without("layers", "tokens", "template", "calibrator").to_dict()
        asked = LayersRecipe(**base, templates=tuple(templates), poolings=tuple(poolings))
    report: Report = ask(
        "Map the layers",
        Shared("studies.layers.study:layers", asked, specs),
        fold=fold,
        choices=(", ".join(specs), recipe.model),
        help="Embeds once for each template, then fits each calibrator at each layer and pooling: "
        "about half a minute for some thousand sentences.",
        meanwhile=_stored if state.is_untouched() else None,
    )
    _picture(report)
    headline(report.text(Kind.HEADLINE))
    say(report, Kind.ANSWER, Kind.WARNING, Kind.MISSING)
    show_table(replace(report.table, remarks=()), alt=report.title)
    if "first-token" in report.pictures():
        st.header("What the first token contributes")
        show_picture(report, "first-token")
    drawer(report)


def _stored() -> None:
    """Show the stored scores of every layer of the default model."""
    report = services.shipped("advice")
    show_picture(report, "places")
    plain, best = (percent(report.rows[0][key]) for key in ("plain", "best"))
    headline(f"The plain output scores {plain}, the best of all layers and calibrators {best}.")
    st.text("Stored results of mean pooling on the captions.")
    show_table(report.tables[-1], alt="The stored score of each layer and calibrator")
    drawer(report)


def _picture(report: Report) -> None:
    """Show the scores as lines, or one measure as a map whose pressed cell can be used."""
    labels = {LINES: "scores"} if "scores" in report.pictures() else {}
    labels |= {
        each.header: f"layers-{each.key}"
        for each in report.columns
        if f"layers-{each.key}" in report.pictures()
    }
    label = st.radio(
        "Picture",
        [*labels],
        horizontal=True,
        key="layer_picture",
        bind="query-params",
        label_visibility="collapsed",
    )
    if label == LINES:
        show_picture(report, labels[label])
        return
    event = show_picture(report, labels[label], on_select="rerun", selection_mode="points")
    points = event["selection"]["points"]
    if points:
        layer, tokens, _ = points[0]["customdata"]
        st.button(
            f"Use layer:{layer} with {tokens} pooling as the recipe",
            type="primary",
            icon=":material/input:",
            on_click=state.choose,
            kwargs={"layers": f"layer:{layer}", "tokens": tokens},
        )
    else:
        st.caption("Press a cell to use its layer and token pooling on every page.")
