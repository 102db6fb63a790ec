"""Which pairs?: how a calibrator or a second model moves every pair, with the sentences."""

from dataclasses import replace

import streamlit as st
from bertflow_app import models, state
from bertflow_app.shared import Shared
from bertflow_app.show import chart, drawer, headline, say, show_picture, show_table
from bertflow_app.widgets.choices import calibrator_box
from bertflow_app.widgets.work import Fold, ask

from bertflow_core.calibrators.spec import BASELINE, Spec, offered_specs
from bertflow_core.evaluation.ledger import Ledger
from bertflow_core.figures import cosine_histograms, gold_against_cosine
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Column, Report
from bertflow_core.studies.ledger import LedgerRecipe

SHOWN = 10


def draw() -> None:
    """Let the visitor choose two calibrators, and show how each pair moves between them."""
    recipe, fold = state.current_recipe(), Fold("ledger")
    second = models.second_of(recipe) or None
    with fold.drawing():
        before, after = _pick_two(BASELINE if second else "flow")
    asked = LedgerRecipe(
        **recipe.to_dict(), before=before, after=after, after_model=second, order="row"
    )
    if second:
        models.check(recipe, second)
    report: Report = ask(
        "Account for every pair",
        Shared("studies.ledger:ledger", asked),
        fold=fold,
        is_quick=True,
        choices=(" to ".join(asked.sides), recipe.vectors),
        help="Embeds the sentences, fits both calibrators, and ranks the pairs: about 20 seconds "
        "for some thousand sentences.",
    )
    found: Ledger = report.objects["ledger"]
    n_closer, n_away = ((side * found.improved > 0).sum() for side in (1, -1))
    event = show_picture(
        report, "ranks", on_select="rerun", selection_mode=("points", "box", "lasso")
    )
    headline(f"{n_closer:,} pairs move closer to their gold rank, {n_away:,} away from it.")
    say(report, Kind.ANSWER, Kind.WARNING)  # names of models are untrusted
    picked = [*dict.fromkeys(event["selection"]["point_indices"])]
    if picked:
        st.header("Selected pairs")
        _pair_table(report.only(picked), alt="The pairs that are selected above")
    else:
        st.caption("Draw a box or a lasso in the figure to list its pairs here.")
    ends = {"improved": found.most_improved(SHOWN), "worsened": found.most_worsened(SHOWN)}
    for tab, (order, rows) in zip(
        st.tabs(["Moved closer", "Moved away"]), ends.items(), strict=True
    ):
        with tab:
            _pair_table(report.only(rows), alt=f"Pairs that {order} most")
    _cosines(found, asked.sides)
    drawer(report.only(picked) if picked else report)


def _cosines(found: Ledger, sides: tuple[str, str]) -> None:
    """Show the cosines of the pairs before and after, against the gold scores and alone."""
    cosines = dict(zip(sides, (found.before, found.after), strict=True))
    st.header("Cosines before and after")
    chart(gold_against_cosine(found.gold, cosines, gold_label="gold score"), key="scatter")
    chart(cosine_histograms(cosines), key="histogram")
    st.caption("Calibration shifts and stretches cosines, so thresholds must be set again.")


def _pick_two(after: str) -> list[Spec]:
    """Let the visitor choose two calibrators; `after` is the default of the second."""
    specs = list(dict.fromkeys((BASELINE, *offered_specs(), *state.chosen("calibrators"))))
    start = "The calibrator to start from. You can type any other."
    end = "The calibrator that is compared with the first."
    boxes = {"Before": (specs[0], start), "After": (after, end)}
    chosen = []
    for column, (label, (default, help)) in zip(st.columns(2), boxes.items(), strict=True):
        with column:
            key = f"ledger_{label.lower()}"
            chosen.append(calibrator_box(label, specs, default, key=key, help=help))
    return chosen


def _pair_table(report: Report, *, alt: str) -> None:
    columns = (*report.table.columns, Column("pair"))
    show_table(replace(report.table, columns=columns, remarks=()), alt=alt)
