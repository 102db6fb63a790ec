"""LaTeX of a table made again, as the paper prints it: grouped by encoder, the best in bold."""

import re
from collections.abc import Iterator, Sequence

from bertflow_core.report import Column, Form, Report, Row
from bertflow_core.studies.reproduce.items import ITEMS, OURS, PUBLISHED, PaperParams
from bertflow_core.text_table import escape_latex

__all__ = ["paper_latex"]

_BLOCKS = {PUBLISHED: "Published", OURS: "Our measurement"}
_INDEX = re.compile(r"_([a-z]+)")
_NO_CHANGE = 0.005
"""Half the last digit that is printed: a smaller change has no arrow."""


def paper_latex(report: Report) -> str:
    """Return a booktabs table of two blocks, published and ours; of style `full` every column.

    A row has `by`, `encoder`, `row` and a number, a text or None for each heading. The ends of its
    interval are under HEADING_low and HEADING_high, and what it changes under HEADING_change.
    """
    assert isinstance(report.params, PaperParams)
    if report.params.style == "full":
        return report.table.write(Form.LATEX)
    return "\n".join(_lines(report, ITEMS[report.params.item].is_best_bold))


def _lines(report: Report, is_best_bold: bool) -> Iterator[str]:
    numbers, notes = report.columns[3:], report.facts["notes"]
    yield from (f"% {' '.join(note.split())}" for note in notes)
    yield from (r"\begin{table}", r"\centering")
    yield from (rf"\begin{{tabular}}{{l{'r' * len(numbers)}}}", r"\toprule")
    yield _line(map(_named, ("Method", *(each.header for each in numbers))))
    for by, title in _BLOCKS.items():
        if rows := report.where(by=by):
            span = rf"\multicolumn{{{len(numbers) + 1}}}{{c}}{{\textit{{{title}}}}} \\"
            best = {each.key: _highest(rows, each.key) for each in numbers if is_best_bold}
            yield from (r"\midrule", span, *_block(rows, numbers, best))
    caption = " ".join(each for each in report.remarks if each not in notes)
    yield from (r"\bottomrule", r"\end{tabular}")
    yield from (rf"\caption{{{escape_latex(caption)}}}", rf"\label{{tab:{report.name}}}")
    yield r"\end{table}"


def _block(
    rows: Sequence[Row], columns: Sequence[Column], best: dict[str, float | None]
) -> Iterator[str]:
    """Yield the rows of one origin, a rule between encoders."""
    for encoder in dict.fromkeys(row["encoder"] for row in rows):
        yield r"\midrule"
        for row in rows:
            if row["encoder"] == encoder:
                cells = (_cell(row, each, best.get(each.key)) for each in columns)
                yield _line((_named(row["row"]), *cells))


def _highest(rows: Sequence[Row], key: str) -> float | None:
    numbers = [row[key] for row in rows if isinstance(row[key], int | float)]
    return max((round(each, 2) for each in numbers), default=None)


def _cell(row: Row, column: Column, best: float | None) -> str:
    value, change = row[column.key], row.get(f"{column.key}_change")
    text = escape_latex(column.text(value)).replace("±", r"$\pm$")
    if isinstance(value, int | float) and round(value, 2) == best:
        text = rf"\textbf{{{text}}}"
    if change is None or abs(change) < _NO_CHANGE:
        return text
    return rf"{text} ($\{'uparrow' if change > 0 else 'downarrow'}$)"


def _line(cells: Iterator[str] | Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _named(name: str) -> str:
    """Return a name whose index after an underscore is set below, and whose rho is a symbol."""
    escaped = re.sub(r"\brho\b", r"$\\rho$", escape_latex(name))
    return _INDEX.sub(r"\\textsubscript{\1}", escaped.replace(r"\_", "_"))
