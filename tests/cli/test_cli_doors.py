"""One contract for each door of the command line: what is bad is one sentence, and nothing else.

Every kind of fault is tried once where files are read: code 2, one line, nothing embedded, nothing
written. What the readers say of each fault in a table is in tests/datasets/test_table_faults.py.
"""

import json
import os
import signal

import numpy as np
import pandas as pd
import pytest
from tiny_pairs import write_pairs
from waiting import PATIENCE

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.saved import save_calibrator

PAIRS = b"sentence1,sentence2,score\nthe cat,a dog,1\nred mat,blue mat,4\n"
X = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)

DOORS = {
    "table": ("t.csv", ("evaluate", "--dataset", "{}", "--strict")),
    "tsv": ("t.tsv", ("evaluate", "--dataset", "{}", "--strict")),
    "json lines": ("t.jsonl", ("evaluate", "--dataset", "{}", "--strict")),
    "parquet": ("t.parquet", ("evaluate", "--dataset", "{}", "--strict")),
    "sentences": ("s.txt", ("embed", "{}", "--out", "x.npy")),
    "fit corpus": ("f.txt", ("fit", "--fit-on", "{}", "--out", "c2")),
    "vectors": ("v.npy", ("evaluate", "--vectors", "{}", "v.npy", "--gold", "scores.csv")),
    "parquet vectors": ("v.parquet", ("fit", "{}", "--calibrator", "whiten", "--out", "c2")),
    "calibrated": ("z.npy", ("calibrate", "{}", "--calibrator", "c", "--out", "y.npy")),
    "word vectors": ("w.txt", ("evaluate", "--model", "glove:{}")),
    "word counts": ("n.txt", ("analyse", "words", "--counts", "{}")),
    "data folder": ("d", ("evaluate", "--dataset", "stsb", "--data-dir", "{}")),
}


@pytest.fixture(autouse=True)
def _inputs(here):
    """Good inputs beside the bad one, and an end where a read would wait for ever."""
    save_calibrator(build_calibrator("standardize").fit(X), here / "c", spec="standardize")
    (here / "empty").mkdir()
    np.save(here / "v.npy", X)
    pd.DataFrame({"score": range(6)}).to_csv("scores.csv", index=False)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)


def npy(x):
    np.save("tmp.npy", x, allow_pickle=True)
    with open("tmp.npy", "rb") as stream:
        content = stream.read()
    os.remove("tmp.npy")
    return content


class Trap:
    """Pickled, it makes a folder when it is loaded."""

    def __reduce__(self):
        return os.mkdir, ("sprung",)


BAD = [
    ("table", b"", "is empty"),
    ("table", b"The cat sat.,A dog ran.,3.5\nA.,B.,1\n", "name the two sentence columns"),
    ("table", PAIRS.decode().encode("utf-16"), "UTF-16"),
    ("table", b"PK\x03\x04" + bytes(50), "Excel workbook"),
    ("table", PAIRS + b"the cat,a dog,high\n", ("1 of 3 rows", "row 4: score is not a number")),
    ("table", PAIRS + b"the cat,a dog,5.01\n", ("row 4", "off the scale", "0 to 5")),
    ("table", PAIRS + b"the cat, ,1\n", "row 4: sentence2 is blank"),
    ("table", PAIRS[: PAIRS.index(b"red")], "two different gold scores"),
    ("tsv", PAIRS, "name it .csv"),
    ("json lines", b"{\n", "no JSON"),
    ("parquet", PAIRS, "not a parquet file"),
    ("sentences", b"a cat\n\na dog\n", ("1 of 3 rows", "row 2", "blank")),
    ("sentences", "caf\xe9".encode("latin-1"), "not UTF-8"),
    ("sentences", b"x" * 10_000_000, ("row 1", "10,000,000 characters")),
    ("fit corpus", b"\n \n", "holds no sentences"),
    ("fit corpus", b"x" * 100_001, "100,001 characters"),
    ("vectors", lambda: npy(np.array([[Trap()]], object)), "not a plain .npy"),
    ("vectors", lambda: npy(X)[:-1], "not a plain .npy"),
    ("vectors", lambda: npy(np.where(X > 1, np.nan, X)), "not finite"),
    ("vectors", lambda: npy(X[:, :3]), "expected one shape"),
    ("parquet vectors", b"PAR1junkPAR1", "damaged"),
    ("calibrated", lambda: npy(X[:, :3]), ("X has 3 features", "expecting 4 features")),
    ("calibrated", lambda: npy(X + 1j), "real numbers"),
    ("word vectors", b"word\nother\n", "no text file of word vectors"),
    ("word counts", b"the many\n", ("line 1", "a word and its count")),
]


