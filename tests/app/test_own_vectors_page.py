"""Uploaded vectors: data and encoder of the pages that need no words, passed over by the others."""

import io

import numpy as np
import pandas as pd
import pytest
from app_pages import calibrate, clear_server, go, open_page, press, texts
from bertflow_app.navigation import NEED_WORDS
from scipy.stats import spearmanr

A, B = np.random.default_rng(0).standard_normal((2, 40, 4)).astype(np.float32) + 1
GOLD = np.linspace(0, 5, 40)
RHO = spearmanr((A * B).sum(1) / np.linalg.norm(A, axis=1) / np.linalg.norm(B, axis=1), GOLD)


def npy(x):
    stream = io.BytesIO()
    np.save(stream, x)
    return stream.getvalue()


TABLE = pd.DataFrame({"score": GOLD}).to_csv(index=False).encode()
THREE = {
    "vectors_first": ("a.npy", npy(A)),
    "vectors_second": ("b,2.npy", npy(B)),
    "vector_scores": ("scores.csv", TABLE),
}
ONE = {"vectors_first": ("one.npy", npy(A))}


@pytest.fixture(autouse=True)
def fresh_server():
    clear_server()


def use(files):
    page = open_page("data")
    for key, (name, content) in files.items():
        page.file_uploader(key=key).upload(name, content, "application/octet-stream")
    return page.run()


def test_they_are_calibrated_compared_and_measured_and_the_command_names_their_files():
    page = use(THREE)
    assert {m.label: m.value for m in page.metric}["Pairs"] == "40"
    report = calibrate(page, "standardize")
    assert report.rows[0]["score"] == pytest.approx(RHO.statistic)
    command = page.code[-1].value.split()
    assert command[command.index("--model") + 1] == "vectors:a.npy,b_2.npy"
    assert command[command.index("--dataset") + 1] == "scores.csv"
    for view, button, key in (
        ("compare", "Compare", "calibrators"),
        ("sentences", "Measure the sentences", "space_calibrators"),
    ):
        go(page, view)
        page.multiselect(key=key).set_value(["flow:epochs=1"])
        press(page, button)
        assert not page.error
        assert "fit on more sentences" in texts(page)
        assert "upload a larger file of them" in texts(page)
        assert "Fit corpus" not in texts(page)


def test_pages_that_need_words_say_why_they_are_passed_over():
    page = use(ONE)
    for view, why in NEED_WORDS.items():
        go(page, view)
        assert why in page.info[0].value
        assert not page.exception
