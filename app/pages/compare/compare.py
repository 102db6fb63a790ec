"""Compare: encoders and calibrators by data sets, beside the published numbers."""

from functools import partial

import streamlit as st
from bertflow_app.pages.compare.compare_panels import (
    cell_details,
    comparison_grid,
    fit_notes,
    published_panel,
)
from bertflow_app.parts import comparison_jobs
from bertflow_app.parts.components import ask
from bertflow_app.parts.fold import Fold
from bertflow_app.parts.grid_picker import grid_picker, named_rows
from bertflow_app.show import show_end, show_picture

from bertflow_core.studies.comparison.report import comparison_report, finding


def draw() -> None:
    """Draw it."""
    st.write(
        "Compare encoders, layers and calibrators on several data sets under one protocol. Press a "
        "cell to see what its number is made of. To switch between all, mean and wmean, use the "
        "sidebar, under More; no calibrator is fitted again for that."
    )
    fold = Fold()
    with fold.drawing():
        grid = grid_picker()
    comparison, arrows = ask(
        "Compare",
        partial(comparison_jobs.comparison, grid),
        fold=fold,
        choices=named_rows(grid),
        invitation="Choose rows and columns and press **Compare**. Stored embeddings and earlier "
        "fits are used again.",
        help="Embeds what is not stored yet, fits every calibrator, scores it and tests each "
        "change.",
        then=partial(comparison_jobs.arrows, grid),
    )
    report = comparison_report(comparison, arrows)
    st.subheader(report.title)
    st.text(finding(comparison, arrows))
    place = comparison_grid(comparison, report)
    show_picture(report, "by-dataset")
    fit_notes(comparison)
    show_end(report)
    cell_details(comparison, place)

    st.subheader("Published numbers")
    published_panel(comparison)
