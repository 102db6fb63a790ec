"""Start: what calibration does, where it helps and where not, in pictures of stored results."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

import streamlit as st
from bertflow_app import services, state
from bertflow_app.browser.pictures import cone_view
from bertflow_app.navigation import link
from bertflow_app.shared import Shared
from bertflow_app.show import Origin, chart, drawer, show_table
from bertflow_app.widgets.scores import stored_bars
from bertflow_app.widgets.terms import meaning
from bertflow_app.widgets.work import follow
from bertflow_app.work import warmup

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import load_dataset
from bertflow_core.datasets.pairs import need_pairs
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.figures import Figure, cosines_by_group, value_bars
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Report, Row
from bertflow_core.wording import percent

PAPER = "https://aclanthology.org/2020.emnlp-main.733"
CONE, RAW = "cone", "language-model-cone"
"""The stored reports of the built-in encoder and of a raw language model."""

MIDDLE, RAW_MIDDLE = "layer:4", "layer:15"
SPACES = {
    (RAW, PLAIN_LAYERS, BASELINE): "language model, plain output",
    (RAW, PLAIN_LAYERS, "flow"): "language model, calibrated",
    (CONE, MIDDLE, BASELINE): "encoder, middle layer",
    (CONE, MIDDLE, "flow"): "encoder, middle layer, calibrated",
    (CONE, PLAIN_LAYERS, BASELINE): "encoder, plain output",
    (CONE, PLAIN_LAYERS, "flow"): "encoder, plain output, calibrated",
}
"""What the bars show, by report, layers and calibrator."""

SPHERES = {
    (RAW, PLAIN_LAYERS, BASELINE): "a raw language model",
    (RAW, PLAIN_LAYERS, "flow"): "the same, calibrated",
    (CONE, PLAIN_LAYERS, BASELINE): "an encoder trained on pairs",
}

COMPUTE_HERE = "Compute this here (2 min)"
"""The time is that of the first run on two cores; later runs read stored embeddings."""

COMPUTED_HERE: Mapping[str, str | list[str]] = {
    "model": "smollm2",
    "second_model": "minilm",
    "calibrators": ["null-top-k:k=0", "whiten", "flow"],
}
"""What the tab *Scores* is opened with: both models of the spheres."""

WORDS = ("cosine", "layer", "encoder", "cone", "calibrator", "flow", "rho")
"""Terms that a tooltip on the page explains."""

HEAD_STARTS, HEAD_START_SECONDS = 20, 0.025
"""Pauses in which a browser draws the first picture before charts are sent.

