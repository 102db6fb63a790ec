"""Start: what calibration does, when it helps and when not, in pictures of stored results."""

from functools import partial

import streamlit as st
from bertflow_app import services
from bertflow_app.navigation import page_file
from bertflow_app.parts.components import follow
from bertflow_app.parts.grid_picker import plain_names
from bertflow_app.shared_jobs import run
from bertflow_app.views.start.panels import (
    adversarial_panel,
    agreement_panel,
    cone_panel,
    picture,
    raising,
    recomputed_panel,
)

from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.studies.cone.report import cone_report, random_figure
from bertflow_core.text_table import percent

PAPER = "https://aclanthology.org/2020.emnlp-main.733"
ANISOTROPY = "https://aclanthology.org/D19-1006"
MIDDLE, LAST = "layer:4", "last"

cone = services.shipped_cone()
before, after = cone.opening(MIDDLE, "identity"), cone.opening(MIDDLE, "flow")
output = cone.opening(LAST, "identity")

st.title("Why cosine fails, and how calibration helps")
st.write(
    "Take as a sentence's vector the mean of its tokens' vectors in a middle layer of an encoder "
    f"like BERT (here `{MIDDLE}`). Two random captions then have a cosine of "
    f"**{before.random_cosine:.2f}**: all vectors point roughly the same way, in a narrow cone "
    "(anisotropy). Calibration maps the vectors so that they spread. "
    f"[BERT-flow]({PAPER}) learns such a map from sentences alone, without labels, and cosine then "
    "agrees better with people: rho (Spearman's rank correlation with their grades, here x 100) "
    f"rises from **{percent(before.rho)}** to **{percent(after.rho)}**."
)
cone_panel(cone, [before, cone.opening(MIDDLE, "standardize"), after, output])
plain_names([each.spec for each in cone.at(MIDDLE)])

st.header("1. Any two sentences look alike")
st.write(
    f"Cosines of {RANDOM_PAIRS:,} random pairs of the scored captions. Unrelated captions should "
    "lie around 0. Without calibration (identity) they do not; removing a few directions, or a "
    "flow, brings them there."
)
picture(
    "random",
    partial(random_figure, [before, cone.opening(MIDDLE, "null-top-k:k=6"), after]),
    alt="Cosines of random pairs: high under the plain vectors, around 0 after calibration",
)

st.header("2. Calibrated cosines agree better with people")
st.write(
    f"Rho of cosine with people's grades of {cone.n_pairs} pairs. Every calibrator was fitted on "
    "sentences alone. BERT's own layers are such narrow cones "
    f"([Ethayarajh, 2019]({ANISOTROPY})); layer 4 of the small encoder that is installed here "
    "stands for them."
)
agreement_panel(cone.at(MIDDLE), key="middle")

st.header("3. Where the cone is open already, leave it alone")
st.write(
    "The last layer of the same encoder was trained to compare sentences. Its cone is open (the "
    f"last sphere above; mean cosine of random pairs {output.random_cosine:.2f}), it agrees with "
    f"people better than anything above ({percent(output.rho)}), and "
    f"{raising(cone.at(LAST), output)}."
)
agreement_panel(cone.at(LAST), key="last")

st.header("4. What calibration cannot fix")
adversarial_panel()

st.header("Now you")
with st.container(horizontal=True):
    st.page_link(page_file("tour"), label="Take the guided tour", icon=":material/school:")
    st.page_link(page_file("data"), label="Bring your own sentences", icon=":material/upload:")
    st.page_link(page_file("calibrate"), label="Compare calibrators", icon=":material/tune:")
    pressed = st.button(
        "Recompute these numbers",
        icon=":material/refresh:",
        help="Embeds the captions on this machine, fits the calibrators and scores them: under a "
        "minute.",
    )
report = cone_report(cone)
size, *_ = report.remarks
st.caption(f"Stored results. {size} The command that makes them:")
st.code(f"{report.command} --format json", language="shell", wrap_lines=True)
job = run(
    "cone.measure:measure_cone",
    cone.recipe,
    layers=tuple(dict.fromkeys(each.layers for each in cone.openings)),
    specs=tuple(dict.fromkeys(each.spec for each in cone.openings)),
    start=pressed,
)
if job is not None and follow(job):
    recomputed_panel(job.result, cone)
