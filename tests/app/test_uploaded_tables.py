"""Visitors' tables of labels, of no gold scores, of single sentences, and vectors of their own."""

import io
import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest
from app_pages import (
    calibrate,
    cells_of,
    command_of,
    finish,
    go,
    jobs,
    metrics,
    press,
    table,
    texts,
    use_table,
)
from bertflow_app.pages.take import export
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score

from bertflow_core.cli import main
from bertflow_core.datasets import Pairs
from bertflow_core.report.report import Report

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


def use(page, frame):
    return use_table(page, "mine.csv", frame.to_csv(index=False).encode())


def test_labels_give_auc_beside_word_overlap_and_no_rho(data_page):
    page = use(data_page, LABELLED)
    assert "labels: 14 matching pairs, 14 others" in texts(page)
    report = calibrate(page, "standardize")
    scores = table(page, "score")
    rows = ["identity", "identity", "standardize", "lexical-jaccard", "lexical-coverage"]
    assert list(scores["calibrator"]) == rows
    assert "r" not in scores or scores["r"].isna().all()
    expected = [100 * roc_auc_score(IS_SAME, each.unit_values) for each in cells_of(report)]
    assert list(scores["score"])[:3] == pytest.approx(expected)
    shown = (*page.markdown, *page.text, *page.caption, *page.error, *page.info, *page.header)
    assert not any("rho" in each.value for each in shown)
    assert any("AUC x 100" in chart.proto.spec for chart in page.get("plotly_chart"))
    assert "--lexical" in command_of(page)
    press(go(page, "ledger"), "Account for every pair")
    assert "has labels of pairs" in texts(page)


def test_labelled_texts_give_accuracy_and_an_answer_about_it(data_page, monkeypatch):
    topics = np.where(["cat" in text or "dog" in text for text in SENTENCES], "animal", "thing")
    page = use(data_page, pd.DataFrame({"text": SENTENCES, "label": topics}))
    n_least = min((topics == "animal").sum(), (topics == "thing").sum())
    assert f"28 texts, 2 labels, the smallest with {n_least}" in texts(page)
    assert list(page.dataframe[0].value) == ["Label", "Sentence"]
    report = calibrate(page, "standardize")
    scores = table(page, "score")["score"]
    assert list(scores)[-1] == pytest.approx(100 * cells_of(report)[-1].unit_values.mean())
    shown = (*page.markdown, *page.text, *page.caption, *page.error, *page.info, *page.header)
    assert not any("rho" in each.value for each in shown)
    press(go(page, "check"), "Check")
    assert "28 texts of mine are too few for a verdict: an accuracy x 100 of" in texts(page)
    assert "Too few texts to say." in texts(page)


def test_a_spreadsheet_is_shown_with_its_scores_first_and_what_was_assumed(data_page):
    sides = {"sentence1": ["Bäume", "Äste"], "sentence2": ["ä", "ö"]}
    frame, stream = pd.DataFrame({**sides, "score": [1.5, 3.5]}), io.BytesIO()
    with pd.ExcelWriter(stream, engine="openpyxl") as writer:
        frame.to_excel(writer, sheet_name="Paare", index=False)
        SINGLE.to_excel(writer, sheet_name="Wörter", index=False)
    page = use_table(data_page, "a.xlsx", stream.getvalue())
    assert metrics(page)["Rows read"] == "2"
    assert "only the first sheet, 'Paare', is read" in texts(page)
    shown = page.dataframe[0].value
    assert list(shown) == ["Gold", "First", "Second"]
    assert shown.to_numpy().tolist() == [[1.5, "Bäume", "ä"], [3.5, "Äste", "ö"]]


@pytest.mark.parametrize(
    ("frame", "shown", "size", "why"),
    [
        (SINGLE, ["Sentence"], "24 sentences; 0 of 24", "no gold scores"),
        (PAIRS, ["First", "Second"], "12 pairs; 0 of 24", "no gold scores"),
    ],
    ids=["sentences", "pairs"],
)
def test_what_needs_no_gold_is_shown_and_taken_home_and_rho_is_reported_to_be_missing(
    data_page, frame, shown, size, why
):
    page = use(data_page, frame)
    assert list(page.dataframe[0].value) == shown
    _, *results = cells_of(calibrate(page, "standardize", "null-top-k:k=1"))
    scores = table(page, "random_cosine")
    assert "score" not in scores  # which no row has
    cosines = list(scores["random_cosine"])[1:]  # after that of the plain output
    assert cosines == pytest.approx([result.random_cosine for result in results], abs=5e-4)
    assert cosines[0] > cosines[1] + 0.2
    said = texts(page)
    assert all(part in said for part in (*size.split("; "), why))
    (histogram,) = page.get("plotly_chart")
    assert "pairs in %" in histogram.proto.spec
    recipe = page.session_state["recipe"]
    assert ("--sentence2" in command_of(page)) == (recipe.sentence2 is not None)
    assert "--sentence1" in command_of(page)
    page.query_params["turn_depth"] = "5"
    page.query_params["tune_shown"] = "Sliders of the flow"
    finish(go(page, "tune"))
    assert not page.exception
    assert metrics(page)["rho x 100"] == "-"
    assert why in texts(page)
    assert "overstated" not in texts(page)

    page.query_params["take"] = "null-top-k:k=1"
    press(go(page, "export"), "Fit it")
    result = [job.result for job in jobs() if isinstance(job.result, list)][-1][-1]
    vectors = np.load(io.BytesIO(export.calibrated_vectors(result)))
    embedded, x = result.embedded, result.embedded.x_fit  # the sentences in their order
    words = "row i is sentence i"
    if isinstance(embedded.data, Pairs):
        x = np.stack([embedded.x_first, embedded.x_second], axis=1).reshape(24, -1)
        words = "pair i is at rows 2 i"
    np.testing.assert_allclose(vectors, result.calibrator.transform(x), atol=1e-5)
    assert words in export.vector_rows(result)
    buttons = {b.proto.label: b.proto.help for b in page.get("download_button")}
    assert words in buttons["Vectors under null-top-k:k=1"]
    saved = export.saved_calibrator(result)
    header = json.loads(saved[8 : 8 + int.from_bytes(saved[:8], "little")])
    config = json.loads(header["__metadata__"]["bertflow"])
    assert config["recipe"] == result.recipe.to_dict()


