"""The wall: the same rows in up to six spaces, with one brush through all of them."""

from dataclasses import replace

import streamlit as st
from bertflow_app.jobs import State
from bertflow_app.parts.components import caption, end_page, follow
from bertflow_app.views.wall import jobs
from bertflow_app.views.wall.choices import choose_picture, choose_wall
from bertflow_app.views.wall.panels import fidelity_table, wall_panel

st.title("The wall")
st.write(
    "The same rows in up to six spaces: uncalibrated, calibrated, from other layers or other "
    "encoders. Draw a lasso in one pane, and the same rows light up in all the others."
)
recipe = choose_wall()
pressed = st.button(
    "Build the spaces",
    type="primary",
    icon=":material/play_arrow:",
    help="Embeds the rows once per encoder and layer set, and fits each calibrator.",
)
built = jobs.spaces(recipe, start=pressed)
if built is None:
    st.info("Choose up to six panes and press **Build the spaces**.")
    end_page()
if not follow(built):
    end_page()

wall = built.result
choice = choose_picture()
picture = choice.picture
start = choice.pressed if picture.method == "umap" else pressed
job = jobs.drawn(built, picture, judged=choice.judged, start=start)
if job is None:
    st.info("UMAP takes seconds to minutes: press **Lay out with UMAP**. Until then PCA is shown.")
is_drawn = job is not None and follow(job)
if not is_drawn and picture.method == "umap":  # PCA stands in for it
    is_started, picture = job is not None, replace(picture, method="pca")
    job = jobs.drawn(built, picture, judged=False, start=False)
    is_drawn = job is not None and (job.state is State.DONE if is_started else follow(job))
if job is None or not is_drawn:
    end_page()
wall_panel(built, job, picture)
st.header("How faithful are the pictures?")
fidelity_table(job.result)
rows, *others = wall.remarks(picture)
caption(rows)
caption(" ".join(others))
for name, space in zip(wall.names, wall.spaces, strict=True):
    for note in space.notes:
        caption(f"{name}: {note}.")
