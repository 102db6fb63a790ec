"""What the walk and the samples of the Playground share: the choice of a space, and their files."""

from collections.abc import Mapping, Sequence

import streamlit as st
from bertflow_app.parts.exports import exports

from bertflow_core.studies.playground import Playground, Samples, Walk
from bertflow_core.tables import to_csv, to_json


def invertible_spec(playground: Playground) -> str | None:
    """Let the visitor choose the calibrator whose inverse is taken; None where it has none."""
    specs = playground.specs[1:] or playground.specs
    spec = st.selectbox(
        "Latent space of",
        specs,
        index=len(specs) - 1,
        key="walk_spec",
        bind="query-params",
        help="Only a calibrator that discards nothing has an inverse; the flow always has.",
        width=260,
    )
    reason = playground.space(spec).why_no_way_back()
    if reason is not None:
        st.text(f"{reason}. Choose flow, or another calibrator that keeps every direction.")
        return None
    return str(spec)


def offer(
    playground: Playground,
    found: Walk | Samples,
    records: Sequence[Mapping[str, object]],
    name: str,
    columns: Mapping[str, object],
) -> None:
    """Offer records as CSV and JSON with their recipe.

    Args:
        playground: Whose recipe it is.
        found: What the records are of.
        records: A line each.
        name: What they are, as the buttons name them.
        columns: What they share beside the recipe.
    """
    shared = playground.columns(found.spec) | columns
    told = {"recipe": playground.to_dict(found.spec), **columns, "said": found.said()}
    file = name.lower()
    exports(
        {
            f"{name} as CSV": (lambda: to_csv(records, shared), f"{file}.csv"),
            f"{name} as JSON": (lambda: to_json(records, told), f"{file}.json"),
        }
    )
