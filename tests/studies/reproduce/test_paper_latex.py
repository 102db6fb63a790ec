"""LaTeX of reproduced tables in the form of the paper."""

from bertflow_core.studies.reproduce.items import Item
from bertflow_core.studies.reproduce.latex import Style
from bertflow_core.studies.reproduce.report import reproduction_report
from bertflow_core.studies.reproduce.result import Cell, Line, Origin, Reproduction, number

ITEM = Item("table2", "Table 2: a title with 5 % in it", "", ("It differs.",))
MADE = Reproduction(
    columns=("STS-B", "SICK-R"),
    lines=(
        Line(Origin.PUBLISHED, "BERT_base", "BERT_base", (number(47.29), number(58.21))),
        Line(
            Origin.PUBLISHED,
            "BERT_base",
            "BERT_base-flow",
            (number(70.72, baseline=59.04), number(63.11, baseline=63.75)),
        ),
        Line(Origin.PUBLISHED, "BERT_large", "BERT_large", (number(46.99), number(53.74))),
        Line(
            Origin.OURS, "minilm", "minilm", (number(82.031, interval=(80.1, 83.9)), number(None))
        ),
        Line(Origin.OURS, "minilm", "minilm-flow", (number(82.029, baseline=82.03), Cell("x & y"))),
    ),
    recipe=("A recipe.",),
    missing=("SICK-R is missing.",),
    is_best_bold=True,
)


def latex(style):
    report = reproduction_report(ITEM, MADE, command="bertflow-lab reproduce table2", style=style)
    return report.write("latex")


def test_the_paper_s_form_is_grouped_with_the_best_in_bold_and_no_column_of_ours():
    text = latex(Style.PAPER)
    body = text[text.index(r"\toprule") : text.index(r"\bottomrule")].splitlines()
    assert r"\begin{tabular}{lrr}" in text
    assert body == [
        r"\toprule",
        r"Method & STS-B & SICK-R \\",
        r"\midrule",
        r"\multicolumn{3}{c}{\textit{Published}} \\",
        r"\midrule",
        r"BERT\textsubscript{base} & 47.29 & 58.21 \\",
        r"BERT\textsubscript{base}-flow & \textbf{70.72} ($\uparrow$) "
        r"& \textbf{63.11} ($\downarrow$) \\",
        r"\midrule",
        r"BERT\textsubscript{large} & 46.99 & 53.74 \\",
        r"\midrule",
        r"\multicolumn{3}{c}{\textit{Our measurement}} \\",
        r"\midrule",
        # Both are printed alike, so both are the best; 0.001 less is no change.
        r"minilm & \textbf{82.03} & - \\",
        r"minilm-flow & \textbf{82.03} & x \& y \\",
    ]
    assert r"5 \% in it" in text
    assert text.startswith("% SICK-R is missing.\n% It differs.\n\\begin{table}\n")
    assert "80.10" not in text


def test_the_full_form_has_intervals_and_who_measured():
    text = latex(Style.FULL)
    assert r"ours & minilm & minilm & 82.03 [80.10, 83.90] & - \\" in text
    assert r"\textbf" not in text


def test_every_other_form_shows_ours_with_intervals_and_every_difference():
    report = reproduction_report(ITEM, MADE, command="c", style=Style.PAPER)
    for form in ("table", "markdown"):
        text = report.write(form).replace("\\", "")
        assert "82.03 [80.10, 83.90]" in text
        assert "It differs." in text
    assert "ours,minilm,minilm,STS-B,82.031" in report.write("csv")
