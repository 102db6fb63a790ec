"""What a user gets wrong, or the machine: one sentence that says what to do, and nothing else.

Each kind of fault is tried once, at one door: exit code, one line, nothing embedded, nothing
written. What the readers say of each fault in a table is in tests/datasets.
"""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from known_faults import KNOWN
from saved_files import change_config
from waiting import PATIENCE

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.saved import save_calibrator
from bertflow_core.cli import main
from bertflow_core.lab import Lab

PAIRS = b"sentence1,sentence2,score\nthe cat,a dog,1\nred mat,blue mat,4\n"
X = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
TABLE = ("evaluate", "--dataset", "bad.csv", "--strict")
VECTORS = ("evaluate", "--vectors", "bad.npy", "v.npy", "--gold", "scores.csv")
CALIBRATE = ("calibrate", "v.npy", "--calibrator", "c", "--out", "y.npy")
SMALL = ("--model", "./model", "--max-length", "40", "--layers", "layer:2")
MODEL = ("evaluate", "--dataset", "t.csv", *SMALL)


class Trap:
    """Pickled, it makes a folder when it is loaded."""

    def __reduce__(self):
        return os.mkdir, ("sprung",)


@pytest.fixture(autouse=True)
def _inputs(here, tiny_bert):
    """Good inputs for the bad ones to lie among, and an end where a read would wait for ever."""
    save_calibrator(build_calibrator("standardize").fit(X), here / "c", spec="standardize")
    shutil.copytree(tiny_bert, here / "model")
    (here / "t.csv").write_bytes(PAIRS)
    (here / "s.txt").write_text("the cat\na dog\n")
    (here / "plain.csv").write_bytes(b"sentence1,sentence2\nthe cat,a dog\na mat,the dog\n")
    (here / "own.html").write_text("<!DOCTYPE html><title>My thesis</title>")
    (here / "empty").mkdir()
    np.save(here / "v.npy", X)
    pd.DataFrame({"score": range(6)}).to_csv("scores.csv", index=False)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)


def npy(x):
    """Return what writes an array as bad.npy."""
    return lambda: np.save("bad.npy", x, allow_pickle=True)


def text(name, content):
    """Return what writes a file."""

    def write():
        with open(name, "wb") as stream:
            stream.write(content)

    return write


def pipe(path):
    """Return what puts a pipe in a file's place."""

    def make():
        with suppress(FileNotFoundError):
            os.remove(path)
        os.mkfifo(path)

    return make


def without(*names):
    """Return what takes files of the model away."""
    return lambda: [os.remove(f"model/{name}") for name in names]


def model_config(**changes):
    """Return what changes the model's config.json."""

    def change():
        with open("model/config.json", encoding="utf-8") as stream:
            config = json.load(stream)
        with open("model/config.json", "w", encoding="utf-8") as stream:
            json.dump(config | changes, stream)

    return change


def hostile_model():
    """Put code into the model's folder, and name it."""
    text("model/trap.py", b"import os; os.mkdir('sprung')\n")()
    model_config(model_type="trap", auto_map={"AutoModel": "trap.T", "AutoConfig": "trap.C"})()


def pickled_weights():
    without("model.safetensors")()
    text("model/pytorch_model.bin", pickle.dumps(Trap()))()


def saved(**changes):
    """Return what changes the configuration of the saved calibrator."""
    return lambda: change_config("c.safetensors", **changes)


