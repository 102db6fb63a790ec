"""What makes random sentences alike in a raw language model, from its recorded depth."""

from collections.abc import Sequence
from typing import Any

from bertflow_core.figures import Figure, value_bars
from bertflow_core.report.report import Report, Row
from bertflow_core.wording import percent

_N_DRAWN = 5
"""Coordinates with a bar of their own."""
_SHARE = "share of the mean cosine in %"

Answer = dict[str, Any]
"""What a step takes from a report.

`right` is the index of the right answer. Optional: `picture` replaces the report's picture,
`choices` replaces the step's answers, and `exhibits` has texts to read first, by label. All other
keys are the values that fill the placeholders of the step's texts.
"""


def layer_name(row: Row) -> str:
    """Return the layer of a row in words."""
    return str(row["layers"]).replace(":", " ")


def coordinate(report: Report) -> Answer:
    """Read from the recorded depth what share of the cosine the largest coordinates make."""
    (row,), n_features = report.rows, report.facts["encoder"]["dim"]
    chosen, shares = row["chosen"][:_N_DRAWN], row["shares"][:_N_DRAWN]
    names = [*(f"coordinate {each}" for each in chosen), f"the other {n_features - _N_DRAWN}"]
    return {
        **_alike(row),
        "right": 2,
        "picture": _share_bars(names, [*shares, 1 - sum(shares)]),
        "n_features": n_features,
        "second": chosen[1],
        "both": 100 * row["share_2"],
        "rho_left": percent(row["rho_dropped"]),
        "first_part": 100 * row["first_part"],
    }


def first(report: Report) -> Answer:
    """Read from the recorded depth what share of the cosine the first token makes."""
    (row,) = report.rows
    names = ["the first word", "two coordinates of the others", "all else"]
    shares = [row[f"{part}_part"] for part in ("first", "coordinates", "rest")]
    return {
        **_alike(row),
        "right": 1,
        "picture": _share_bars(names, shares),
        "after": row["cosine_after_first"],
        "norm": row["first_norm"],
        "sink": 100 * row["sink"],
        "rho_centred": percent(row["rho_centred"]),
        "rho_left": percent(row["rho_after_first"]),
    }


def _alike(row: Row) -> Answer:
    return {
        "layer": layer_name(row),
        "cosine": row["mean_cosine"],
        "rho": percent(row["rho"]),
        "largest": row["chosen"][0],
        "share": 100 * row["share_1"],
    }


def _share_bars(names: Sequence[str], shares: Sequence[float]) -> Figure:
    """Draw the shares of what makes two random captions alike, in %, with one decimal."""
    values = [round(100 * share, 1) + 0.0 for share in shares]  # no -0
    return value_bars(_SHARE, names, [""] * len(names), values)
