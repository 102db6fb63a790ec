"""`-`: what is read from standard input and written to standard output is what files give."""

import io
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from tiny_pairs import pair_rows, write_pairs


class Stdin(io.TextIOWrapper):
    """Standard input that holds some bytes."""

    def __init__(self, content):
        super().__init__(io.BytesIO(content))


@pytest.fixture
def feed(monkeypatch):
    """Let the next command read this on standard input."""

    def give(content):
        raw = content if isinstance(content, bytes) else content.read_bytes()
        monkeypatch.setattr("sys.stdin", Stdin(raw))
        return "-"

    return give


@pytest.fixture
def written(works, monkeypatch):
    """Run a command and return the array that it writes to standard output."""

    def run(*args):
        stream = io.TextIOWrapper(io.BytesIO())
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout", stream)
            with pytest.raises(SystemExit) as left:
                from bertflow_core.cli import main

                main([*map(str, args), "--out", "-"])
        assert left.value.code == 0
        stream.seek(0)
        return np.load(io.BytesIO(stream.buffer.read()), allow_pickle=False)

    return run


def frames(table):
    frame = pd.read_csv(table)
    return {
        "csv": table.read_bytes(),
        "tsv": frame.to_csv(sep="\t", index=False).encode(),
        "jsonl": frame.to_json(orient="records", lines=True).encode(),
        "parquet": frame.to_parquet(),
    }


def rhos(text):
    return [each["spearman"]["all"] for each in json.loads(text)["results"]]


@pytest.mark.parametrize("kind", ["tsv", "jsonl", "parquet"])
def test_a_table_is_scored_whatever_its_format(works, feed, table, tiny, kind):
    options = (*tiny, "--calibrator", "standardize", "--format", "json")
    expected = works("evaluate", "--dataset", table, *options)
    shown = works("evaluate", "--dataset", feed(frames(table)[kind]), *options)
    assert rhos(shown) == rhos(expected)
    assert {each["recipe"]["dataset"] for each in json.loads(shown)["results"]} == {"-"}


def test_compare_takes_one_table_beside_others(works, feed, here, table, tiny):
    write_pairs(here / "other.csv", pair_rows(12))
    options = ("--dataset", "other.csv", *tiny, "--calibrator", "standardize", "--format", "csv")
    expected = pd.read_csv(io.StringIO(works("compare", "--dataset", table, *options)))
    shown = pd.read_csv(io.StringIO(works("compare", "--dataset", feed(table), *options)))
    numbers = list(expected.select_dtypes("float").filter(regex="^(?!.*seconds)"))
    assert len(numbers) >= 1
    pd.testing.assert_frame_equal(shown[numbers], expected[numbers])
    assert "'-" in set(shown.recipe_dataset)  # a spreadsheet must not take it for a formula


def test_sentences_are_embedded_and_vectors_written(works, feed, written, sentences, tiny):
    works("embed", sentences, *tiny, "--out", "x.npy")
    expected = np.load("x.npy")
    np.testing.assert_array_equal(written("embed", feed(sentences), *tiny), expected)
    rows = [{"id": i, "text": line} for i, line in enumerate(sentences.read_text().splitlines())]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    np.testing.assert_array_equal(written("embed", feed(lines), *tiny), expected)
    text = ("id,body\n" + "".join(f"{row['id']},{row['text']}\n" for row in rows)).encode()
    np.testing.assert_array_equal(written("embed", feed(text), "--column", "body", *tiny), expected)


def test_vectors_and_sentences_are_calibrated_in_a_pipe(
    works, feed, written, table, sentences, tiny
):
    works("fit", *tiny, "--dataset", feed(table), "--calibrator", "whiten", "--out", "c")
    works("embed", sentences, *tiny, "--out", "x.npy")
    works("calibrate", "x.npy", "--calibrator", "c", "--out", "z.npy")
    with open("x.npy", "rb") as stream:
        x = stream.read()
    np.testing.assert_array_equal(
        written("calibrate", feed(x), "--calibrator", "c"), np.load("z.npy")
    )
    np.testing.assert_array_equal(
        written("calibrate", feed(sentences), "--calibrator", "c"), np.load("z.npy")
    )


def test_a_fit_corpus_and_vectors_to_fit_on_may_come_in(works, lab, feed, table, sentences, tiny):
    works("fit", *tiny, "--fit-on", sentences, "--calibrator", "whiten", "--out", "a")
    fitted = lab("fit", *tiny, "--fit-on", feed(sentences), "--calibrator", "whiten", "--out", "b")
    assert "fitted on 5 sentences" in fitted.err
    works("embed", sentences, *tiny, "--out", "x.npy")
    with open("x.npy", "rb") as stream:
        given = lab("fit", feed(stream.read()), "--calibrator", "whiten", "--out", "c")
    assert "fitted on 5 vectors" in given.err
    for name in "abc":
        works("calibrate", "x.npy", "--calibrator", name, "--out", f"{name}.npy")
        np.testing.assert_array_equal(np.load(f"{name}.npy"), np.load("a.npy"))


@pytest.mark.parametrize(
    "args",
    [
        ("evaluate", "--dataset", "-", "--fit-on", "-"),
        ("compare", "--dataset", "-", "--dataset", "-"),
        ("compare", "--dataset", "-", "--fit-on", "-"),
        ("fit", "--dataset", "-", "--fit-on", "-", "--out", "c"),
        ("evaluate", "--vectors", "-", "-", "--gold", "g.csv"),
    ],
)
def test_standard_input_is_read_for_one_thing_only(refuses, no_embedding, feed, table, args):
    feed(table)
    refuses(*args, words="- is given more than once")


@pytest.mark.parametrize(
    ("content", "args", "words"),
    [
        (b"", ("evaluate", "--dataset", "-"), "standard input is empty"),
        (b"\xff\xfea\0", ("embed", "-", "--out", "x.npy"), "UTF-16"),
        (b"a\n\nb\n", ("embed", "-", "--out", "x.npy"), "row 2"),
        (b"PK\x03\x04", ("evaluate", "--dataset", "-"), "Excel"),
        (b"one\ntwo\n", ("evaluate", "--dataset", "-"), "'stdin.csv'"),
        (b"one\n", ("fit", "--out", "-"), "a calibrator is a folder"),
        (b"\x93NUMPY\x01", ("evaluate", "--dataset", "-"), "'stdin.npy'"),
    ],
)
def test_bad_input_gives_a_sentence(refuses, no_embedding, feed, content, args, words):
    feed(content)
    refuses(*args, words=words)


def test_a_terminal_is_neither_waited_for_nor_filled(refuses, no_embedding, monkeypatch, sentences):
    class Terminal(Stdin):
        def isatty(self):
            return True

    monkeypatch.setattr("sys.stdin", Terminal(b""))
    refuses("evaluate", "--dataset", "-", words="standard input is a terminal")
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        refuses("embed", sentences, "--out", "-", words="standard output is a terminal")


@pytest.mark.campaign
def test_a_real_pipe_carries_nothing_but_the_file(sentences, tiny):
    command = [sys.executable, "-c", "from bertflow_core.cli import main; main()", "embed", "-"]
    run = subprocess.run(
        [*command, *tiny, "--out", "-"], input=sentences.read_bytes(), capture_output=True
    )
    assert run.returncode == 0, run.stderr
    assert np.load(io.BytesIO(run.stdout)).shape == (5, 16)
    assert run.stderr.startswith(b"wrote 5 x 16 vectors to standard output")