While it loads the chart library, a browser draws nothing for most of a second. After each pause
the visit's state is read, which lets Streamlit end the run of a visitor who has left the page.
"""


def draw() -> None:
    """Show the spheres, the bars and five links."""
    rows = {space: _row(*space) for space in SPACES}
    raw, flow, *_ = rows.values()
    inside = _row(RAW, RAW_MIDDLE, BASELINE)
    st.caption("BERT-flow Lab: see, measure and correct the geometry of sentence embeddings.")
    st.title("Why cosine fails, and what helps")
    st.markdown(
        f"Two random sentences have a cosine of **{raw['random_cosine']:.2f}** in the output of a "
        f"raw language model, and of **{inside['random_cosine']:.3f}** in its middle layer: all "
        f"vectors lie in a narrow cone. [BERT-flow]({PAPER}) opens the cone without labels, and "
        f"cosine agrees better with people: rho rises from **{percent(raw['rho'])}** to "
        f"**{percent(flow['rho'])}**.",
        help=meaning(*WORDS),
    )
    with st.container(horizontal=True):
        link("cone", "See why", icon="grid_view")
        link("check", icon="fact_check")
        link("tour", "Teach", icon="school")
        link("scores", COMPUTE_HERE, icon="play_circle", asking=COMPUTED_HERE)
    _spheres({title: rows[space] for space, title in SPHERES.items()})
    warmup.await_pandas()
    before, after, output, spoilt = (rows[space] for space in [*SPACES][2:])
    st.markdown(
        "Nobody trained the language model to compare sentences. An encoder that was trained on "
        f"pairs of sentences has no narrow cone, and its plain output already has rho "
        f"{percent(output['rho'])}. Leave that output alone: under the flow it has "
        f"{percent(spoilt['rho'])}. Calibration still helps in the encoder's middle layer, from "
        f"{percent(before['rho'])} to {percent(after['rho'])}.",
        help=meaning(*WORDS),
    )
    scores = [100 * row["rho"] for row in rows.values()]
    specs = [calibrator for *_, calibrator in SPACES]
    draw = partial(
        value_bars, "rho x 100, captions test", [*SPACES.values()], specs, scores, digits=".2f"
    )
    _picture(
        "before-after",
        draw,
        alt="Rho of a language model, a middle layer of an encoder, and its plain output, each "
        "before and after calibration",
    )
    _baselines()
    with st.expander("What calibration cannot fix"):
        _adversarial()
    _origin({title: rows[space] for space, title in SPHERES.items()})


def _row(name: str, layers: str, calibrator: str) -> Row:
    return services.shipped(name).row(layers=layers, calibrator=calibrator)


def _baselines() -> None:
    st.caption(services.shipped("tune").text(Kind.ANSWER))
    link("tune", "Baselines tuned on dev", icon="balance")


def _picture(key: str, draw: Callable[[], Figure], *, alt: str) -> None:
    """Show a picture of stored results, drawn once for all visitors."""
    chart(services.figure_of(key, draw), key=key, alt=alt)


def _spheres(shown: Mapping[str, Row]) -> None:
    """Show sentences as directions on spheres, before anything below is sent to the browser."""
    cone = services.shipped(CONE)  # both reports show the same pairs
    recipe = cast("Recipe", cone.params)
    scale = need_pairs(load_dataset(recipe.dataset, split=recipe.split), "spheres").scale
    cone_view(cone, shown, scale=scale, key="cone")
    st.caption(
        f"{2 * len(cone.facts['pairs'])} captions as points on a sphere; the arrow is their mean. "
        "Point at one, or press the arrow keys, to mark its pair on every sphere. The results are "
        "stored; the commands that make them are below.",
        help="A point's angle to the arrow is exact, as in the full space. Its place around the "
        "arrow is a projection.",
    )
    for _ in range(HEAD_STARTS):
        if not state.visit().has_page:
            time.sleep(HEAD_START_SECONDS)


def _adversarial() -> None:
    output, plain, *others = tracked = services.tracked_results("teaching")
    pairs = load_dataset("teaching")
    lowest, *_, highest = sorted(others, key=lambda each: each.rho)
    st.write(
        f"{len(pairs)} pairs were written so that shared words mislead. Opening the cone does not "
        "teach an encoder what a negation is: rho of the plain output is "
        f"{percent(output.rho)}; that of {plain.recipe.layers} is {percent(plain.rho)}, and after "
        f"calibration it lies between {percent(lowest.rho)} (`{lowest.spec}`) and "
        f"{percent(highest.rho)} (`{highest.spec}`)."
    )
    left, right = st.columns(2)
    with left:
        _picture(
            "corners",
            partial(cosines_by_group, {"identity": plain.similarity}, pairs.subsets),
            alt="Cosines by shared words and meaning: shared words raise them whatever the meaning",
        )
    with right:
        _picture(
            "adversarial",
            partial(stored_bars, tracked),
            alt="Spearman's rho on the adversarial pairs: plain output, then under each calibrator",
        )
    st.caption(f"Stored results. {plain.recipe.without('calibrator').caption()}.")
    command = plain.recipe.to_command([each.spec for each in (plain, *others)])
    st.code(f"{command} --format json --pairs", language="shell", wrap_lines=True)


def _origin(spheres: Mapping[str, Row]) -> None:
    """Offer the figures and how to make them, and compute the encoder's numbers again."""
    from bertflow_core.studies.space.cone import cone_figure  # late: it delays the first picture

    cone, raw = services.shipped(CONE), services.shipped(RAW)
    draw = partial(cone_figure, cone.facts["pairs"], [*spheres.values()], [*spheres])
    state.visit().drawn["spheres"] = services.figure_of("spheres", draw)
    caption = (
        "Stored results of SmolLM2-135M-Instruct (`smollm2`), a raw language model: it was tuned "
        "to chat, never to compare sentences. Its four-bit weights are read as bfloat16 "
        f"(their file's SHA-256: {raw.facts['encoder']['digest'][:12]}...). {raw.text()} "
        f"Stored results of the encoder. {cone.text()}"
    )
    made = "\n".join(f"{each.command} --format json" for each in (raw, cone))
    drawer(Origin(caption, made))
    pressed = st.button(
        "Recompute the encoder's numbers",
        icon=":material/refresh:",
        help="Embeds the captions on this machine, fits the calibrators and scores them: under a "
        "minute.",
    )
    again = Shared(
        "studies.space.cone:cone",
        Recipe(**cone.params.to_dict()),  # adds the fields that the report omits
        calibrators=[*cone.by("calibrator")],
        layers=[*cone.by("layers")],
    )
    if follow(again.find(start=pressed)):
        report: Report = again.result
        show_table(report.table, alt="Rho, length of the mean vector, cosine of random pairs")
        off = [
            abs(float(percent(now["rho"])) - float(percent(then["rho"])))
            for now, then in zip(report.rows, cone.rows, strict=True)
        ]
        st.text(f"Largest difference from the stored rho x 100: {max(off):.2f}.")
