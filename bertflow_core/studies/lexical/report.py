"""The report on words and meaning: Table 6 with intervals, every two columns, listed pairs."""

from typing import Any

from bertflow_core.evaluation import N_DRAWS
from bertflow_core.evaluation.rank_matrix import Estimate, RankMatrix
from bertflow_core.linalg import Rows
from bertflow_core.old_report import Report
from bertflow_core.remarks import few_pairs
from bertflow_core.studies.lexical.bias import (
    DISTANCE,
    GOLD,
    LENGTH,
    NORMALISED,
    Distance,
    LexicalBias,
)
from bertflow_core.studies.lexical.estimates import ends_text, estimate_text
from bertflow_core.studies.lexical.figures import lexical_figures
from bertflow_core.studies.lexical.length import length_table
from bertflow_core.studies.lexical.paper_table6 import PrintedRow, printed_rows
from bertflow_core.text_table import TextTable, change_text, percent, table_of

__all__ = [
    "bias_table",
    "conclusions",
    "finding",
    "lexical_report",
    "matrix_records",
    "pair_records",
    "pairs_report",
]


def lexical_report(bias: LexicalBias) -> Report:
    """Report how closely cosine follows edit distance and gold."""
    return Report(
        name="lexical",
        tables=lambda: (bias_table(bias), length_table(bias)),
        records=lambda: matrix_records(bias),
        shared=bias.columns(),
        document=lambda: _document(bias),
        remarks=_remarks(bias),
        command=bias.command(),
        figures=lambda: lexical_figures(bias),
    )


def pairs_report(bias: LexicalBias, rows: Rows) -> Report:
    """Report single pairs.

    Args:
        bias: All pairs.
        rows: The pairs to list.
    """
    remarks = _remarks(bias)
    return Report(
        name="pairs",
        tables=lambda: (table_of(pair_records(bias, rows), remarks),),
        records=lambda: pair_records(bias, rows),
        shared=bias.columns(),
        document=lambda: {"recipe": _recipe(bias), "records": pair_records(bias, rows)},
        remarks=remarks,
        command=bias.command(),
    )


def bias_table(bias: LexicalBias) -> TextTable:
    """Return one row per similarity: rho x 100 with edit distance and gold, with intervals."""
    has_gold = bias.pairs.gold is not None
    distance = bias.shown.label
    header = ("similarity", distance, "gold", f"{distance}, gold fixed", "close pairs")
    rows = [
        (f"{row.label}, published", f"{row.edit_distance:.2f}", f"{row.gold:.2f}", "", "")
        for row in _printed(bias)
    ]
    for name in (*([GOLD] if has_gold else []), *bias.specs):
        with_gold = has_gold and name != GOLD
        fixed = bias.given_gold(name) if with_gold else None
        rows.append(
            (
                name,
                estimate_text(bias.every.rho(name, bias.shown.column)),
                estimate_text(bias.every.rho(name, GOLD)) if with_gold else "",
                "" if fixed is None else estimate_text(fixed),
                "-" if bias.close is None else estimate_text(bias.close.rho(name, DISTANCE)),
            )
        )
    return TextTable(header, tuple(rows), _remarks(bias))


def _printed(bias: LexicalBias) -> tuple[PrintedRow, ...]:
    """Return the printed rows, which are of raw edits; none beside other distances."""
    return printed_rows(bias.recipe, bias.unit) if bias.shown is Distance.EDITS else ()


def conclusions(bias: LexicalBias) -> tuple[str, ...]:
    """Say what each calibrator changes in rho with edit distance and with gold, in sentences.

    For fewer than 30 pairs, whose rho is mostly chance, it says only that.
    """
    if few := few_pairs(len(bias.pairs)):
        return (few,)
    sentences = [_conclusion(bias, spec) for spec in bias.specs[1:]]
    if bias.pairs.gold is not None:
        gold = bias.every.rho(GOLD, bias.shown.column)
        said = f"rho {estimate_text(gold)} with {bias.shown.label}"
        sentences.append(f"People's own scores: {said}.")
    return tuple(sentences)


def finding(bias: LexicalBias) -> str:
    """Say in one sentence whether cosine follows the words more closely than people do.

    For fewer than 30 pairs, whose rho is mostly chance, it says only that.
    """
    if few := few_pairs(len(bias.pairs)):
        return few
    column = bias.shown.column
    rhos = {spec: bias.every.rho(spec, column).value for spec in bias.specs}
    before, *others = rhos
    distance = bias.shown.label
    said = f"With {distance}, cosine under {before} has rho x 100 {percent(rhos[before])}"
    if bias.pairs.gold is not None:
        said += f", people's own scores {percent(bias.every.rho(GOLD, column).value)}"
    known = [spec for spec in others if rhos[spec] is not None]
    if not known:
        return f"{said}."
    least = min(known, key=lambda spec: abs(rhos[spec] or 0.0))
    return f"{said}. Under {least} cosine has {percent(rhos[least])}: {_effect(bias, least)}."


def _conclusion(bias: LexicalBias, spec: str) -> str:
    text = (
        f"{spec} against {bias.specs[0]}: rho with {bias.shown.label} "
        f"{_before_after(bias, spec, bias.shown.column)}: {_effect(bias, spec)}"
    )
    if bias.pairs.gold is None:
        return f"{text}."
    return f"{text}; rho with gold {_before_after(bias, spec, GOLD)}."


def _before_after(bias: LexicalBias, spec: str, to: str) -> str:
    before, after = (bias.every.rho(name, to).value for name in (bias.specs[0], spec))
    change = "-" if before is None or after is None else change_text(before, after)
    within = ends_text(bias.change(spec, to))
    return f"goes from {percent(before)} to {percent(after)} ({change}{within})"


