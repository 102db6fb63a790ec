"""The pieces of the page Should I calibrate?: a card a question, and what gold scores say."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app.parts.components import caption
from bertflow_app.parts.exports import Origin, chart

from bertflow_core.figures import interval_forest
from bertflow_core.studies.advice.finding import Finding, Verdict
from bertflow_core.studies.advice.recommendation import Gain
from bertflow_core.tables import percent

MARKS = {
    Verdict.GO: ":material/check_circle: **Speaks for calibrating**",
    Verdict.CAUTION: ":material/warning: **Calibrate with care**",
    Verdict.STOP: ":material/cancel: **Speaks against calibrating**",
}


def finding_card(finding: Finding) -> None:
    """Show one question: the verdict by sign and word, the sentence, the numbers, thresholds."""
    with st.container(border=True):
        st.subheader(str(finding.question))
        st.markdown(MARKS[finding.verdict])
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
        interval_forest(
            [gain.calibrator for gain in gains],
            [gain.after - gain.before for gain in gains],
            [gain.low for gain in gains],
            [gain.high for gain in gains],
            title="change of rho x 100 against identity",
            reference=0.0,
            apart=[gain.told_apart for gain in gains],
        ),
        key="gains",
        alt="Change of rho under each calibrator with its 95 % interval",
        origin=origin,
    )
    st.dataframe(
        [
            {
                "Calibrator": gain.calibrator,
                "rho x 100 before": percent(gain.before),
                "after": percent(gain.after),
                "95 % interval of the change": f"[{percent(gain.low)}, {percent(gain.high)}]",
                "Told apart": "yes" if gain.told_apart else "no",
            }
            for gain in gains
        ],
        hide_index=True,
        alt="Rho before and after each calibrator",
    )
    st.caption(
        f"Paired bootstrap on {gains[0].n_pairs:,} pairs; told apart: Holm, 5 %. A hollow grey "
        "mark may be noise."
    )
