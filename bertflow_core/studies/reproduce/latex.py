"""LaTeX of a table in the paper's style, grouped by encoder.

No number is bold: the tables test no differences, so the best may be tied with the next.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from bertflow_core.report.remark import Kind, texts_of
from bertflow_core.report.report import Column, Report, Row
from bertflow_core.studies.reproduce.items import OURS, PUBLISHED, PaperParams
from bertflow_core.text_table import escape_latex

_BLOCKS = {PUBLISHED: "Published", OURS: "Our measurement"}
_INDEX = re.compile(r"_([a-z]+)")
_NO_CHANGE = 0.005
"""Half a unit of the last published digit; a smaller change has no arrow."""


def paper_latex(report: Report) -> str:
    """Return a booktabs table of two blocks, published and ours.

    A row has `by`, `encoder` and `row`, and for each heading a number, a text or None. The change
    of a number is under HEADING_change. Intervals, which the paper lacks, are left out.
    """
    assert isinstance(report.params, PaperParams)
    numbers = [each for each in report.columns if each.key in report.params.about.columns]
    differences = report.params.about.differences
    about = texts_of(report.remarks, Kind.METHOD)
    caption = " ".join(each for each in about if each not in differences)
    notes = (*texts_of(report.remarks, Kind.MISSING), *differences)
    lines = [f"% {' '.join(note.split())}" for note in notes]
    lines += [r"\begin{table}", r"\centering"]
    lines += [rf"\begin{{tabular}}{{l{'r' * len(numbers)}}}", r"\toprule"]
    lines += [_line(map(_named, ("Method", *(each.header for each in numbers))))]
    for by, title in _BLOCKS.items():
        rows = report.where(by=by)
        if rows:
            span = rf"\multicolumn{{{len(numbers) + 1}}}{{c}}{{\textit{{{title}}}}} \\"
            lines += [r"\midrule", span, *_block(rows, numbers)]
    lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{escape_latex(caption)}}}"]
    return "\n".join([*lines, rf"\label{{tab:{report.name}}}", r"\end{table}"])


def _block(rows: list[Row], columns: Sequence[Column]) -> Iterator[str]:
    for encoder in dict.fromkeys(row["encoder"] for row in rows):
        yield r"\midrule"
        for row in rows:
            if row["encoder"] == encoder:
                yield _line((_named(row["row"]), *(_cell(row, each) for each in columns)))


def _cell(row: Row, column: Column) -> str:
    value, change = row[column.key], row.get(f"{column.key}_change")
    text = escape_latex(column.text(value)).replace("±", r"$\pm$")
    if change is None or abs(change) < _NO_CHANGE:
        return text
    return rf"{text} ($\{'uparrow' if change > 0 else 'downarrow'}$)"


def _line(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _named(name: str) -> str:
    """Return a name in LaTeX, with its index as a subscript and rho as a symbol."""
    escaped = re.sub(r"\brho\b", r"$\\rho$", escape_latex(name))
    return _INDEX.sub(r"\\textsubscript{\1}", escaped.replace(r"\_", "_"))