def _effect(bias: LexicalBias, spec: str) -> str:
    """Say whether cosine follows the words more or less closely than before."""
    column = bias.shown.column
    before, after = (bias.every.rho(name, column) for name in (bias.specs[0], spec))
    size = bias.every.change_in_size(spec, bias.specs[0], column)
    if size.value is None or size.low is None or size.high is None:
        return "undefined"
    if _sign(before) * _sign(after) < 0:
        return "its sign changes"
    if size.low <= 0 <= size.high:
        return "not significant"
    return f"it follows the words {'less' if size.value < 0 else 'more'}"


def _sign(estimate: Estimate) -> int:
    """Return 1 or -1 where the whole interval lies on that side of 0, else 0."""
    if estimate.low is None or estimate.high is None or estimate.low <= 0 <= estimate.high:
        return 0
    return 1 if estimate.low > 0 else -1


def matrix_records(bias: LexicalBias) -> list[dict[str, Any]]:
    """Return one record per two columns, over all pairs and over the close ones."""
    records = _of_matrix(bias.every, "all")
    return records + ([] if bias.close is None else _of_matrix(bias.close, "close"))


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


def pair_records(bias: LexicalBias, rows: Rows) -> list[dict[str, Any]]:
    """Return one record per pair: texts, gold, edit distance, cosines and rank errors.

    A rank error is the rank by cosine less that by gold, in % of the pairs; above 0 the pair is
    rated too similar.
    """
    pairs, has_gold = bias.pairs, bias.pairs.gold is not None
    errors = {spec: 100 * bias.errors(spec) for spec in bias.specs} if has_gold else {}
    return [
        {
            "pair": int(row) + 1,
            "first": pairs.first[row],
            "second": pairs.second[row],
            "gold": None if pairs.gold is None else float(pairs.gold[row]),
            "edit_distance": int(bias.distances[row]),
            "length": int(bias.lengths[row]),
            **{f"cosine {spec}": round(float(z[row]), 4) for spec, z in bias.similarities.items()},
            **{f"rank error {spec} (%)": round(float(e[row]), 1) for spec, e in errors.items()},
        }
        for row in rows
    ]


_GIVEN_GOLD = (
    "Gold fixed: the partial rank correlation, which is that among pairs that people score alike."
)


def _remarks(bias: LexicalBias) -> tuple[str, ...]:
    recipe, every = bias.recipe, bias.every
    intervals = (
        f"Intervals: {100 * every.confidence:.0f} %, percentiles of {len(every.draws):,} resamples "
        f"of the pairs, seed {recipe.seed}; those of changes of agreement: {N_DRAWS:,}."
        if len(every.draws)
        else "Too few pairs for intervals."
    )
    printed = _printed(bias)
    return (
        f"{bias.recipe.caption()}.",
        f"Spearman's rho x 100 of {len(bias.pairs):,} pairs; edit distance: fewest {bias.unit} "
        f"units to insert, delete or substitute{_OVER_LENGTH[bias.shown]}; close: at most "
        f"{bias.threshold} apart, "
        f"{int(bias.is_close.sum()):,} pairs, there rho with edit distance.",
        intervals,
        *([_GIVEN_GOLD] if bias.pairs.gold is not None else []),
        *([_published(bias, printed[0])] if printed else []),
        *conclusions(bias),
    )


_OVER_LENGTH = {
    Distance.EDITS: "",
    Distance.NORMALISED: ", over the units of the longer side (normalised)",
}


def _published(bias: LexicalBias, row: PrintedRow) -> str:
    """Say what was published, and which text of the pairs gives the number printed for gold."""
    texts = "; ".join(text.describe() for text in row.texts)
    layout = bias.pairs.provenance.layout
    return (
        f"Published: {row.citation}, of BERT, layers not stated. Its {row.gold_distance:.2f} for "
        f"gold depends on the text of the pairs: {texts}. Here: {layout}."
    )


def _recipe(bias: LexicalBias) -> dict[str, Any]:
    shared = {k: v for k, v in bias.recipe.to_dict().items() if k != "calibrator"}
    own = {"unit": bias.unit, "threshold": bias.threshold, "distance": str(bias.shown)}
    return shared | {"calibrators": list(bias.specs)} | own


def _document(bias: LexicalBias) -> dict[str, Any]:
    """Return the recipe, the correlations and their intervals, JSON-able."""
    close: dict[str, Any] = {"threshold": bias.threshold, "n": int(bias.is_close.sum())}
    if bias.close is not None:
        close |= _nested(bias.close)
    given_gold = {
        spec: {"rho": rho.value, "interval": [rho.low, rho.high]}
        for spec in bias.specs
        if (rho := bias.given_gold(spec)) is not None
    }
    return {
        "recipe": _recipe(bias),
        "n_pairs": len(bias.pairs),
        **_nested(bias.every),
        "close": close,
        **({"given_gold": given_gold} if given_gold else {}),
        "given_length": {
            name: {"rho": rho.value, "interval": [rho.low, rho.high]}
            for name in bias.every.names
            if name not in (DISTANCE, NORMALISED, LENGTH)
            for rho in [bias.given_length(name)]
        },
        "confidence": bias.every.confidence,
        "n_draws": len(bias.every.draws),
        "data": bias.pairs.provenance.to_dict(),
    }


def _nested(matrix: RankMatrix) -> dict[str, dict[str, dict[str, Any]]]:
    """Return rho of every two columns by name, and their intervals."""
    names = matrix.names
    rhos = {a: {b: matrix.rho(a, b) for b in names if b != a} for a in names}
    return {
        "spearman": {a: {b: each.value for b, each in row.items()} for a, row in rhos.items()},
        "intervals": {
            a: {b: [each.low, each.high] for b, each in row.items()} for a, row in rhos.items()
        },
    }
