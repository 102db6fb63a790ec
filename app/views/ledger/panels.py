"""The pieces of the page Which pairs?: its filters, its selection and its tables."""

from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st
from bertflow_app.parts.components import cell

from bertflow_core.studies.ledger import PairLedger

Rows = npt.NDArray[np.intp]


def filtered_rows(found: PairLedger) -> Rows:
    """Draw the filters; return the rows of the pairs that pass."""
    ledger = found.ledger
    names = list(dict.fromkeys(ledger.subsets))
    with st.container(border=True):
        left, right = st.columns(2)
        with left:
            gold = _range("Gold score", ledger.gold, step=0.1, help="Judged by people.")
            edits = _range(
                "Edit distance",
                found.edit_distances,
                help="Tokens to insert, delete or replace (Penn Treebank, lower case; of longer "
                "sentences the first 1,000).",
            )
        with right:
            lengths = _range("Length", found.lengths, help="Tokens of the longer sentence.")
            subsets = st.multiselect(
                "Subsets",
                names,
                key="ledger_subsets",
                help="None chosen takes all.",
                disabled=len(names) < 2,
            )
    return ledger.select(
        subsets=subsets or None,
        gold=gold,
        length=(found.lengths, lengths),
        edit_distance=(found.edit_distances, edits),
    )


def _range(
    label: str, values: npt.NDArray[Any], *, help: str, step: float = 1
) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    if low == high:
        st.text(f"{label}: {low:g} for every pair")
        return low, high
    whole = np.issubdtype(values.dtype, np.integer)
    kind = int if whole else float
    chosen = st.slider(
        label,
        kind(low),
        kind(high),
        (kind(low), kind(high)),
        step=kind(step),
        key=f"ledger_{label}",
        help=help,
    )
    return float(chosen[0]), float(chosen[1])


def selected_rows(event: Any, rows: Rows) -> Rows:  # noqa: ANN401 - Streamlit's event
    """Return the rows of the points that were selected in the picture."""
    indices = np.asarray(event["selection"]["point_indices"], np.intp)
    return rows[np.unique(indices[indices < len(rows)])]


def pair_table(found: PairLedger, rows: Rows, *, alt: str) -> None:
    """Show pairs with texts, ranks and shares."""
    frame = found.frame(rows)
    st.dataframe(
        {
            "First": [cell(text) for text in frame["first"]],
            "Second": [cell(text) for text in frame["second"]],
            "Gold": frame["gold"],
            "Gold rank": frame["gold_rank"],
            "Before": frame["rank_before"],
            "After": frame["rank_after"],
            "Mended": frame["mended"],
            "Share x 100": 100 * frame["share"],
            "Pair": frame["pair"],
        },
        hide_index=True,
        column_config={
            "First": st.column_config.TextColumn(width="medium"),
            "Second": st.column_config.TextColumn(width="medium"),
            "Share x 100": st.column_config.NumberColumn(format="%+.4f"),
            "Mended": st.column_config.NumberColumn(format="%+.1f"),
        },
        alt=alt,
    )
