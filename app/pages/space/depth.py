"""The cone layer by layer: a scrubber of depth, and what is left out of the sentences."""

from functools import partial
from typing import cast

import streamlit as st
from bertflow_app import services, state
from bertflow_app.browser.pictures import depth_view
from bertflow_app.shared import Shared
from bertflow_app.show import drawer, say, show_table
from bertflow_app.widgets.work import Fold, ask
from streamlit.delta_generator import DeltaGenerator

from bertflow_core.encoders.left_out import FIRST_MLP, FIRST_TOKEN
from bertflow_core.report.remark import Kind
from bertflow_core.studies.depth.spheres import Depth, spheres_figure, stored_depth
from bertflow_core.studies.depth.study import DepthRecipe

NOTHING = "nothing"
LEFT_OUT = {
    NOTHING: "nothing",
    FIRST_TOKEN: "the special token before every text",
    FIRST_MLP: "what the MLPs add to the first token",
}

SHOWN = ("layers", "coordinates", "mean_cosine", "share_2", "rho", "rho_dropped")
"""The columns of the table."""


def draw() -> None:
    """Show the chosen model layer by layer; until it is measured, the recorded one."""
    recipe, recorded, picture = state.current_recipe(), stored_depth(), st.container()
    model = recorded.spheres["model"]
    if not recipe.source.has_layers:
        st.info(f"The chosen vectors have no layers. Here is the recorded {model}.")
        _show(recorded, "recorded", picture)
        return
    fold = Fold("depth")
    with fold.drawing():
        left_out = st.selectbox(
            "Leave out of the network",
            [*LEFT_OUT],
            format_func=LEFT_OUT.__getitem__,
            key="left_out",
            bind="query-params",
            help="The model reads all sentences again without this part.",
        )
        base = recipe.without("layers", "tokens", "calibrator", "similarity", "aggregation")
        params = DepthRecipe(**base.to_dict(), left_out=None if left_out == NOTHING else left_out)
    if params == recorded.report.params:
        fold.settle((recipe.model,), has_result=True)
        _show(recorded, "recorded", picture)
        return
    work = Shared("studies.depth.spheres:measured", params)
    found: Depth = ask(
        "Measure every layer",
        work,
        fold=fold,
        choices=(recipe.model, "" if left_out == NOTHING else f"without {left_out}"),
        help="Embeds the sentences once and scores each layer: half a minute to some minutes. "
        f"Until then, {model} is shown.",
        meanwhile=partial(_show, recorded, "recorded", picture),
    )
    _show(found, work.key, picture)


def _show(shown: Depth, key: str, picture: DeltaGenerator) -> None:
    """Show the layers in a container above the choices, and the report below them."""
    report, spheres = shown.report, shown.spheres
    recipe, n_shown = cast("DepthRecipe", report.params), 2 * len(spheres["shown"])
    with picture:
        depth_view(spheres, key=f"depth-{key}")
        st.caption(
            f"{recipe.model} on {recipe.dataset}: {n_shown} sentences as points, in one frame for "
            "all layers; the arrow is their mean. The random cosine is that of these sentences, "
            f"rho that of {spheres['n']:,} pairs. The coordinates and the subtracted mean are "
            "those of the fit corpus."
        )
    say(report, Kind.ANSWER, Kind.WARNING, Kind.MISSING)
    figure = services.figure_of(f"spheres-{key}", partial(spheres_figure, spheres))
    state.visit().drawn |= {"spheres": figure, "depth": report.figure("depth")}  # to be saved
    show_table(report.table, alt=report.title, keys=SHOWN)
    drawer(report)
