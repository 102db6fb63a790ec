"""Tables as text: exact lines, and nothing in a cell that another program would act on."""

import csv
import io
import re
from decimal import Decimal

from hypothesis import example, given, settings
from hypothesis import strategies as st

from bertflow_core.text_table import (
    TextTable,
    change_text,
    escape_latex,
    guard_formula,
    p_text,
    percent,
    to_csv,
    without_guard,
)

TABLE = TextTable(
    ("row", "x_1", "y"), (("a & b", "1.00 ▲", "-"), ("c|d", "10.00", "2")), ("50 % of *all*.",)
)


def test_a_p_value_reads_alike_however_many_resamples_made_it():
    """The smallest p of 2,000 and of 16,000 resamples, by Holm over three and four changes."""
    assert p_text(3 * 2 / 2_001) == p_text(4 * 2 / 16_001) == "< 0.01"
    assert [p_text(p) for p in (0.01, 0.0496, 1.0)] == ["0.010", "0.050", "1.000"]


def test_for_a_terminal_columns_are_aligned_names_left_and_numbers_right():
    assert TABLE.to_text().splitlines() == [
        "row       x_1  y",
        "-----  ------  -",
        "a & b  1.00 ▲  -",
        "c|d     10.00  2",
        "",
        "50 % of *all*.",
    ]


def test_markdown_escapes_what_it_would_read_as_markup():
    assert TABLE.to_markdown().splitlines() == [
        "| row | x\\_1 | y |",
        "| :--- | ---: | ---: |",
        "| a & b | 1.00 ▲ | - |",
        "| c\\|d | 10.00 | 2 |",
        "",
        "50 % of \\*all\\*.",
    ]


def test_latex_is_a_booktabs_table_with_its_caption():
    assert TABLE.to_latex().splitlines() == [
        r"\begin{table}",
        r"\centering",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"row & x\_1 & y \\",
        r"\midrule",
        r"a \& b & 1.00 $\uparrow$ & - \\",
        r"c|d & 10.00 & 2 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\caption{50 \% of *all*.}",
        r"\end{table}",
    ]


def test_latex_writes_correlations_as_formulae_and_special_characters_as_they_are():
    table = TextTable(("row", "rho x 100"), (("rho x 100", "1"),))
    assert r"row & $\rho \times 100$ \\" in table.to_latex().splitlines()
    assert escape_latex(r"\~^") == r"\textbackslash{}\textasciitilde{}\textasciicircum{}"
    assert escape_latex("▼#${}") == r"$\downarrow$\#\$\{\}"


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
