"""Start: what calibration does, when it helps and when not, in pictures of stored results."""

from functools import partial
from typing import cast

import streamlit as st
from bertflow_app import services
from bertflow_app.navigation import link
from bertflow_app.pages.start.panels import (
    adversarial_panel,
    agreement_panel,
    cone_panel,
    picture,
    raising,
    recomputed_panel,
)
from bertflow_app.parts.components import follow
from bertflow_app.parts.grid_picker import plain_names
from bertflow_app.shared_jobs import run

from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.recipe import Recipe
from bertflow_core.studies.space.cone import random_figure
from bertflow_core.text_table import percent

PAPER = "https://aclanthology.org/2020.emnlp-main.733"
ANISOTROPY = "https://aclanthology.org/D19-1006"
MIDDLE, LAST = "layer:4", "last"


def draw() -> None:
    """Draw it."""
    cone = services.shipped_cone()
    middle, last = cone.where(layers=MIDDLE), cone.where(layers=LAST)
    by_spec = {row["calibrator"]: row for row in middle}
    before, after, output = by_spec["identity"], by_spec["flow"], last[0]

    st.title("Why cosine fails, and how calibration helps")
    st.write(
        "Take as a sentence's vector the mean of its tokens' vectors in a middle layer of an "
        f"encoder like BERT (here `{MIDDLE}`). Two random captions then have a cosine of "
        f"**{before['random_cosine']:.2f}**: all vectors point roughly the same way, in a narrow "
        "cone (anisotropy). Calibration maps the vectors so that they spread. "
        f"[BERT-flow]({PAPER}) learns such a map from sentences alone, without labels, and cosine "
        "then agrees better with people: rho (Spearman's rank correlation with their grades, here "
        f"x 100) rises from **{percent(before['rho'])}** to **{percent(after['rho'])}**."
    )
    cone_panel(cone, [before, by_spec["standardize"], after, output])
    words = st.container()  # filled last: it needs every calibrator's module

    st.header("1. Any two sentences look alike")
    st.write(
        f"Cosines of {RANDOM_PAIRS:,} random pairs of the scored captions. Unrelated captions "
        "should lie around 0. Without calibration (identity) they do not; removing a few "
        "directions, or a flow, brings them there."
    )
    picture(
        "random",
        partial(random_figure, [before, by_spec["null-top-k:k=6"], after]),
        alt="Cosines of random pairs: high under the plain vectors, around 0 after calibration",
    )

    st.header("2. Calibrated cosines agree better with people")
    st.write(
        f"Rho of cosine with people's grades of {cone.facts['n_pairs']} pairs. Every calibrator "
        "was fitted on sentences alone. BERT's own layers are such narrow cones ([Ethayarajh, "
        f"2019]({ANISOTROPY})); layer 4 of the small encoder that is installed here stands for "
        "them."
    )
    agreement_panel(middle, key="middle")

    st.header("3. Where the cone is open already, leave it alone")
    st.write(
        "The last layer of the same encoder was trained to compare sentences. Its cone is open "
        f"(the last sphere above; mean cosine of random pairs {output['random_cosine']:.2f}), it "
        f"agrees with people better than anything above ({percent(output['rho'])}), and "
        f"{raising(last, output)}."
    )
    agreement_panel(last, key="last")

    st.header("4. What calibration cannot fix")
    adversarial_panel()
    with words:
        plain_names([*by_spec])

    st.header("Now you")
    with st.container(horizontal=True):
        link("tour", "Take the guided tour", icon="school")
        link("data", "Bring your own sentences", icon="upload")
        link("calibrate", "Compare calibrators", icon="tune")
        pressed = st.button(
            "Recompute these numbers",
            icon=":material/refresh:",
            help="Embeds the captions on this machine, fits the calibrators and scores them: "
            "under a minute.",
        )
    recipe, size, *_ = cone.remarks
    st.caption(f"Stored results. {size} {recipe} The command that makes them:")
    st.code(f"{cone.command} --format json", language="shell", wrap_lines=True)
    job = run(
        "studies.space.cone:cone",
        cast("Recipe", cone.params),
        calibrators=list(dict.fromkeys(row["calibrator"] for row in cone.rows)),
        layers=[MIDDLE, LAST],
        start=pressed,
    )
    if job is not None and follow(job):
        recomputed_panel(job.result, cone)
