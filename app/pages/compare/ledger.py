"""Which pairs?: how a calibrator moves every pair, and the sentences behind it."""

from functools import partial

import streamlit as st
from bertflow_app import state
from bertflow_app.pages.compare.ledger_panels import (
    change_panel,
    filtered_rows,
    pair_table,
    selected_rows,
    step_picker,
)
from bertflow_app.parts.components import ask
from bertflow_app.parts.fold import Fold, named_specs
from bertflow_app.shared_jobs import run
from bertflow_app.show import show_end, show_picture

from bertflow_core.studies.ledger import LedgerRecipe

SHOWN = 10


def draw() -> None:
    """Draw it."""
    st.write(
        "Spearman's rho compares two orders of the pairs: by gold score and by cosine. A "
        "calibrator moves some pairs closer to their gold rank and others away from it. Each pair "
        "has a share in the change of rho; the shares add up to it. Pairs whose gold rank is far "
        "from the middle count most, so a pair near the middle can move closer and still lower "
        "rho a little."
    )
    recipe, fold = state.current_recipe(), Fold()
    with fold.drawing():
        before, after = step_picker()
    asked = LedgerRecipe(**recipe.to_dict(), before=before, after=after, order="row")
    report = ask(
        "Account for every pair",
        partial(run, "studies.ledger:ledger", asked),
        fold=fold,
        choices=(named_specs((before, after)), recipe.layers),
        invitation="Choose two calibrators and press **Account for every pair**.",
        help="Embeds the sentences, fits both calibrators, and ranks the pairs.",
    )
    pairs = report.live["ledger"]
    change_panel(report)
    with st.expander("Filter", icon=":material/filter_alt:"):
        rows = filtered_rows(pairs)
    event = show_picture(
        report.only(rows),
        "ranks",
        on_select="rerun",
        selection_mode=("points", "box", "lasso"),
    )
    picked = selected_rows(event, rows)
    if len(picked):
        st.subheader("Selected pairs")
        pair_table(pairs, picked, alt="The pairs that are selected above")
    else:
        st.write("Draw a box or a lasso in the figure to list its pairs here.")
    st.subheader("The two ends")
    closer, away = st.tabs(["Moved closer", "Moved away"])
    with closer:
        ends = pairs.places("improved", rows)
        pair_table(pairs, ends[:SHOWN], alt="Pairs that moved closer most")
    with away:
        ends = pairs.places("worsened", rows)
        pair_table(pairs, ends[:SHOWN], alt="Pairs that moved away most")
    shown = picked if len(picked) else rows
    st.write(f"{len(shown):,} pairs:")
    show_end(report.only(shown))
