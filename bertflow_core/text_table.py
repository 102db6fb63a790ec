"""Text tables for the terminal, Markdown and LaTeX; records as CSV."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_MATH = {"rho x 100": r"$\rho \times 100$", "rho": r"$\rho$"}
_SIGNS = {"▲": r"$\uparrow$", "▼": r"$\downarrow$", "<": "$<$", ">": "$>$"}
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""The beginning of a formula, perhaps behind apostrophes.

`guard_formula` puts one apostrophe before such a text, so that removing one restores it.
"""

_LATEX_SPECIAL = re.compile(r"[\\~^&%$#_{}▲▼<>]")
_MARKDOWN_SPECIAL = re.compile(r"[\\|`*_<>\[\]$~]")


def guard_formula(text: str) -> str:
    """Put an apostrophe before a text cell that a spreadsheet would read as a formula."""
    return "'" + text if _FORMULA.match(text) else text


def without_guard(text: str) -> str:
    """Undo `guard_formula`."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text) else text


def escape_latex(text: str) -> str:
    """Return text that LaTeX prints unchanged; arrows become LaTeX's own."""
    return _LATEX_SPECIAL.sub(
        lambda match: _SIGNS.get(match[0]) or _LATEX.get(match[0], "\\" + match[0]), text
    )


def _escape_markdown(text: str) -> str:
    """Return text on one line that Markdown shows unchanged, without markup, formula or HTML."""
    return _MARKDOWN_SPECIAL.sub(lambda match: "\\" + match[0], " ".join(text.split()))


def to_csv(records: Sequence[Mapping[str, object]]) -> str:
    """Return CSV with a row per record and a column per key; None is empty, formulas are text."""
    names = list(dict.fromkeys(name for record in records for name in record))
    rows = [[record.get(name) for name in names] for record in records]
    return "\n".join([_csv_line(names), *map(_csv_line, rows)])


def _csv_line(cells: Sequence[object]) -> str:
    """Return one row of CSV; cells that contain a carriage return or a newline are quoted."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")  # decides which cells are quoted
    writer.writerow([guard_formula(cell) if isinstance(cell, str) else cell for cell in cells])
    return stream.getvalue().removesuffix("\r\n")


@dataclass(frozen=True)
class TextTable:
    """A table of text cells between its remarks."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()  # sentences on what the numbers depend on
    above: tuple[str, ...] = ()  # those of the remarks that stand above the table
    n_labels: int = 1  # how many leading columns hold names; the others hold numbers

    def write(self, form: str) -> str:
        """Return the table as `table`, `markdown` or `latex`."""
        writers = {"table": self.to_text, "markdown": self.to_markdown, "latex": self.to_latex}
        return writers[form]()

    def to_text(self) -> str:
        """Return aligned lines for a terminal."""
        columns = [*zip(self.header, *self.rows, strict=True)]
        for i, column in enumerate(columns):
            width, put = max(map(len, column)), str.ljust if i < self.n_labels else str.rjust
            head, *cells = (put(cell, width) for cell in column)
            columns[i] = (head, "-" * width, *cells)
        lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
        return self._between_remarks(lines)

    def to_markdown(self) -> str:
        """Return a GitHub-flavoured table."""
        rule = [":---" if i < self.n_labels else "---:" for i in range(len(self.header))]
        header, *rows = (map(_escape_markdown, row) for row in (self.header, *self.rows))
        lines = [f"| {' | '.join(cells)} |" for cells in (header, rule, *rows)]
        remarks, above = (tuple(map(_escape_markdown, each)) for each in (self.remarks, self.above))
        return replace(self, remarks=remarks, above=above)._between_remarks(lines)

    def _between_remarks(self, lines: Sequence[str]) -> str:
        others = [each for each in self.remarks if each not in self.above]
        return "\n".join([*self.above, *[""] * bool(self.above), *lines, "", *others])

    def to_latex(self) -> str:
        """Return a table for LaTeX with the packages booktabs and graphicx.

        The first remark is its caption, the others are comments. A table that is wider than the
        text is scaled to its width.
        """
        columns = "l" * self.n_labels + "r" * (len(self.header) - self.n_labels)
        header, *body = (
            " & ".join(_MATH.get(cell, escape_latex(cell)) for cell in row) + r" \\"
            for row in (self.header, *self.rows)
        )
        return "\n".join(
            [
                r"\begin{table}",
                r"\centering",
                r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
                rf"\begin{{tabular}}{{{columns}}}",
                r"\toprule",
                header,
                r"\midrule",
                *body,
                r"\bottomrule",
                r"\end{tabular}}",
                *(rf"\caption{{{escape_latex(text)}}}" for text in self.remarks[:1]),
                *(f"% {' '.join(text.split())}" for text in self.remarks[1:]),
                r"\end{table}",
            ]
        )
