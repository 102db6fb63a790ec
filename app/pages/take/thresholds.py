"""Threshold: precision and recall by threshold, the threshold for use, and its rule as code."""

import json
from dataclasses import replace

import streamlit as st
from bertflow_app.show import drawer, headline, say, show_picture, show_table
from bertflow_app.study_page import study_report
from bertflow_app.widgets.components import save_button

from bertflow_core.export.rule import python_rule, typescript_rule
from bertflow_core.lab.saved_thresholds import Threshold
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Report, Table
from bertflow_core.studies.thresholds import SCORED

SHOWN = ("vectors", "calibrator", "threshold", "precision", "recall", "rate")
"""The columns of the table; the intervals are in the files."""


def draw() -> None:
    """Show the curve, the threshold for use, those of other vectors, and the rule as code."""
    report = study_report("thresholds")
    curve, distributions = report.pictures()
    show_picture(report, curve)
    headline(report.text(Kind.HEADLINE))
    columns = [replace(report.column(key), ends=False) for key in SHOWN]
    scored = Table(columns, report.where(sentences=SCORED))
    show_table(scored, alt=report.title)
    _rule(report)
    with st.expander("Random pairs", icon=":material/shuffle:"):
        say(report, Kind.ANSWER)
        show_picture(report, distributions)
        for table in report.tables:
            show_table(table, alt=f"{report.title} {table.title}")
    say(report, Kind.WARNING, Kind.MISSING)
    drawer(report, columns=scored.shown)


def _rule(report: Report) -> None:
    """Show the rule of one of the vectors in each language, the first by default."""
    entries: list[Threshold] = report.facts["thresholds"]
    rows = report.where(sentences=SCORED)
    place = 0
    if len(entries) > 1:
        place = st.selectbox(
            "Rule for",
            range(len(entries)),
            format_func=lambda i: f"{rows[i]['vectors']}, {rows[i]['calibrator']}",
            key="rule",
        )
    entry = entries[place]
    codes = {
        "Python": (python_rule(entry), "py", "python"),
        "TypeScript": (typescript_rule(entry), "ts", "typescript"),
        "JSON": (json.dumps(entry, indent=2), "json", "json"),
    }
    for tab, (code, ending, language) in zip(st.tabs([*codes]), codes.values(), strict=True):
        with tab:
            st.code(code, language=language, wrap_lines=True)
            save_button("Save", code, f"threshold.{ending}", key=f"rule-{ending}")
