"""The pictures of Start."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

import streamlit as st
from bertflow_app import services, state
from bertflow_app.browser.cone.component import cone_view
from bertflow_app.parts.components import caption
from bertflow_app.parts.scores import score_figure
from bertflow_app.show import show_table

from bertflow_core.datasets import load_pairs
from bertflow_core.figures import Figure, cosines_by_group
from bertflow_core.recipe import Recipe
from bertflow_core.report import Report, Row
from bertflow_core.text_table import percent

HEAD_START_SECONDS = 0.5
"""Time in which a browser draws the first picture before it is sent charts.

Loading the library that draws those keeps it from drawing anything for most of a second.
"""


def picture(key: str, draw: Callable[[], Figure], *, alt: str) -> None:
    """Show a picture of stored results; it is drawn for the first visitor only."""
    st.plotly_chart(services.shipped_figure(key, draw), key=key, alt=alt)


def cone_panel(cone: Report, rows: Sequence[Row]) -> None:
    """Show sentences as directions on spheres, before anything below is sent."""
    recipe = cast("Recipe", cone.params)
    scale = load_pairs(recipe.dataset, split=recipe.split).scale
    cone_view(cone, rows, scale=scale, key="cone")
    st.caption(
        f"{2 * len(cone.facts['pairs'])} captions as points on a sphere. A point's angle to the "
        "arrow, the mean vector, is that of the full space; its place around the arrow is a "
        "projection. Point at one, or press the arrow keys, to mark a pair on every sphere and to "
        "read its angle."
    )
    if state.is_first_page():
        time.sleep(HEAD_START_SECONDS)


def agreement_panel(rows: Sequence[Row], *, key: str) -> None:
    """Show rho of each calibrator at one layer set."""
    picture(
        key,
        partial(score_figure, {row["calibrator"]: row["rho"] for row in rows}),
        alt=f"Spearman's rho by calibrator at {rows[0]['layers']}; the first is the baseline",
    )


def raising(rows: Sequence[Row], plain: Row) -> str:
    """Say how many of the calibrators whose bars are shown raise rho, by the digits shown."""
    others = [row for row in rows if row["calibrator"] != plain["calibrator"]]
    n_higher = sum(float(percent(each["rho"])) > float(percent(plain["rho"])) for each in others)
    verb = "raises" if n_higher <= 1 else "raise"
    return f"{n_higher or 'none'} of the {len(others)} calibrators tried here {verb} that"


def adversarial_panel() -> None:
    """Show the pairs that were written so that shared words mislead."""
    tracked = services.tracked_results("teaching")
    pairs = load_pairs("teaching")
    plain, *others = tracked
    lowest, *_, highest = sorted(others, key=lambda each: each.rho)
    st.write(
        f"{len(pairs)} pairs were written so that shared words mislead: many words in common and "
        "another meaning, or the reverse. Opening the cone does not teach an encoder what a "
        f"negation is. Rho without calibration is {percent(plain.rho)}; under the calibrators, "
        f"fitted on captions as above, it lies between {percent(lowest.rho)} (`{lowest.spec}`) and "
        f"{percent(highest.rho)} (`{highest.spec}`)."
    )
    left, right = st.columns(2)
    with left:
        picture(
            "corners",
            partial(cosines_by_group, {plain.spec: plain.similarity}, pairs.subsets),
            alt="Cosines by corner: shared words raise them whatever the meaning",
        )
    with right:
        picture(
            "adversarial",
            partial(score_figure, {each.spec: each.rho for each in tracked}),
            alt="Spearman's rho on the adversarial pairs, plain and under each calibrator",
        )
    recipe = plain.recipe.without("calibrator")
    st.caption(f"Stored results. {recipe.caption()}. The command that makes them:")
    command = plain.recipe.to_command([each.spec for each in tracked])
    st.code(f"{command} --format json --pairs", language="shell", wrap_lines=True)


def recomputed_panel(report: Report, stored: Report) -> None:
    """Show what this machine measured, and how far it is from what is stored."""
    st.subheader("Computed on this machine")
    show_table(report.table, alt="Rho, length of the mean and random cosine of each space")
    off = [
        abs(float(percent(now["rho"])) - float(percent(then["rho"])))
        for now, then in zip(report.rows, stored.rows, strict=True)
    ]
    caption(f"Largest difference of rho x 100 from what is stored: {max(off):.2f}.")
