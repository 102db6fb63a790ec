"""Tables with labels in place of scores: AUC under its own name, and who passes them over."""

import pytest
from app_pages import calibrate, clear_server, go, open_page, press, use_table
from sklearn.metrics import roc_auc_score

WORDS = "cat dog sun moon red blue sings sleeps rains shines bread house".split()
ROWS = [
    (f"the {a} and the {b}", f"a {b if i % 3 else c} here", ("yes", "no")[i % 2])
    for i, (a, b, c) in enumerate(zip(WORDS * 3, WORDS[1:] * 3, WORDS[5:] * 4, strict=False))
][:28]
NAMED = "\n".join(["sentence1,sentence2,label", *map(",".join, ROWS)]).encode()


@pytest.fixture
def page():
    clear_server()
    page = use_table(open_page("data"), "mine.csv", NAMED)
    assert "labels: 14 pairs that belong together, 14 that do not" in texts(page)
    return page


def texts(page):
    shown = (*page.markdown, *page.text, *page.caption, *page.error, *page.info, *page.subheader)
    return " ".join(element.value for element in shown)


def test_calibrate_shows_auc_beside_word_overlap_and_no_rho(page):
    report = calibrate(page, "standardize")
    (table,) = (f.value for f in page.dataframe if "score" in f.value)
    rows = ["identity", "identity", "standardize", "lexical-jaccard", "lexical-coverage"]
    assert list(table["calibrator"]) == rows
    assert "r" not in table or table["r"].isna().all()
    labels = [label == "yes" for *_, label in ROWS]
    spaces = [report.live["plain"], *report.live["spaces"]]
    expected = [100 * roc_auc_score(labels, each.similarity) for each in spaces]
    assert list(table["score"])[:3] == pytest.approx(expected)
    assert "rho" not in texts(page)
    assert any("AUC x 100" in chart.proto.spec for chart in page.get("plotly_chart"))
    assert "--lexical" in page.code[-1].value


@pytest.mark.parametrize(
    ("name", "button", "words"),
    [
        ("compare", "Compare", "AUC x 100"),
        ("ledger", "Account for every pair", "has labels and no gold scores"),
    ],
)
def test_other_pages_name_it_or_say_why_they_pass_it_over(page, name, button, words):
    go(page, name)
    press(page, button)
    assert words in texts(page)
