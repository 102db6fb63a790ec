"""Tables without gold scores, and of single sentences: usable up to what can be measured."""

import io
import json

import numpy as np
import pytest
from app_pages import calibrate, clear_server, go, jobs, open_page, press, texts, use_table
from bertflow_app.pages.tune import take_home

WORDS = "cat dog sun moon red blue sings sleeps rains shines bread house".split()
SENTENCES = [f"the {a} and the {b}" for a in WORDS for b in WORDS if a < b][:24]
SINGLE = "\n".join(["words", *SENTENCES]).encode()
PAIRS = "\n".join(
    ["sentence1,sentence2", *map(",".join, zip(SENTENCES[::2], SENTENCES[1::2], strict=True))]
).encode()


@pytest.fixture(autouse=True)
def fresh_server():
    clear_server()


@pytest.fixture
def page():
    return open_page("data")


def use(page, content):
    return use_table(page, "mine.csv", content)


def shown(page):
    return next(found.value for found in page.dataframe if "score" in found.value)


def test_a_column_of_sentences_is_read(page):
    use(page, SINGLE)
    assert {m.label: m.value for m in page.metric}["Rows read"] == "24"
    assert list(page.dataframe[0].value) == ["Sentence"]
    recipe = page.session_state["recipe"]
    assert (recipe.sentence1, recipe.sentence2, recipe.score) == ("words", None, None)
    assert page.selectbox(key="sentence2").options == ["none", "words"]


@pytest.mark.parametrize(
    ("content", "size", "why"),
    [
        (SINGLE, "24 sentences; 0 of 24", "they need pairs of sentences"),
        (PAIRS, "12 pairs; 0 of 24", "no column of them"),
    ],
)
def test_what_needs_no_gold_is_shown_and_rho_is_reported_to_be_missing(page, content, size, why):
    results = calibrate(use(page, content), "standardize", "null-top-k:k=1").live["spaces"]
    table = shown(page)
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