USAGE = {
    "evalute": "Did you mean 'evaluate'?",
    "evaluate --modle minilm": "--model",
    "evaluate --model": "requires an argument",
    "evaluate --seed one": "integer",
    "embed s.txt": "--out",
    "evaluate --format yaml": "'table', 'markdown', 'latex', 'csv', 'json'",
    "evaluate surplus": "surplus",
    "calibrate v.npy --out z.npy": "--calibrator",
    "data cache --clear=yes": "--clear",
    "evaluate --layers layer:-1": "first-last",
    "evaluate --layers layer:7": "0 (the embedding output) to 6",
    "evaluate --tokens average": "'mean', 'cls', 'max'",
    "evaluate --max-length 513": "3 to 512",
    "evaluate --precision float64": "auto, float32, bfloat16, float16",
    "evaluate --dataset stbs": "did you mean stsb",
    "evaluate --dataset stsb": "BERTFLOW_DATA",
    "evaluate --split tset": "'train', 'dev', 'test'",
    "evaluate --dataset teaching --split train": "teaching has no train split here",
    "evaluate --calibrator flw": "did you mean flow",
    "evaluate --calibrator null-top-k:kk=6": "did you mean k",
    "evaluate --calibrator flow:lr=0": "flow: lr must be a number above 0",
    "evaluate --calibrator=": "name:key=value",
    "evaluate --fit-on trian": "'target', 'train'",
    "evaluate --seed -1": "seed must be a whole number from 0",
    "evaluate --aggregation median": "all, mean, wmean",
    "evaluate --sentence1 a": "columns has no meaning for captions",
    "evaluate --model minilm --revision main": "no revisions",
    "evaluate --model=": "1 to 4096 characters",
    "evaluate --model ./nowhere": "unknown model './nowhere'",
    "evaluate --batch-size 0": "at least 1",
    "evaluate --device cuda:99": "cuda:99",
    "calibrate v.npy --calibrator c --out y.npy --batch-size 9": "can take --batch-size: leave it",
    "calibrate v.npy --calibrator c --out y.npy --column s": "leave out --column",
    "calibrate s.txt --calibrator c --out y.npy": "holds no recipe to embed by",
    "evaluate --dataset t.csv --model ./empty": "has no config.json",
    "evaluate --dataset t.csv --sentence1 sentense1 --sentence2 sentence2": "mean sentence1",
    "evaluate --dataset t.csv --sentence1 score --sentence2 score": "one column is chosen twice",
    "evaluate --dataset t.csv --score score": "--sentence1 and --sentence2",
    "evaluate --dataset t.csv --sentence1 sentence1 --score score": "scores belong to pairs",
    "evaluate --dataset t.csv --split dev": "no dev split",
    "evaluate --dataset t.csv --fit-on train": "no train split",
    "evaluate --dataset t.csv --scale low,high": "LOW,HIGH",
    "evaluate --dataset t.csv --fit-on none.txt": "cannot fit on",
    "evaluate --dataset t.csv --fit-on t.csv": "no column named 'sentence' or 'text'",
    "evaluate --prompt query": "--layers model",
    "evaluate --vectors v.npy v.npy": "belong together",
    "fit v.npy --model bert-base --out f": "leave --model",
    "fit --dataset stsb --address auto --sample 5 --out x": "can take --sample and --address",
    "embed empty --out x.npy": "folder",
    "embed none/*.parquet --out x": "quotes",
    "embed s.txt --out x.txt": "must end in .npy",
    "embed s.txt --out nowhere/x.npy": "does not exist",
    "embed s.txt --out v.npy": "--force",
    "embed s.txt --force --out empty": "must end in .npy",
    "report --out t.html": "is the only one",
    "report --tour --out t.md": "must end in .html",
    "report --tour --out own.html": "not written by this program",
    "bench linaer": "unknown suite 'linaer'",
    "analyse wall --out own.html": "not written by this program",
    "analyse wall --out w.html --max-rows 100001": "2 to 100000",
    "analyse newborn --width 10": "width must be a multiple of 4, got 10",
    "analyse words --model vectors": "without a network",
    "analyse words --figure-format svg": "needs --figures",
    "analyse words --figures .": "new folder",
    "analyse lexical --vectors v.npy v.npy --gold scores.csv": "no words",
}


@pytest.mark.parametrize("command", USAGE)
def test_a_wrong_word_is_one_sentence_before_any_work(refuses, no_embedding, command):
    refuses(*command.split(), words=USAGE[command])


