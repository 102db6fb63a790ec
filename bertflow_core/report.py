"""Results as text: an aligned table, JSON, CSV and LaTeX, each with the recipe that made it."""

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bertflow_core.datasets import SentencePairs
from bertflow_core.experiment import Prepared, Result

__all__ = [
    "WRITERS",
    "ComparisonRow",
    "compare",
    "cut_of",
    "guard_formula",
    "percent",
    "to_csv",
    "to_json",
    "to_latex",
    "to_table",
    "why_unscored",
]

_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_TABLE_HEADER = ("calibrator", "rho x 100", "change", "Pearson", "random cos", "fit s")


def percent(value: float | None) -> str:
    """Write a correlation times 100 with two digits; a dash where it is undefined."""
    return "-" if value is None else f"{100 * value:.2f}"


@dataclass(frozen=True)
class ComparisonRow:
    """A calibrator beside the others; correlations in [-1, 1].

    Attributes:
        calibrator: Its spec.
        rho: Spearman's rho under the recipe's aggregation, None where undefined.
        change: Its difference to the first row's, None in the first row.
        pearson: Pearson's r under the same aggregation.
        random_cosine: Mean cosine of random pairs.
        fit_seconds: Time to fit.
    """

    calibrator: str
    rho: float | None
    change: float | None
    pearson: float | None
    random_cosine: float
    fit_seconds: float


def compare(results: Sequence[Result]) -> list[ComparisonRow]:
    """Put results side by side; the first is the baseline."""
    baseline = results[0].rho
    return [
        ComparisonRow(
            calibrator=result.spec,
            rho=result.rho,
            change=None
            if i == 0 or result.rho is None or baseline is None
            else result.rho - baseline,
            pearson=result.pearson,
            random_cosine=result.random_cosine,
            fit_seconds=result.seconds["fit"],
        )
        for i, result in enumerate(results)
    ]


def to_json(results: Sequence[Result], *, pairs: bool = False) -> str:
    """Return every number with its recipe and provenance; with `pairs` also each pair's cosine."""
    rows = [result.to_dict() for result in results]
    if pairs:
        rows = [
            {**row, "similarity": np.round(result.similarity, 6).tolist()}
            for row, result in zip(rows, results, strict=True)
        ]
    return json.dumps({"results": rows}, indent=2, ensure_ascii=False)


def to_table(results: Sequence[Result]) -> str:
    """Return an aligned table for a terminal; change is against the first row."""
    cells = [_TABLE_HEADER, *_rows(results)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(_TABLE_HEADER))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([*lines, "", *_remarks(results)])


def to_csv(results: Sequence[Result]) -> str:
    """Return a row a result: all aggregations, then the recipe, a column a field."""
    stream = io.StringIO()
    rows = [_flat(result) for result in results]
    writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: guard_formula(v) if isinstance(v, str) else v for k, v in row.items()})
    return stream.getvalue().rstrip("\n")


def to_latex(results: Sequence[Result]) -> str:
    """Return a booktabs table with the recipe as its caption."""
    body = [
        " & ".join(_escape(cell) for cell in (*row[:4], row[5])) + r" \\" for row in _rows(results)
    ]
    header = r"Calibrator & $\rho \times 100$ & Change & Pearson $\times 100$ & Fit (s) \\"
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            r"\begin{tabular}{lrrrr}",
            r"\toprule",
            header,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            rf"\caption{{{_escape(' '.join(_remarks(results)))}}}",
            r"\end{table}",
        ]
    )


def guard_formula(text: str) -> str:
    """Keep a spreadsheet from reading a text cell as a formula."""
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _rows(results: Sequence[Result]) -> list[tuple[str, ...]]:
    return [
        (
            row.calibrator,
            percent(row.rho),
            "" if row.change is None else f"{100 * row.change:+.2f}",
            percent(row.pearson),
            f"{row.random_cosine:.3f}",
            f"{row.fit_seconds:.2f}",
        )
        for row in compare(results)
    ]


def _remarks(results: Sequence[Result]) -> list[str]:
    """Say what the numbers depend on, what is missing or was cut, and what a fit met."""
    first = results[0]
    prepared, recipe = first.prepared, first.recipe
    remarks = [
        f"{recipe.dataset} {recipe.split}, {prepared.pairs.size}, aggregation "
        f"{recipe.aggregation}; {recipe.model}, {recipe.layers}, {recipe.tokens} tokens, at most "
        f"{recipe.max_length} tokens, {recipe.dtype}; seed {recipe.seed}.",
        f"Fitted on {prepared.corpus.description}",
        f"{cut_of(prepared)}.",
    ]
    if prepared.pairs.gold is None:
        remarks.append(why_unscored(prepared.pairs))
    return remarks + [f"{r.spec}: {note}." for r in results for note in r.calibrator.notes_]


def why_unscored(pairs: SentencePairs) -> str:
    """Say why pairs without gold scores, or single sentences, have no rho."""
    if pairs.is_paired:
        return (
            "Rho and Pearson's r are not available: they need gold scores, and no column of them "
            "was named (--score)."
        )
    return "Rho and Pearson's r are not available: they need pairs of sentences with gold scores."


def cut_of(prepared: Prepared) -> str:
    """Say how many sentences were longer than the encoder's longest input."""
    return (
        f"{prepared.n_cut:,} of {prepared.n_sentences:,} distinct sentences were cut to "
        f"{prepared.recipe.max_length} tokens"
    )


def _flat(result: Result) -> dict[str, str | float | int | None]:
    scores = result.scores
    row: dict[str, str | float | int | None] = {"spec": result.spec, "n_pairs": scores.n_pairs}
    for name, values in (("spearman", scores.spearman), ("pearson", scores.pearson)):
        row |= {f"{name}_{how}": getattr(values, how) for how in ("all", "mean", "wmean")}
        row |= {f"{name}_subset_{subset}": value for subset, value in values.subsets.items()}
    row |= {"random_cosine": result.random_cosine, "n_cut": result.prepared.n_cut}
    row |= {f"seconds_{stage}": seconds for stage, seconds in result.seconds.items()}
    row |= {f"recipe_{field}": value for field, value in result.recipe.to_dict().items()}
    return row


def _escape(text: str) -> str:
    return re.sub(r"[\\~^&%$#_{}]", lambda found: _LATEX.get(found[0], "\\" + found[0]), text)


WRITERS: dict[str, Callable[[Sequence[Result]], str]] = {
    "table": to_table,
    "json": to_json,
    "csv": to_csv,
    "latex": to_latex,
}
