"""A table of text in the forms that people paste: terminal, Markdown, LaTeX; and records as CSV."""

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = [
    "TextTable",
    "escape_latex",
    "guard_formula",
    "percent",
    "table_of",
    "to_csv",
    "to_json",
]

_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_MATH = {"rho x 100": r"$\rho \times 100$", "rho": r"$\rho$"}
_ARROWS = {"▲": r"$\uparrow$", "▼": r"$\downarrow$"}
_LATEX_SPECIAL = re.compile(r"[\\~^&%$#_{}▲▼]")
_MARKDOWN_SPECIAL = re.compile(r"[\\|`*_<>\[\]$~]")


def percent(value: float | None) -> str:
    """Write a correlation times 100 with two digits; a dash where it is undefined."""
    return "-" if value is None else f"{100 * value:.2f}"


def guard_formula(text: str) -> str:
    """Keep a spreadsheet from reading a text cell as a formula."""
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def escape_latex(text: str) -> str:
    """Return text that LaTeX prints as it is; arrows become its own."""
    return _LATEX_SPECIAL.sub(
        lambda found: _ARROWS.get(found[0]) or _LATEX.get(found[0], "\\" + found[0]), text
    )


def _escape_markdown(text: str) -> str:
    """Return text, on one line, that Markdown shows as it is: no markup, formula or HTML."""
    return _MARKDOWN_SPECIAL.sub(lambda found: "\\" + found[0], " ".join(text.split()))


def to_csv(
    records: Sequence[Mapping[str, object]], shared: Mapping[str, object] | None = None
) -> str:
    """Return a line a record under a header of all their keys; text is guarded, None is empty.

    Args:
        records: A line each.
        shared: Columns that are the same in every line, such as a recipe's.
    """
    records = [{**record, **(shared or {})} for record in records]
    names = list(dict.fromkeys(name for record in records for name in record))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=names, lineterminator="\n")
    writer.writerow({name: guard_formula(name) for name in names})
    for record in records:
        writer.writerow(
            {k: guard_formula(v) if isinstance(v, str) else v for k, v in record.items()}
        )
    return stream.getvalue().rstrip("\n")


def to_json(records: Sequence[Mapping[str, object]], shared: Mapping[str, object]) -> str:
    """Return the records as JSON, and once what they share."""
    return json.dumps({**shared, "records": list(records)}, indent=2, ensure_ascii=False)


def table_of(records: Sequence[Mapping[str, object]], remarks: Sequence[str]) -> "TextTable":
    """Lay records down, a line each, under a header of all their keys.

    Args:
        records: Numbers are written with up to six digits, None as a dash.
        remarks: What they depend on, a sentence each.
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    rows = tuple(tuple(_cell(record.get(name)) for name in names) for record in records)
    return TextTable(tuple(names), rows, tuple(remarks))


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class TextTable:
    """Cells that are already text, and what must be said under them.

    Attributes:
        header: A name a column.
        rows: Lines as long as the header.
        remarks: What the numbers depend on, a sentence each.
        n_labels: Columns at the left that hold names; the rest hold numbers.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()
    n_labels: int = 1

    def write(self, form: str) -> str:
        """Return it as `table`, `markdown` or `latex`."""
        writers = {"table": self.to_text, "markdown": self.to_markdown, "latex": self.to_latex}
        return writers[form]()

    def to_text(self) -> str:
        """Return aligned lines for a terminal."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = [self._aligned(row, widths) for row in (self.header, *self.rows)]
        lines.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join([*lines, "", *self.remarks])

    def _aligned(self, row: tuple[str, ...], widths: Sequence[int]) -> str:
        cells = (
            cell.ljust(width) if i < self.n_labels else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        return "  ".join(cells).rstrip()

    def to_markdown(self) -> str:
        """Return a GitHub-flavoured table, the remarks under it."""
        rule = [":---" if i < self.n_labels else "---:" for i in range(len(self.header))]
        lines = [self._piped(row) for row in (self.header, *self.rows)]
        lines.insert(1, "| " + " | ".join(rule) + " |")
        return "\n".join([*lines, "", *map(_escape_markdown, self.remarks)])

    def _piped(self, row: Sequence[str]) -> str:
        return "| " + " | ".join(map(_escape_markdown, row)) + " |"

    def to_latex(self) -> str:
        """Return a booktabs table with the remarks as its caption."""
        columns = "l" * self.n_labels + "r" * (len(self.header) - self.n_labels)
        header, *body = (
            " & ".join(_MATH.get(cell, escape_latex(cell)) for cell in row) + r" \\"
            for row in (self.header, *self.rows)
        )
        return "\n".join(
            [
                r"\begin{table}",
                r"\centering",
                rf"\begin{{tabular}}{{{columns}}}",
                r"\toprule",
                header,
                r"\midrule",
                *body,
                r"\bottomrule",
                r"\end{tabular}",
                rf"\caption{{{escape_latex(' '.join(self.remarks))}}}",
                r"\end{table}",
            ]
        )
