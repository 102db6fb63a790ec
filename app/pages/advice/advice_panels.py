"""The panels of the page Should I calibrate?: the answer, the findings and the gold scores."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app.parts.components import caption, say_notes

from bertflow_core.report import Report, Row
from bertflow_core.text_table import percent

MARKS = {
    "go": ":material/check_circle: **Speaks for calibrating**",
    "neutral": ":material/remove: **Nothing against calibrating**",
    "caution": ":material/warning: **Calibrate with care**",
    "stop": ":material/cancel: **Speaks against calibrating**",
}


def answer_panel(report: Report) -> None:
    """Show what follows from all findings and gains."""
    with st.container(border=True):
        st.text(report.facts["answer"])
        if why_no_gains := report.facts["why_no_gains"]:
            st.text(why_no_gains)
    say_notes(report.facts["notes"])


def finding_card(finding: Row) -> None:
    """Show one question: the verdict, the sentence, the numbers and the thresholds."""
    with st.container(border=True):
        st.subheader(finding["question"])
        st.markdown(MARKS[finding["verdict"]])
        st.text(finding["finding"])
        with st.popover("Numbers and thresholds", icon=":material/table_rows:"):
            st.dataframe(
                [
                    {"What": name, "Value": f"{finding[name]:.4g}", "Unit": unit}
                    for name, unit in finding["units"].items()
                ],
                hide_index=True,
                alt=f"What was measured for: {finding['question']}",
            )
            for source in finding["sources"]:
                caption(source)


def gains_table(gains: Sequence[Row]) -> None:
    """Show rho before and after each calibrator, with the interval of the difference."""
    st.dataframe(
        [
            {
                "Calibrator": row["calibrator"],
                "rho x 100 before": percent(row["before"]),
                "after": percent(row["after"]),
                "95 % interval": f"[{percent(row['low'])}, {percent(row['high'])}]",
                "Significant": "yes" if row["significant"] else "no",
            }
            for row in gains
        ],
        hide_index=True,
        alt="Rho before and after each calibrator",
    )
    st.caption(
        "Interval: of the change, by a paired bootstrap. Significant: Holm, 5 %. Hollow grey "
        "marks: not significant."
    )
