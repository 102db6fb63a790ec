"""Start: why calibrate, in four steps with a picture each, and where to go from there."""

import streamlit as st
from bertflow_app import services
from bertflow_app.navigation import page_file
from bertflow_app.parts.components import follow
from bertflow_app.parts.grid_picker import plain_names
from bertflow_app.parts.scores import evaluation, scores_table

from bertflow_core.calibrators.catalog import plain_name
from bertflow_core.datasets import load_pairs
from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.figures import cosine_by_group, cosine_histograms, rho_bars
from bertflow_core.recipe import Recipe
from bertflow_core.text_table import percent

tracked = {result.spec: result for result in services.tracked_results("teaching")}
natural = services.tracked_results("stsb-layer4")
specs = tuple(tracked)
plain, flow = tracked["identity"], tracked["flow"]
pairs = load_pairs(plain.recipe.dataset)

st.title("Why cosine fails, and how calibration helps")
st.write(
    "An encoder such as BERT turns a sentence into a vector, and the cosine of two vectors is to "
    "measure how similar they are. Four pictures show why that disappoints and what a calibrator "
    f"changes. They show {len(pairs)} pairs of sentences written for this purpose."
)

st.header("1. Any two sentences look alike")
st.write(
    f"The vectors lie in a narrow cone: two sentences drawn at random have a cosine of "
    f"{plain.random_cosine:.2f} on average ({RANDOM_PAIRS:,} random pairs), where "
    "one would expect 0. Below are the cosines of all pairs, half of which differ in meaning."
)
st.plotly_chart(
    cosine_histograms({"identity": plain.similarity}),
    key="cone",
    alt="Cosines of all pairs under the plain vectors, crowded near 1",
)

st.header("2. Shared words count for more than meaning")
st.write(
    "The pairs fill four corners: many or few words in common, same or different meaning. Pairs "
    "with many words in common and different meanings come out *more* alike than pairs that say "
    "the same in other words."
)
st.plotly_chart(
    cosine_by_group(plain.similarity, pairs.subsets, spec="identity"),
    key="corners",
    alt="Cosines by corner: shared words raise them whatever the meaning",
)

st.header("3. A calibrator opens the cone")
st.write(
    "A calibrator is a map learnt from the sentences alone, without any score. `identity` is no "
    "calibration; `flow` is BERT-flow, which maps the vectors to a Gaussian with a normalizing "
    "flow: the cosines of unrelated sentences now lie around 0."
)
st.plotly_chart(
    cosine_histograms({result.spec: result.similarity for result in (plain, flow)}),
    key="opened",
    alt="Cosines before and after the flow, which spreads them out",
)

st.header("4. Does it agree better with people?")
left, right = st.columns(2)
with left:
    st.write(
        f"**On natural pairs** ({natural[0].n_pairs:,} of STS-B) yes: rho rises from "
        f"{percent(natural[0].rho)} to {percent(natural[-1].rho)} "
        "under the flow."
    )
    st.plotly_chart(
        rho_bars(
            [each.spec for each in natural],
            [each.rho for each in natural],
            names=[plain_name(each.spec) for each in natural],
        ),
        key="natural",
        alt="Spearman's rho on STS-B: every calibrator is above the baseline",
    )
    st.caption(natural[-1].recipe.caption())
with right:
    st.write(
        "**On these pairs**, written so that shared words mislead, no: opening the cone does not "
        "teach an encoder what a negation is."
    )
    st.plotly_chart(
        rho_bars(
            specs,
            [result.rho for result in tracked.values()],
            names=[plain_name(spec) for spec in specs],
        ),
        key="teaching",
        alt="Spearman's rho on the teaching pairs: the calibrators are below the baseline",
    )
    st.caption(flow.recipe.caption())
plain_names(specs)
st.write(
    "Rho is Spearman's rank correlation of cosine with people's grades. Which calibrator helps "
    "depends on the encoder, its layer and the sentences: measure before you choose."
)

st.header("Now you")
with st.container(horizontal=True):
    st.page_link(page_file("tour"), label="Take the guided tour", icon=":material/school:")
    st.page_link(page_file("data"), label="Bring your own sentences", icon=":material/upload:")
    st.page_link(page_file("calibrate"), label="Compare calibrators", icon=":material/tune:")
    pressed = st.button(
        "Recompute the teaching results",
        icon=":material/refresh:",
        help="Embeds the pairs on this machine, fits the calibrators and scores them: seconds.",
    )
st.write("The stored numbers above come from these commands, on these pairs and on STS-B:")
st.code(
    f"{flow.recipe.to_command(specs)} --format json --pairs\n"
    f"{natural[-1].recipe.to_command([each.spec for each in natural])} --format json",
    language="shell",
    wrap_lines=True,
)
job = evaluation(Recipe(), specs, start=pressed)
if job is not None and follow(job):
    st.subheader("Computed on this machine")
    scores_table(job.result)
