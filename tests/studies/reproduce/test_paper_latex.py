"""LaTeX of reproduced tables in the form of the paper."""

from bertflow_core.report import Column, Report
from bertflow_core.studies.reproduce.items import OURS, PUBLISHED, PaperParams
from bertflow_core.studies.reproduce.latex import paper_latex


def row(by, encoder, label, first, second, **more):
    return {"by": by, "encoder": encoder, "row": label, "STS-B": first, "SICK-R": second, **more}


ENDS = {"STS-B_low": 80.1, "STS-B_high": 83.9}
CHANGES = {"STS-B_change": 70.72 - 59.04, "SICK-R_change": 63.11 - 63.75}
REPORT = Report(
    name="table2",
    params=PaperParams(item="table2"),
    columns=(
        *map(Column, ("by", "encoder", "row")),
        *(Column(name, format=".2f", ends=True) for name in ("STS-B", "SICK-R")),
    ),
    rows=(
        row(PUBLISHED, "BERT_base", "BERT_base", 47.29, 58.21),
        row(PUBLISHED, "BERT_base", "BERT_base-flow", 70.72, 63.11, **CHANGES),
        row(PUBLISHED, "BERT_large", "BERT_large", 46.99, 53.74),
        row(OURS, "minilm", "minilm", 82.031, None, **ENDS),
        row(OURS, "minilm", "minilm-flow", 82.029, "x & y", **{"STS-B_change": -0.002}),
    ),
    remarks=("A title with 5 % in it.", "It differs."),
    facts={"notes": ["It differs."]},
    latex=paper_latex,
)


def test_the_paper_s_form_is_grouped_with_the_best_in_bold_and_no_column_of_ours():
    text = REPORT.write("latex")
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
    assert r"\caption{A title with 5 \% in it.}" in text
    assert text.startswith("% It differs.\n\\begin{table}\n")
    assert "80.10" not in text
    assert "82.03 [80.10, 83.90]" in REPORT.write("table")
