"""Results as rows and as text: exact lines, and no cell that another program would execute."""

import csv
import io
import re
from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bertflow_core.evaluation.metrics import Correlations, StsScores
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Report, Table
from bertflow_core.text_table import TextTable, guard_formula, to_csv, without_guard
from bertflow_core.wording import change_text, p_text, percent

TABLE = TextTable(
    ("row", "x_1", "rho x 100"),
    (("a & b", "1.00 ▲", "-"), ("c|d", "10.00 ▼", "2")),
    ("50 % of *all*.", r"\~^#${}"),
)


def test_columns_of_texts_at_the_left_are_names_and_those_after_a_number_are_not():
    columns = [Column(key) for key in ("layers", "change", "n", "calibrator")]
    rows = [("last", None, 3, "whiten"), ("last2", "up", 4, "flow")]
    named = [dict(zip("layers change n calibrator".split(), row, strict=True)) for row in rows]
    assert Table(columns, named).as_text().n_labels == 2
    assert Table(columns[:2], named).as_text().n_labels == 2


def test_a_p_value_reads_alike_however_many_resamples_made_it():
    """The smallest Holm-adjusted p of three changes with 2,000 resamples, of four with 16,000."""
    assert p_text(3 * 2 / 2_001) == p_text(4 * 2 / 16_001) == "< 0.01"
    assert [p_text(p) for p in (0.01, 0.0496, 1.0)] == ["0.010", "0.050", "1.000"]


TEXTS = {
    "to_text": """\
row        x_1  rho x 100
-----  -------  ---------
a & b   1.00 ▲          -
c|d    10.00 ▼          2

50 % of *all*.
\\~^#${}""",
    "to_markdown": r"""| row | x\_1 | rho x 100 |
| :--- | ---: | ---: |
| a & b | 1.00 ▲ | - |
| c\|d | 10.00 ▼ | 2 |

50 % of \*all\*.
\\\~^#\${}""",
    "to_latex": r"""\begin{table}
\centering
\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
\begin{tabular}{lrr}
\toprule
row & x\_1 & $\rho \times 100$ \\
\midrule
a \& b & 1.00 $\uparrow$ & - \\
c|d & 10.00 $\downarrow$ & 2 \\
\bottomrule
\end{tabular}}
\caption{50 \% of *all*.}
% \~^#${}
\end{table}""",
}


@pytest.mark.parametrize("form", TEXTS)
def test_names_stand_left_and_numbers_right_and_markup_is_escaped(form):
    assert getattr(TABLE, form)().rstrip("\n") == TEXTS[form]


def test_csv_has_every_key_guards_text_and_leaves_none_empty():
    text = to_csv([{"a": "=1", "b": -1.5}, {"b": None, "@c": "x,y"}])
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [["a", "b", "'@c"], ["'=1", "-1.5", ""], ["", "", "x,y"]]


@settings(max_examples=40)
@given(st.lists(st.text("\r\n\",'=a"), min_size=2, max_size=2))
def test_every_row_of_csv_is_one_row_again(cells):
    text = to_csv([dict(zip("ab", cells, strict=True))])
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert [[without_guard(cell) for cell in row] for row in rows] == [["a", "b"], cells]


@given(st.text("'=+-@\t\r a"))
def test_a_guard_comes_off_again(text):
    assert without_guard(guard_formula(text)) == text
    assert (guard_formula(text) != text) == bool(re.match(r"'*[=+\-@\t\r]", text))
    assert not re.match(r"[=+\-@\t\r]", guard_formula(text))


@given(st.floats(-1, 1), st.floats(-1, 1))
@example(0.70814, 0.78736)  # 70.81 to 78.74: +7.93, though the exact change is +7.92
def test_a_change_is_that_of_the_two_numbers_as_they_are_shown(before, after):
    text = change_text(before, after)
    assert Decimal(text) == Decimal(percent(after)) - Decimal(percent(before))
    assert re.fullmatch(r"[+-]\d+\.\d\d", text) and text != "-0.00"


def test_a_notebook_shows_every_text_as_it_is():
    text, columns = "<b>a & b</b>", [Column("said", "<i>")]
    rows = [{"said": text}]
    tables = (Table(columns, rows, remarks=remarks_of(Kind.METHOD, f"{text}.")),)
    said = {
        "title": text,
        "remarks": remarks_of(Kind.METHOD, text),
        "command": text,
        "tables": tables,
    }
    report = Report("name", Recipe(), columns, rows, **said)
    shown = [*ET.fromstring(f"<div>{report._repr_html_()}</div>").itertext()]
    assert shown == [text, "<i>", text, text, "<i>", text, f"{text}.", text]


@pytest.mark.parametrize(
    "name", ["a,b", 'say "x"', "two\nlines", "=1+1", " ", "\u00fc", "all", "mean", "wmean"]
)
def test_a_subset_may_be_called_anything_and_hides_no_aggregation(name):
    scores = StsScores(3, *[Correlations(0.5, 0.5, 0.5, {name: 0.75})] * 2)
    report = Report("name", Recipe(), (), [scores.to_dict()])
    (row,) = csv.DictReader(io.StringIO(report.write("csv")))
    assert row[f"spearman_subsets_{name}"] == "0.75"
    assert row["spearman_all"] == row["spearman_mean"] == row["spearman_wmean"] == "0.5"