@pytest.mark.parametrize(
    ("door", "content", "words"), BAD, ids=[f"{door}-{i}" for i, (door, *_) in enumerate(BAD)]
)
def test_what_is_bad_is_one_sentence(refuses, no_embedding, here, door, content, words):
    name, command = DOORS[door]
    name = f"bad-{name}"
    (here / name).write_bytes(content() if callable(content) else content)
    refuses(*(each.format(name) for each in command), words=words)
    assert not (here / "sprung").exists()


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("what", ["missing", "folder", "pipe"])
def test_what_is_no_file_is_one_sentence(refuses, no_embedding, here, door, what):
    name, command = DOORS[door]
    name = f"bad-{name}"
    if what == "folder":
        (here / name).mkdir()
    elif what == "pipe":
        os.mkfifo(here / name)
    is_many = what == "folder" and door == "sentences"  # a folder is many files there
    refuses(*(each.format(name) for each in command), words="--out" if is_many else name)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--sentence1", "sentense1", "--sentence2", "sentence2"), "did you mean sentence1"),
        (("--sentence1", "score", "--sentence2", "score"), "one column is chosen twice"),
        (("--sentence1", "sentence1", "--score", "score"), "scores belong to pairs"),
        (("--score", "score"), "--sentence1 and --sentence2"),
        (("--scale", "low,high"), "LOW,HIGH"),
        (("--scale", "5,0"), "a higher highest score"),
        (("--split", "dev"), "no dev split"),
        (("--fit-on", "train"), "no train split"),
        (("--fit-on", "none.txt"), "cannot fit on"),
        (("--fit-on", "t.csv"), "no column named 'sentence' or 'text'"),
        (("--model", "minilmm"), "did you mean minilm"),
        (("--layers", "layer:9"), "0 (the embedding output) to 6"),
        (("--model", "./empty"), "has no config.json"),
    ],
)
def test_a_bad_choice_for_a_good_table(refuses, no_embedding, here, options, words):
    (here / "t.csv").write_bytes(PAIRS)
    refuses("evaluate", "--dataset", "t.csv", *options, "--strict", words=words)


def test_a_model_of_the_hub_without_a_network(refuses, no_embedding, monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    refuses("evaluate", "--model", "nobody/nothing", code=1, words="HF_HUB_OFFLINE")


def rhos(text):
    return [each["spearman"]["all"] for each in json.loads(text)["results"]]


def test_rows_that_cannot_be_used_are_left_out_and_listed_once(lab, here, tiny):
    bad = b"the cat, ,1\n,a dog,2\nbig cat,dog,\nthe mat,dog,high\n"
    options = (*tiny, "--calibrator", "standardize", "--format", "json")
    found = []
    for rows in (b"", bad):
        (here / "t.csv").write_bytes(PAIRS + rows + b"big,red,3\n")
        found.append(lab("evaluate", "--dataset", "t.csv", *options))
    whole, mixed = found
    assert (whole.code, whole.err, mixed.code) == (0, "", 0)
    assert mixed.err == (
        "bertflow-lab: warning: 't.csv': 4 of 7 rows cannot be used (row 4: sentence2 is blank; "
        "row 5: sentence1 is blank; row 6: score is missing; ...) and are left out; --strict "
        "refuses such a table\n"
    )
    assert rhos(mixed.out) == rhos(whole.out)


@pytest.mark.parametrize("name", ["t.tsv", "t.jsonl", "t.parquet"])
def test_every_format_gives_the_same_scores(works, table, tiny, name):
    write = {
        "t.tsv": lambda frame: frame.to_csv(name, sep="\t", index=False),
        "t.jsonl": lambda frame: frame.to_json(name, orient="records", lines=True),
        "t.parquet": lambda frame: frame.to_parquet(name),
    }
    write[name](pd.read_csv(table))
    options = (*tiny, "--calibrator", "standardize", "--format", "json")
    expected = rhos(works("evaluate", "--dataset", table, *options))
    assert rhos(works("evaluate", "--dataset", name, *options)) == expected


@pytest.mark.parametrize(
    ("content", "size", "words"),
    [
        ("sentence1,sentence2\nthe cat,a dog\nred,blue\n", "2 pairs", "no column of them"),
        ("id,text\n1,the cat\n2,a dog\n3,red mat\n", "3 sentences", "need pairs"),
    ],
)
def test_what_has_no_gold_is_evaluated_without_rho(works, here, tiny, content, size, words):
    (here / "t.csv").write_text(content)
    shown = works("evaluate", "--dataset", "t.csv", *tiny, "--calibrator", "standardize")
    assert size in shown
    assert words in shown
    assert shown.splitlines()[3].split()[:3] == ["standardize", "-", "-"]


def test_what_has_a_folder_or_an_ending_is_a_path(works, refuses, here, tiny):
    (here / "stsb").mkdir()
    write_pairs(here / "stsb" / "teaching.csv")
    options = (*tiny, "--calibrator", "identity", "--dataset")
    assert "24 pairs" in works("evaluate", *options, "stsb/teaching.csv")
    refuses("evaluate", "--dataset", "stsb", words=("stsb", "--data-dir", "BERTFLOW_DATA"))
    (here / "target").write_text("one\ntwo\n", encoding="utf-8")
    fitted = works("evaluate", *options, "stsb/teaching.csv", "--fit-on", "./target")
    assert "2 sentences of target" in fitted


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("null-top-k:k=16", "n_features = 16"),
        ("whiten:n_components=17", "at most the number of features (16)"),
        ("whiten:n_components=4+null-top-k:k=4", "n_features = 4"),
    ],
)
def test_more_directions_than_features(refuses, table, tiny, spec, words):
    refuses("evaluate", *tiny, "--dataset", table, "--calibrator", spec, words=words)


@pytest.mark.parametrize("spec", ["standardize", "whiten", "flow"])
def test_one_sentence_is_too_few(refuses, here, table, tiny, spec):
    (here / "fit.txt").write_text("the cat\n", encoding="utf-8")
    options = ("--dataset", table, "--fit-on", "fit.txt", "--calibrator", spec)
    refuses("fit", *tiny, *options, "--out", "c2", words=("1 sample", "minimum of 2"))