BAD = [("", "no first side", 1), ("no score", "at all", None), ("no", "number", "high")]


def test_the_printed_command_gives_the_numbers_of_the_page(
    data_page, tmp_path, monkeypatch, capsys
):
    good = [(f'{s}, "so"\tit is', f"a {s}\nin two líñes", i % 5) for i, s in enumerate(SENTENCES)]
    frame = pd.DataFrame([*good, *BAD], columns=["links", "rechts", "Punkte"])
    name, content = "-my table's.tsv", frame.to_csv(sep="\t", index=False).encode("cp1252")
    page = use_table(data_page, name, content)
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
    document = json.loads(printed.out)
    assert any("read as Windows-1252" in remark["text"] for remark in document["remarks"])
    assert "read as Windows-1252" in printed.err
    _, *shown = document["rows"]  # after the plain output
    assert [each["spearman"]["all"] for each in shown] == [
        pytest.approx(row["score"], abs=1e-12) for row in report.rows[1:]
    ]


A, B = np.random.default_rng(0).standard_normal((2, 40, 4)).astype(np.float32) + 1
GOLD = np.linspace(0, 5, 40)
SCORES = pd.DataFrame({"score": GOLD}).to_csv(index=False).encode()


def npy(x):
    stream = io.BytesIO()
    np.save(stream, x)
    return stream.getvalue()


def test_own_vectors_are_calibrated_compared_measured_and_the_command_names_their_files(data_page):
    page = data_page
    for key, name, content in (
        ("vectors_first", "a.npy", npy(A)),
        ("vectors_second", "b,2.npy", npy(B)),
        ("vector_scores", "scores.csv", SCORES),
    ):
        page.file_uploader(key=key).upload(name, content, "application/octet-stream")
    page.run()
    assert metrics(page)["Pairs"] == "40"
    report = calibrate(page, "standardize")
    cosines = (A * B).sum(1) / np.linalg.norm(A, axis=1) / np.linalg.norm(B, axis=1)
    assert report.rows[0]["score"] == pytest.approx(spearmanr(cosines, GOLD).statistic)
    command = command_of(page).split()
    assert command[command.index("--model") + 1] == "vectors:a.npy,b_2.npy"
    assert command[command.index("--dataset") + 1] == "scores.csv"
    for view, button, key in (("scores", "Score", "calibrators"),):
        go(page, view)
        page.multiselect(key=key).set_value(["flow:epochs=1"])
        press(page, button)
        assert not page.error
        assert "fit on more sentences" in texts(page)
        assert "use a larger file of them" in texts(page)
        assert "Fit corpus" not in texts(page)


def test_a_second_set_of_vectors_is_compared_with_the_first_if_it_is_of_the_same_pairs(data_page):
    page, ids = data_page, [f"pair {row}" for row in range(len(A))]

    def named(x, names):
        return pd.DataFrame({"id": names, "vector": list(x)}).to_parquet()

    boxes = {
        "vector_scores": ("scores.csv", SCORES),
        "vectors_first": ("a.parquet", named(A, ids)),
        "vectors_second": ("b.npy", npy(B)),
        "other_vectors_first": ("c.parquet", named(B[:, :3], [*ids[:7], "other", *ids[8:]])),
    }

    def drop(key, name, content):
        page.file_uploader(key=key).set_value((name, content, "application/octet-stream"))

    for key, (name, content) in boxes.items():
        drop(key, name, content)
    page.run()
    assert any("A second encoder needs two more" in each.value for each in page.caption)
    drop("other_vectors_second", "d.npy", npy(A[:, 1:4]))
    finish(page.run())
    assert "row 8 is 'pair 7' in 'a.parquet' and 'other' in 'c.parquet'" in texts(page)
    assert "Pairs" not in metrics(page)
    drop("other_vectors_first", "c.npy", npy(B[:, :3]))
    finish(page.run())
    assert metrics(page)["Pairs"] == "40"
    go(page, "scores")
    page.multiselect(key="calibrators").set_value([])
    press(page, "Score")
    (job,) = (each for each in jobs() if isinstance(each.result, Report))
    board = job.result.objects["board"]
    models = [row.model for row in board.rows.every]
    assert models == ["vectors:a.parquet,b.npy", "vectors:c.npy,d.npy"]
    sides = ((A, B), (B[:, :3], A[:, 1:4]))
    for row, (x, y) in zip(board.rows.every, sides, strict=True):
        cosines = (x * y).sum(1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)
        found = board.scores["scores.csv"][row].value
        assert found == pytest.approx(spearmanr(cosines, GOLD)[0])
    assert re.search(r"vectors:c.npy,d.npy .*(scores|differ) significantly", texts(page))


def test_pages_that_need_words_say_why_own_vectors_are_passed_over(data_page):
    page = data_page
    page.file_uploader(key="vectors_first").upload("one.npy", npy(A), "application/octet-stream")
    page.run()
    of_networks = ("tour", "layers", "words", "wall", "playground")
    for view in (*of_networks, "lexical"):
        go(page, view)
        why = "layers, tokens or word embeddings" if view in of_networks else "about words"
        assert why in page.info[0].value
        assert not page.exception