FILES = [
    (text("bad.csv", b""), TABLE, "is empty"),
    (text("bad.csv", b"The cat sat.,A dog ran.,3.5\nA.,B.,1\n"), TABLE, "name the two sentence"),
    (text("bad.csv", PAIRS.decode().encode("utf-16")), TABLE, "UTF-16"),
    (text("bad.csv", b"PK\x03\x04" + bytes(50)), TABLE, "workbook"),
    (text("bad.csv", PAIRS + b"the cat,a dog,high\n"), TABLE, "row 4: score is not a number"),
    (text("bad.csv", PAIRS + b"the cat,a dog,5.01\n"), TABLE, "off the scale"),
    (text("bad.csv", PAIRS + b"the cat, ,1\n"), TABLE, "row 4: sentence2 is blank"),
    (text("bad.csv", PAIRS[: PAIRS.index(b"red")]), TABLE, "two different gold scores"),
    (text("t.tsv", PAIRS), ("evaluate", "--dataset", "t.tsv"), "name it .csv"),
    (text("t.jsonl", b"{\n"), ("evaluate", "--dataset", "t.jsonl"), "no JSON"),
    (text("t.parquet", PAIRS), ("evaluate", "--dataset", "t.parquet"), "not a parquet file"),
    (text("bad.txt", b"caf\xe9"), ("embed", "bad.txt", "--out", "x.npy"), "not UTF-8"),
    (text("bad.txt", b"a\n\nb\n"), ("embed", "bad.txt", "--out", "x.npy"), "row 2"),
    (text("bad.txt", b"x" * 10**7), ("embed", "bad.txt", "--out", "x.npy"), "10,000,000 charac"),
    (text("bad.txt", b"x" * 100_001), ("fit", "--fit-on", "bad.txt", "--out", "d"), "100,001 char"),
    (npy(X[:, :3]), ("calibrate", "bad.npy", *CALIBRATE[2:]), "X has 3 features"),
    (lambda: os.mkdir("stsb"), ("evaluate", "--dataset", "stsb"), "BERTFLOW_DATA"),
    (text("bad.txt", b"\n \n"), ("fit", "--fit-on", "bad.txt", "--out", "d"), "no sentences"),
    (npy(np.array([[Trap()]], object)), VECTORS, "not a plain .npy"),
    (npy(np.where(X > 1, np.nan, X)), VECTORS, "not finite"),
    (npy(X[:, :3]), VECTORS, "expected one shape"),
    (npy(X + 1j), VECTORS, "real numbers"),
    (text("v.parquet", b"PAR1junkPAR1"), ("fit", "v.parquet", "--out", "d"), "damaged"),
    (lambda: np.save("v.npy", X[:, :3]), CALIBRATE, "expecting 4 features"),
    (text("w.txt", b"word\nother\n"), ("evaluate", "--model", "glove:w.txt"), "word vectors"),
    (text("n.txt", b"the many\n"), ("analyse", "words", "--counts", "n.txt"), "line 1"),
    (without("model.safetensors"), MODEL, "no weights"),
    (without("config.json"), MODEL, "config.json"),
    (without("tokenizer.json"), MODEL, "tokenizer"),
    *(
        (pipe(f"model/{name}"), command, "model")
        for name in ("tokenizer.json", "x")
        for command in (MODEL, ("analyse", "words", "--model", "./model"))
    ),
    (text("model/model.safetensors", b"weights"), MODEL, "cannot be loaded as an encoder"),
    (pickled_weights, MODEL, "can run code"),
    (hostile_model, MODEL, "cannot be loaded as an encoder"),
    (lambda: None, ("ledger", "--dataset", "plain.csv", *SMALL), "gold"),
    (lambda: None, (*MODEL[:-1], "layer:4"), "layers 0 (the embedding output) to 3"),
    (text("c.safetensors", b"weights"), CALIBRATE, "is damaged"),
    (saved(spec="os:system"), CALIBRATE, "no valid saved calibrator"),
    *(
        (saved(recipe=recipe), ("calibrate", "s.txt", *CALIBRATE[2:]), words)
        for recipe, words in [
            ({"layers": "layer:99999"}, "unknown layer set"),
            ({"colour": "red"}, "no field 'colour'"),
            ({"seed": "1"}, "whole number"),
            ({"model": "nothing-like-it"}, "unknown model"),
            (["model"], "no recipe"),
        ]
    ),
]


@pytest.mark.parametrize(("make", "command", "words"), FILES, ids=range(len(FILES)))
def test_what_is_bad_in_a_file_is_one_sentence(refuses, here, make, command, words):
    make()
    refuses(*command, words=words)
    assert not (here / "sprung").exists()


NAMED = {
    "bad.csv": TABLE,
    "bad.txt": ("fit", "--fit-on", "bad.txt", "--out", "d"),
    "bad.tsv": ("evaluate", "--dataset", "bad.tsv"),
    "bad.jsonl": ("evaluate", "--dataset", "bad.jsonl"),
    "pairs.parquet": ("evaluate", "--dataset", "pairs.parquet"),
    "s.txt": ("embed", "s.txt", "--out", "x.npy"),
    "bad.npy": VECTORS,
    "v.npy": CALIBRATE,
    "bad.parquet": ("fit", "bad.parquet", "--calibrator", "whiten", "--out", "d"),
    "vectors.txt": ("evaluate", "--model", "glove:vectors.txt"),
    "counts.txt": ("analyse", "words", "--counts", "counts.txt"),
    "data": ("evaluate", "--dataset", "stsb", "--data-dir", "data"),
    "model/config.json": MODEL,
    "model/model.safetensors": MODEL,
    "c.safetensors": CALIBRATE,
}


