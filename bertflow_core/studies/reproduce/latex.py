"""LaTeX as papers print tables: grouped by encoder, the best in bold, no column of our own."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bertflow_core.studies.reproduce.result import Cell, Line, Origin
from bertflow_core.text_table import TextTable, escape_latex

__all__ = ["PaperTable", "Style"]

_INDEX = re.compile(r"_([a-z]+)")
_NO_CHANGE = 0.005
"""Half the last digit that is printed: a smaller change has no arrow."""


class Style(StrEnum):
    """The form of LaTeX: the paper's, or every column with intervals."""

    PAPER = "paper"
    FULL = "full"


@dataclass(frozen=True)
class PaperTable(TextTable):
    """A table whose LaTeX has the form of the paper's; text and Markdown show every column.

    Attributes:
        corner: Heading of the column of names.
        columns: Headings of the numbers.
        lines: The rows, published and ours.
        is_best_bold: Whether the highest number of a column and block is set in bold.
        caption: Under the table.
        notes: Comments above it, a sentence each.
        label: For references to it.
    """

    corner: str = ""
    columns: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    is_best_bold: bool = False
    caption: str = ""
    notes: tuple[str, ...] = ()
    label: str = ""

    def to_latex(self) -> str:
        """Return a booktabs table of two blocks, published and ours, each grouped by encoder."""
        blocks = [[line for line in self.lines if line.origin is origin] for origin in Origin]
        body = [row for block in blocks if block for row in self._block(block)]
        return "\n".join(
            [
                *(f"% {' '.join(note.split())}" for note in self.notes),
                r"\begin{table}",
                r"\centering",
                rf"\begin{{tabular}}{{l{'r' * len(self.columns)}}}",
                r"\toprule",
                _row([self.corner, *self.columns]),
                *body,
                r"\bottomrule",
                r"\end{tabular}",
                rf"\caption{{{escape_latex(self.caption)}}}",
                rf"\label{{{self.label}}}",
                r"\end{table}",
            ]
        )

    def _block(self, lines: Sequence[Line]) -> list[str]:
        """Return a heading and the rows of one origin, a rule between encoders."""
        title = {Origin.PUBLISHED: "Published", Origin.OURS: "Our measurement"}[lines[0].origin]
        span = len(self.columns) + 1
        rows = [r"\midrule", rf"\multicolumn{{{span}}}{{c}}{{\textit{{{title}}}}} \\"]
        best = self._best(lines)
        for group in dict.fromkeys(line.group for line in lines):
            rows.append(r"\midrule")
            rows += [
                _row([line.label], [_printed(*each) for each in zip(line.cells, best, strict=True)])
                for line in lines
                if line.group == group
            ]
        return rows

    def _best(self, lines: Sequence[Line]) -> list[float | None]:
        """Return the highest number of each column; None where there is none, or none is bold."""
        if not self.is_best_bold:
            return [None] * len(self.columns)
        columns = zip(*(line.cells for line in lines), strict=True)
        return [
            max((round(cell.value, 2) for cell in column if cell.value is not None), default=None)
            for column in columns
        ]


def _printed(cell: Cell, best: float | None) -> str:
    text = escape_latex(cell.text).replace("±", r"$\pm$")
    if cell.value is not None and best is not None and round(cell.value, 2) == best:
        text = rf"\textbf{{{text}}}"
    if cell.change is None or abs(cell.change) < _NO_CHANGE:
        return text
    return rf"{text} ($\{'uparrow' if cell.change > 0 else 'downarrow'}$)"


def _row(names: Sequence[str], cells: Sequence[str] = ()) -> str:
    """Return a line of names, whose index after an underscore is set below, and finished cells."""
    return " & ".join([*map(_named, names), *cells]) + r" \\"


def _named(name: str) -> str:
    escaped = re.sub(r"\brho\b", r"$\\rho$", escape_latex(name))
    return _INDEX.sub(r"\\textsubscript{\1}", escaped.replace(r"\_", "_"))
