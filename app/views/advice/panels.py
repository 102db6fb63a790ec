"""The panels of the page Should I calibrate?: the answer, the findings and the gold scores."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app.parts.components import caption, say_notes
from bertflow_app.parts.exports import Origin, chart

from bertflow_core.studies.advice.figures import gains_figure
from bertflow_core.studies.advice.finding import Finding, Recommendation
from bertflow_core.studies.advice.result import Advice, Gain
from bertflow_core.text_table import percent

MARKS = {
    Recommendation.GO: ":material/check_circle: **Speaks for calibrating**",
    Recommendation.CAUTION: ":material/warning: **Calibrate with care**",
    Recommendation.STOP: ":material/cancel: **Speaks against calibrating**",
}
NEUTRAL = ":material/remove: **Nothing against calibrating**"


def answer_panel(advice: Advice) -> None:
    """Show what follows from all findings and gains."""
    with st.container(border=True):
        st.text(advice.answer)
        if advice.note:
            st.text(advice.note)
    say_notes(advice.fit_notes)


def finding_card(finding: Finding) -> None:
    """Show one question: the recommendation, the sentence, the numbers and the thresholds."""
    with st.container(border=True):
        st.subheader(str(finding.question))
        st.markdown(NEUTRAL if finding.is_neutral else MARKS[finding.recommendation])
        st.text(finding.sentence)
        with st.popover("Numbers and thresholds", icon=":material/table_rows:"):
            st.dataframe(
                [
                    {"What": name, "Value": f"{each.value:.4g}", "Unit": each.unit}
                    for name, each in finding.evidence.items()
                ],
                hide_index=True,
                alt=f"What was measured for: {finding.question}",
            )
            for threshold in finding.thresholds:
                caption(threshold.source)


def gains_panel(gains: Sequence[Gain], origin: Origin) -> None:
    """Show rho before and after each calibrator, with the interval of the difference."""
    chart(
        gains_figure(gains),
        key="gains",
        origin=origin,
    )
    st.dataframe(
        [
            {
                "Calibrator": gain.calibrator,
                "rho x 100 before": percent(gain.before),
                "after": percent(gain.after),
                "95 % interval": f"[{percent(gain.low)}, {percent(gain.high)}]",
                "Significant": "yes" if gain.significant else "no",
            }
            for gain in gains
        ],
        hide_index=True,
        alt="Rho before and after each calibrator",
    )
    st.caption(
        f"Interval: of the change, by a paired bootstrap on {gains[0].n_pairs:,} pairs. "
        "Significant: Holm, 5 %. Hollow grey marks: not significant."
    )
