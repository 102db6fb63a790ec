"""Words or meaning?: cosine against edit distance, before and after calibration."""

import streamlit as st
from bertflow_app import state
from bertflow_app.shared import Shared
from bertflow_app.show import drawer, headline, show_picture, show_table
from bertflow_app.widgets.choices import bound, calibrator_picker
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.evaluation import AUC
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Column, Report, Table
from bertflow_core.studies.lexical.bias import LexicalBias, LexicalRecipe
from bertflow_core.studies.lexical.study import FOOLED, finding


def draw() -> None:
    """Let the visitor choose calibrators, and show how closely cosine follows shared words."""
    recipe = state.current_recipe()
    fold = Fold("lexical")
    with fold.drawing():
        specs = baseline_first(calibrator_picker())
        left, right = st.columns(2)
        with left:
            unit, distance = bound(LexicalRecipe, "unit"), bound(LexicalRecipe, "distance")
        with right:
            threshold = bound(LexicalRecipe, "threshold")
    asked = LexicalRecipe(**recipe.to_dict(), unit=unit, distance=distance, threshold=threshold)
    report: Report = ask(
        "Compare with edit distance",
        Shared("studies.lexical.study:lexical", asked, specs),
        fold=fold,
        is_quick=True,
        choices=(", ".join(specs), recipe.vectors, f"{unit} edits"),
        help="Embeds the sentences, fits the calibrators and correlates their cosines with edit "
        "distance: about 20 seconds.",
    )
    bias: LexicalBias = report.objects["bias"]
    show_picture(report, "similarity_panels")
    headline(report.text(Kind.HEADLINE))
    st.text(finding(bias))
    if bias.words.pairs.metric == AUC.name:
        st.text(why_unscored(bias.words.pairs))
    st.header("How closely cosine follows the words (Table 6)")
    st.text(report.text(Kind.ANSWER))
    _matrix(report)
    st.header("With length held fixed")
    show_table(
        report.tables[-1],
        alt="Rho of each similarity with edit distance, without and with length held fixed",
    )
    for table in report.tables:
        if table.title == FOOLED:
            st.header("Fooled by words")
            show_table(table, alt="Pairs whose words and meaning disagree")
    drawer(report)


def _matrix(report: Report) -> None:
    """Show Table 6 with intervals, Table 6 as printed, and rho for every pair of columns."""
    show_table(report.table, alt="Rho of every similarity with edit distance and with gold")
    for table in report.tables:
        if table.title == "published":
            show_table(table, alt="Table 6 as it was printed")
    with st.expander("All correlations"):
        columns = (Column("pairs"), Column("n", format=","), Column("a", "one"))
        rho = Column("rho", "rho x 100", ".2f", times=100, ends=True)
        rows = [
            {**row, "rho_low": row["low"], "rho_high": row["high"]}
            for row in report.facts["correlations"]
        ]
        show_table(
            Table((*columns, Column("b", "other"), rho), rows),
            alt="Rho between gold scores, similarities and edit distance",
        )
