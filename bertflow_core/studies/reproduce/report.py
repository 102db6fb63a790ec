"""A table or figure made again as a report: ours beside published, and LaTeX as papers print it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bertflow_core.report import Column, Form, Report, Row
from bertflow_core.text_table import escape_latex

__all__ = ["OURS", "PUBLISHED", "PaperReport", "Style"]

PUBLISHED, OURS = "published", "ours"
"""Who measured a row: what stands in its `by`."""

_BLOCKS = {PUBLISHED: "Published", OURS: "Our measurement"}
_INDEX = re.compile(r"_([a-z]+)")
_NO_CHANGE = 0.005
"""Half the last digit that is printed: a smaller change has no arrow."""


class Style(StrEnum):
    """The form of LaTeX: the paper's, or every column with intervals."""

    PAPER = "paper"
    FULL = "full"


@dataclass(frozen=True)
class PaperReport(Report):
    """A report whose LaTeX has the form of the paper's: grouped by encoder, the best in bold.

    A row has `by`, `encoder`, `row` and a number, a text or None for each heading. The ends of its
    interval are under HEADING_low and HEADING_high, and what it changes under HEADING_change.

    Attributes:
        notes: Those of the remarks that stand above the LaTeX as comments, not in its caption.
        is_best_bold: Whether the highest number of a column and block is set in bold.
        style: Of LaTeX.
    """

    notes: tuple[str, ...] = ()
    is_best_bold: bool = False
    style: Style = Style.PAPER

    def write(self, form: str) -> str:
        """Return the report as text in one of the forms of `Form`."""
        if self.style is Style.PAPER and Form(form) is Form.LATEX:
            return "\n".join(self._latex())
        return super().write(form)

    def _latex(self) -> Iterator[str]:
        """Yield the lines of a booktabs table of two blocks, published and ours."""
        numbers = self.columns[3:]
        yield from (f"% {' '.join(note.split())}" for note in self.notes)
        yield from (r"\begin{table}", r"\centering")
        yield from (rf"\begin{{tabular}}{{l{'r' * len(numbers)}}}", r"\toprule")
        yield _line(map(_named, ("Method", *(each.header for each in numbers))))
        for by, title in _BLOCKS.items():
            if rows := self.where(by=by):
                span = rf"\multicolumn{{{len(numbers) + 1}}}{{c}}{{\textit{{{title}}}}} \\"
                yield from (r"\midrule", span, *self._block(rows, numbers))
        caption = " ".join(each for each in self.remarks if each not in self.notes)
        yield from (r"\bottomrule", r"\end{tabular}")
        yield from (rf"\caption{{{escape_latex(caption)}}}", rf"\label{{tab:{self.name}}}")
        yield r"\end{table}"

    def _block(self, rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[str]:
        """Yield the rows of one origin, a rule between encoders."""
        best = {each.key: _highest(rows, each.key) for each in columns if self.is_best_bold}
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
