"""Tables with labels, without gold scores, of single sentences; the command that a page prints."""

import io
import json
import shlex

import numpy as np
import pandas as pd
import pytest
from app_pages import calibrate, clear_server, go, jobs, open_page, press, texts, use_table
from bertflow_app.pages.tune import take_home
from sklearn.metrics import roc_auc_score

from bertflow_core.cli import main

WORDS = "cat dog sun moon red blue sings sleeps rains shines bread house".split()
SENTENCES = [f"the {a} and the {b}" for a in WORDS for b in WORDS if a < b][:28]
IS_SAME = [True, False] * 14
LABELLED = pd.DataFrame(
    {
        "sentence1": SENTENCES,
        "sentence2": SENTENCES[1:] + SENTENCES[:1],
        "label": np.where(IS_SAME, "yes", "no"),
    }
)
SINGLE = pd.DataFrame({"words": SENTENCES[:24]})
PAIRS = pd.DataFrame({"sentence1": SENTENCES[:24:2], "sentence2": SENTENCES[1:24:2]})


@pytest.fixture
def page():
    clear_server()
    return open_page("data")


def use(page, frame):
    return use_table(page, "mine.csv", frame.to_csv(index=False).encode())


def metrics(page):
    return {metric.label: metric.value for metric in page.metric}


def scores(page):
    return next(found.value for found in page.dataframe if "score" in found.value)


def test_labels_give_auc_beside_word_overlap_and_no_rho(page):
    use(page, LABELLED)
    assert "labels: 14 pairs that belong together, 14 that do not" in texts(page)
    report = calibrate(page, "standardize")
    table = scores(page)
    rows = ["identity", "identity", "standardize", "lexical-jaccard", "lexical-coverage"]
    assert list(table["calibrator"]) == rows
    assert "r" not in table or table["r"].isna().all()
    spaces = [report.live["plain"], *report.live["spaces"]]
    expected = [100 * roc_auc_score(IS_SAME, each.similarity) for each in spaces]
    assert list(table["score"])[:3] == pytest.approx(expected)
    shown = (*page.markdown, *page.text, *page.caption, *page.error, *page.info, *page.subheader)
    assert not any("rho" in each.value for each in shown)
    assert any("AUC x 100" in chart.proto.spec for chart in page.get("plotly_chart"))
    assert "--lexical" in page.code[-1].value
    press(go(page, "compare"), "Compare")
    assert "AUC x 100" in texts(page)
    press(go(page, "ledger"), "Account for every pair")
    assert "has labels and no gold scores" in texts(page)


def test_a_column_of_sentences_is_read(page):
    use(page, SINGLE)
    assert metrics(page)["Rows read"] == "24"
    assert list(page.dataframe[0].value) == ["Sentence"]
    recipe = page.session_state["recipe"]
    assert (recipe.sentence1, recipe.sentence2, recipe.score) == ("words", None, None)
    assert page.selectbox(key="sentence2").options == ["none", "words"]


@pytest.mark.parametrize(
    ("frame", "size", "why"),
    [
        (SINGLE, "24 sentences; 0 of 24", "they need pairs of sentences"),
        (PAIRS, "12 pairs; 0 of 24", "no column of them"),
    ],
    ids=["sentences", "pairs"],
)
def test_what_needs_no_gold_is_shown_and_rho_is_reported_to_be_missing(page, frame, size, why):
    results = calibrate(use(page, frame), "standardize", "null-top-k:k=1").live["spaces"]
    table = scores(page)
    assert table["score"].isna().all()
    cosines = list(table["random_cosine"])[1:]  # after that of the plain output
    assert cosines == pytest.approx([result.random_cosine for result in results], abs=5e-4)
    assert cosines[0] > cosines[1] + 0.2
    said = texts(page)
    assert all(part in said for part in (*size.split("; "), why))
    (histogram,) = page.get("plotly_chart")
    assert "pairs in %" in histogram.proto.spec
    recipe = page.session_state["recipe"]
    assert ("--sentence2" in page.code[-1].value) == (recipe.sentence2 is not None)
    assert "--sentence1" in page.code[-1].value
    can_be_taken_home(page)


def can_be_taken_home(page):
    """Check the files on offer: the vectors in the table's order, and the calibrator."""
    page.query_params["take"] = "null-top-k:k=1"
    press(go(page, "take_home"), "Fit it")
    result = [job.result for job in jobs() if isinstance(job.result, list)][-1][-1]
    vectors = np.load(io.BytesIO(take_home.calibrated_vectors(result)))
    prepared, x = result.prepared, result.prepared.x_fit  # the sentences in their order
    words = "row i is sentence i"
    if prepared.pairs.is_paired:
        x = np.stack([prepared.x_first, prepared.x_second], axis=1).reshape(24, -1)
        words = "pair i is at rows 2 i"
    np.testing.assert_allclose(vectors, result.calibrator.transform(x), atol=1e-5)
    assert words in take_home.vector_rows(result)
    buttons = {b.proto.label: b.proto.help for b in page.get("download_button")}
    assert words in buttons["Vectors under null-top-k:k=1"]
    saved = take_home.saved_calibrator(result)
    header = json.loads(saved[8 : 8 + int.from_bytes(saved[:8], "little")])
    config = json.loads(header["__metadata__"]["bertflow"])
    assert config["recipe"] == result.recipe.to_dict()


BAD = [("", "no first side", 1), ("no score", "at all", None), ("no", "number", "high")]


def test_the_printed_command_gives_the_numbers_of_the_page(page, tmp_path, monkeypatch, capsys):
    good = [(f'{s}, "so"\tit is', f"a {s}\nin two lines", i % 5) for i, s in enumerate(SENTENCES)]
    frame = pd.DataFrame([*good, *BAD], columns=["links", "rechts", "Punkte"])
    name, content = "-my table's.tsv", frame.to_csv(sep="\t", index=False).encode()
    use_table(page, name, content)
    page.selectbox(key="score").select("Punkte").run()
    assert metrics(page)["Rows refused"] == "3"
    report = calibrate(page, "standardize")
    assert report.command in [code.value for code in page.code]
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main([*shlex.split(report.command)[1:], "--format", "json"])
    printed = capsys.readouterr()
    assert left.value.code == 0, printed.err
    assert "3 of 31 rows cannot be used" in printed.err
    _, *shown = json.loads(printed.out)["rows"]  # after the plain output
    assert [each["spearman"]["all"] for each in shown] == [
        pytest.approx(row["score"], abs=1e-12) for row in report.rows[1:]
    ]
