"""Collections in the boxes of data, and those that visitors bring: a .zip, or three tables."""

import io
import json
import zipfile

import pytest
from app_pages import calibrate, command_of, go, open_page, press, table, texts
from bertflow_app import uploads

from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe

WORDS = "cat dog sun moon red blue bread house".split()
DOCUMENTS = [{"_id": f"d{i}", "text": f"the {word} and the rain"} for i, word in enumerate(WORDS)]
QUERIES = [{"_id": f"q{i}", "text": f"a {word}"} for i, word in enumerate(WORDS)]
JUDGED = ["query-id\tcorpus-id\tscore", *(f"q{i}\td{i}\t1" for i in range(7))]
TABLES = {
    "corpus.jsonl": "\n".join(map(json.dumps, DOCUMENTS)).encode(),
    "queries.jsonl": "\n".join(map(json.dumps, QUERIES)).encode(),
    "test.tsv": "\n".join(JUDGED).encode(),
}


def zipped(tables):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in tables.items():
            archive.writestr(f"mine/{name.replace('test', 'qrels/test')}", content)
    return stream.getvalue()


def drop(page, files):
    box = next(each for each in page.get("file_uploader") if each.label == "Collection")
    box.set_value([(name, content, "text/plain") for name, content in files.items()]).run()
    assert not page.exception
    return page


@pytest.mark.parametrize(
    ("files", "name"),
    [({"mine.zip": zipped(TABLES)}, "mine.zip"), (TABLES, "collection.zip")],
    ids=["zip", "tables"],
)
def test_a_collection_is_read_scored_and_searched(data_page, files, name, tmp_path):
    page = drop(data_page, files)
    assert "8 documents, 7 queries, 7 relevant pairs." in texts(page)
    assert "1 queries without a relevant document" in texts(page)
    shown = page.dataframe[0].value
    assert shown.to_numpy()[1].tolist() == ["a dog", "the dog and the rain"]
    recipe = page.session_state["recipe"]
    assert (recipe.split, recipe.metric) == ("test", "ndcg")
    page.selectbox(key="query_metric").select("mrr").run()
    report = calibrate(page, "standardize")
    assert f"--dataset {name}" in report.command
    (tmp_path / name).write_bytes(uploads.file_of(recipe.dataset).content)  # as the command has it
    asked = Recipe(dataset=str(tmp_path / name), metric="mrr", layers="layer:4")
    expected = [
        100 * each.score
        for each in Lab().evaluate(asked.each(calibrators=["identity", "standardize"]))
    ]
    assert list(table(page, "score")["score"])[1:] == pytest.approx(expected)
    page.session_state["collection_shown"] = "Hubs and queries"
    press(go(page, "scores"), "Measure")
    assert f"analyse retrieval --dataset {name}" in command_of(page)
    assert "7 queries (1 without a relevant document" in texts(page)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"test.tsv": None}, "'collection.zip' has no qrels/test or qrels"),
        ({"queries.jsonl": b'{"_id": "q0"}\n\xe9'}, "'queries.jsonl' is not UTF-8 text (line 2"),
        ({"corpus.jsonl": b"{\n" * 500_001}, "'corpus.jsonl' has more than 500,000 rows"),
    ],
)
def test_why_a_collection_is_refused_is_one_sentence(data_page, changes, said):
    page = drop(data_page, {k: v for k, v in {**TABLES, **changes}.items() if v is not None})
    assert said in texts(page)
    go(page, "scores")
    assert not page.exception and said in texts(page)


def test_questions_are_chosen_like_any_data(data_page):
    page = data_page
    assert "questions" in page.selectbox(key="dataset").options
    page.selectbox(key="dataset").select("questions").run()
    assert page.selectbox(key="query_metric").options == ["ndcg", "mrr", "recall", "map"]
    assert "questions" in open_page("scores").multiselect(key="more_data").options
    page.query_params["dataset"] = "questions"  # as a browser writes it
    press(go(page, "ledger"), "Account for every pair")
    assert "'questions' has documents and queries" in texts(page)