DOORS = [
    *((name, "missing") for name in NAMED),
    *((name, "pipe") for name in ("bad.csv", "bad.txt", "v.npy", "c.safetensors")),
    *((name, "folder") for name in ("bad.csv", "s.txt", "bad.npy", "model/config.json")),
]


@pytest.mark.parametrize(("name", "what"), DOORS)
def test_what_is_no_file_is_one_sentence(refuses, no_embedding, here, name, what):
    (here / name).unlink(missing_ok=True)
    if what == "folder":
        (here / name).mkdir()
    elif what == "pipe":
        os.mkfifo(here / name)
    is_many = what == "folder" and name == "s.txt"  # a folder is many files there
    words = "--out" if is_many else name.partition("/")[0].partition(".")[0]
    refuses(*NAMED[name], words=words)


@pytest.mark.parametrize(("error", "kind", "words"), KNOWN)
def test_what_libraries_and_the_system_raise(refuses, monkeypatch, error, kind, words):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(Lab, "pairs", fail)
    assert "unexpected" not in refuses("evaluate", code=kind.exit_code, words=words)


def test_a_fault_of_our_own_is_one_line_and_shown_whole_on_demand(lab, monkeypatch):
    def fail(*_, **__):
        raise KeyError("a\nfault")

    monkeypatch.setattr(Lab, "pairs", fail)
    outcome = lab("evaluate")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    assert outcome.err.startswith("bertflow-lab: unexpected KeyError: ")
    assert "BERTFLOW_DEBUG=1" in outcome.err
    monkeypatch.setenv("BERTFLOW_DEBUG", "1")
    with pytest.raises(KeyError):
        main(["evaluate"])


def test_one_sentence_is_too_few(refuses, here, table, tiny):
    (here / "fit.txt").write_text("the cat\n", encoding="utf-8")
    options = ("--dataset", table, "--fit-on", "fit.txt", "--calibrator", "whiten")
    refuses("fit", *tiny, *options, "--out", "d", words=("1 sample", "minimum of 2"))


@pytest.mark.parametrize(
    "words",
    [
        "evaluate --model {}",
        "evaluate --dataset {}",
        "evaluate --seed {}",
        "compare --baseline {}",
        "evaluate --layers {}",
        "evaluate --format {}",
        "evaluate --calibrator null-top-k:k={}",
        "evaluate --{} 1",
        "{}",
        "embed {}.txt --out y.npy",
        "calibrate {}.npy --calibrator {} --out y.npy",
        "fit --fit-on {} --out {}",
        "analyse words --counts {}",
    ],
)
def test_no_sentence_repeats_a_flood(lab, words):
    outcome = lab(*(word.format("z" * 5_000) for word in words.split()))
    assert outcome.code in (1, 2), outcome
    assert outcome.err.startswith("bertflow-lab: ")
    assert "unexpected" not in outcome.err
    assert outcome.err.count("z") <= 500


BROKEN_TOKENIZERS = {
    "no tokens": lambda model: model["model"].update(vocab={}) or model.update(added_tokens=[]),
    "no unknown token": lambda model: model["model"].update(unk_token="[NONE]"),
    "no letters": lambda model: model["model"].update(vocab={"[CLS]": 0, "[SEP]": 1}),
    "ids that no vector has": lambda model: model["model"]["vocab"].update(cat=10**6),
    "a special token without an id": lambda model: model["post_processor"].update(
        single=[{"SpecialToken": {"id": "[GONE]", "type_id": 0}}]
    ),
    "no model": lambda model: model.pop("model"),
}


@pytest.mark.parametrize("change", BROKEN_TOKENIZERS.values(), ids=BROKEN_TOKENIZERS)
def test_a_broken_tokenizer_is_one_sentence_or_can_be_used(lab, here, table, change):
    path = here / "model" / "tokenizer.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    for words in (
        (*MODEL[:2], table, *SMALL, "--calibrator", "whiten"),
        ("analyse", "words", "--model", "./model"),
        ("analyse", "lexical", "--dataset", table, *SMALL, "--unit", "wordpiece"),
    ):
        outcome = lab(*words)
        assert outcome.code in (0, 2), outcome.err
        assert "unexpected" not in outcome.err
        if outcome.code:
            assert outcome.err.startswith("bertflow-lab: ")
            assert outcome.err.count("\n") == 1


def test_a_whole_process_says_one_line(here):
    """In a process of its own nothing that a library prints escapes the capture."""
    (here / "model" / "model.safetensors").write_bytes(b"weights")
    code = "from bertflow_core.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code, *MODEL], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("bertflow-lab: model './model' cannot be loaded")
    assert run.stderr.count("\n") == 1
