"""Similarity against edit distance as text: Table 6 with intervals, records of pairs, and JSON."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.evaluation.rank_matrix import Estimate, RankMatrix
from bertflow_core.results import FEW_PAIRS, few_pairs
from bertflow_core.studies.lexical.measure import DISTANCE, GOLD, LexicalBias
from bertflow_core.studies.lexical.paper_table6 import printed_rows
from bertflow_core.tables import TextTable, to_csv

__all__ = [
    "LEXICAL_WRITERS",
    "bias_table",
    "estimate_text",
    "matrix_records",
    "pair_records",
    "said",
]


def bias_table(found: LexicalBias) -> TextTable:
    """Lay similarities down; rho x 100 with edit distance and gold across, with intervals."""
    has_gold = found.pairs.gold is not None
    header = ("similarity", "edit distance", "gold", "edit distance, gold fixed", "close pairs")
    rows = [
        (f"{row.label}, published", f"{row.edit_distance:.2f}", f"{row.gold:.2f}", "", "")
        for row in printed_rows(found.recipe, found.unit)
    ]
    for name in (*([GOLD] if has_gold else []), *found.specs):
        with_gold = has_gold and name != GOLD
        fixed = found.given_gold(name) if with_gold else None
        rows.append(
            (
                name,
                estimate_text(found.every.rho(name, DISTANCE)),
                estimate_text(found.every.rho(name, GOLD)) if with_gold else "",
                "" if fixed is None else estimate_text(fixed),
                "-" if found.close is None else estimate_text(found.close.rho(name, DISTANCE)),
            )
        )
    return TextTable(header, tuple(rows), _remarks(found))


def said(found: LexicalBias) -> tuple[str, ...]:
    """Say what each calibrator changes in rho with edit distance and with gold, and what gold has.

    Of fewer than 30 pairs, of which rho is mostly chance, only that is said.
    """
    n = len(found.pairs)
    if n < FEW_PAIRS:
        return (few_pairs(n),)
    sentences = [_said(found, spec) for spec in found.specs[1:]]
    if found.pairs.gold is not None:
        gold = found.every.rho(GOLD, DISTANCE)
        sentences.append(f"People's own scores: rho {estimate_text(gold)} with edit distance.")
    return tuple(sentences)


def _said(found: LexicalBias, spec: str) -> str:
    baseline = found.specs[0]
    words = found.change(spec, DISTANCE)
    text = (
        f"{spec} against {baseline}: rho with edit distance goes from "
        f"{_points(found.every.rho(baseline, DISTANCE).value)} to "
        f"{_points(found.every.rho(spec, DISTANCE).value)} ({_signed(words)})"
    )
    text = f"{text}: {_hold(found, spec)}"
    if found.pairs.gold is None:
        return f"{text}."
    meaning = found.change(spec, GOLD)
    return (
        f"{text}; rho with gold goes from {_points(found.every.rho(baseline, GOLD).value)} to "
        f"{_points(found.every.rho(spec, GOLD).value)} ({_signed(meaning)})."
    )


def _hold(found: LexicalBias, spec: str) -> str:
    """Say whether cosine follows the words more or less than before, or that none can tell."""
    before, after = (found.every.rho(name, DISTANCE) for name in (found.specs[0], spec))
    size = found.every.change_in_size(spec, found.specs[0], DISTANCE)
    if size.value is None or size.low is None or size.high is None:
        return "undefined"
    if _sign(before) * _sign(after) < 0:
        return "it turns round"
    if size.low <= 0 <= size.high:
        return "no difference in how closely it follows the words can be told"
    return f"it follows the words {'less' if size.value < 0 else 'more'}"


def _sign(estimate: Estimate) -> int:
    """Return 1 or -1 where the whole interval lies on that side of 0, else 0."""
    if estimate.low is None or estimate.high is None or estimate.low <= 0 <= estimate.high:
        return 0
    return 1 if estimate.low > 0 else -1


def estimate_text(estimate: Estimate) -> str:
    """Write a correlation x 100 with its interval; a dash where it is undefined."""
    if estimate.value is None:
        return "-"
    return f"{_points(estimate.value)}{_ends(estimate)}"


def _signed(estimate: Estimate) -> str:
    value = "-" if estimate.value is None else f"{100 * estimate.value:+.2f}"
    return f"{value}{_ends(estimate)}"


def _ends(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f" [{100 * estimate.low:.2f}, {100 * estimate.high:.2f}]"


def _points(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.2f}"


def matrix_records(found: LexicalBias) -> list[dict[str, Any]]:
    """Return a record for every two columns, over all pairs and over the close ones."""
    records = _of_matrix(found.every, "all")
    return records + ([] if found.close is None else _of_matrix(found.close, "close"))


def _of_matrix(matrix: RankMatrix, pairs: str) -> list[dict[str, Any]]:
    records = []
    for i, a in enumerate(matrix.names):
        for b in matrix.names[i + 1 :]:
            rho = matrix.rho(a, b)
            ends = {"low": rho.low, "high": rho.high}
            records.append(
                {"pairs": pairs, "n": matrix.n_rows, "a": a, "b": b, "rho": rho.value} | ends
            )
    return records


def pair_records(found: LexicalBias, rows: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """Return a record a pair: texts, gold, edit distance, and cosine and rank error by calibrator.

    A rank error is the rank by similarity less that by gold, in % of the pairs; above 0 the pair is
    taken for too similar.
    """
    pairs, has_gold = found.pairs, found.pairs.gold is not None
    errors = {spec: 100 * found.errors(spec) for spec in found.specs} if has_gold else {}
    return [
        {
            "pair": int(row) + 1,
            "first": pairs.first[row],
            "second": pairs.second[row],
            "gold": None if pairs.gold is None else float(pairs.gold[row]),
            "edit_distance": int(found.distances[row]),
            **{f"cosine {spec}": round(float(z[row]), 4) for spec, z in found.similarities.items()},
            **{f"rank error {spec} (%)": round(float(e[row]), 1) for spec, e in errors.items()},
        }
        for row in rows
    ]


_GIVEN_GOLD = (
    "Gold fixed: the partial rank correlation, what is left of the tie to edit distance between "
    "pairs that people score alike."
)


def _remarks(found: LexicalBias) -> tuple[str, ...]:
    recipe, every = found.recipe, found.every
    intervals = (
        f"Intervals: {100 * every.confidence:.0f} %, percentiles of {len(every.draws):,} resamples "
        f"of the pairs, seed {recipe.seed}."
        if len(every.draws)
        else "Too few pairs for intervals."
    )
    printed = printed_rows(recipe, found.unit)
    return (
        found.caption(),
        f"Spearman's rho x 100 of {len(found.pairs):,} pairs; edit distance: fewest {found.unit} "
        f"units to insert, delete or substitute; close: at most {found.threshold} apart, "
        f"{int(found.is_close.sum()):,} pairs, there rho with edit distance.",
        intervals,
        *([_GIVEN_GOLD] if found.pairs.gold is not None else []),
        *([f"Published: {printed[0].citation}, of BERT, layers not stated."] if printed else []),
        *said(found),
    )


def _to_csv(found: LexicalBias) -> str:
    return to_csv(matrix_records(found), found.columns())


LEXICAL_WRITERS: dict[str, Callable[[LexicalBias], str]] = {
    "table": lambda found: bias_table(found).to_text(),
    "json": lambda found: json.dumps(found.to_dict(), indent=2, ensure_ascii=False),
    "csv": _to_csv,
    "latex": lambda found: bias_table(found).to_latex(),
    "markdown": lambda found: bias_table(found).to_markdown(),
}
