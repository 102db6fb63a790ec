"""Mistakes of users and failures of the machine: one sentence that says what to do.

Each kind of fault is tried with one command: exit code, one line, nothing embedded, nothing
written. tests/datasets and tests/encoders test what readers say about faults in files.
"""

import errno
import json
import os
import shutil
import signal
import socket
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import httpx2 as httpx
import numpy as np
import pandas as pd
import pytest
from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled
from pyarrow import ArrowInvalid
from safetensors import SafetensorError
from saved_files import change_config
from waiting import PATIENCE

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.saved import save_calibrator
from bertflow_core.cli import main
from bertflow_core.errors import Cancelled, InputError, ResourceError
from bertflow_core.lab.lab import Lab

PAIRS = b"sentence1,sentence2,score\nthe cat,a dog,1\nred mat,blue mat,4\n"
X = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
TABLE = "evaluate --dataset bad.csv --strict"
VECTORS = "evaluate --model vectors:bad.npy,v.npy --dataset scores.csv"
CALIBRATE = "calibrate v.npy --calibrator c --out y.npy"
SENTENCES = "calibrate s.txt --calibrator c --out y.npy"
SMALL = "--model ./model --max-length 40 --layers layer:2"
MODEL = f"evaluate --dataset t.csv {SMALL}"


@pytest.fixture(scope="module")
def good(tiny_bert, tmp_path_factory):
    """A folder of good inputs, next to which tests put bad ones."""
    folder = tmp_path_factory.mktemp("good")
    save_calibrator(build_calibrator("standardize").fit(X), folder / "c", spec="standardize")
    shutil.copytree(tiny_bert, folder / "model")
    (folder / "t.csv").write_bytes(PAIRS)
    (folder / "s.txt").write_text("the cat\na dog\n")
    (folder / "plain.csv").write_bytes(b"sentence1,sentence2\nthe cat,a dog\na mat,the dog\n")
    (folder / "own.html").write_text("<!DOCTYPE html><title>My thesis</title>")
    (folder / "empty").mkdir()
    np.save(folder / "v.npy", X)
    pd.DataFrame({"score": range(6)}).to_csv(folder / "scores.csv", index=False)
    return folder


@pytest.fixture(autouse=True)
def _inputs(here, good):
    """Copy the good inputs, and end a test that would wait for a pipe for ever."""
    shutil.copytree(good, here, dirs_exist_ok=True)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)


USAGE = {
    "evalute": "Did you mean 'evaluate'?",
    "evaluate --modle minilm": "--model",
    "evaluate --model": "requires an argument",
    "embed s.txt": "--out",
    "evaluate --format yaml": "'table', 'markdown', 'latex', 'csv', 'json'",
    "evaluate --layers layer:7": "0 (the embedding output) to 6",
    "evaluate --max-length 513": "3 to 512",
    "evaluate --dataset stbs": "did you mean stsb",
    "evaluate --sentence1 a": "sentence1 has no meaning for captions",
    "evaluate --device cuda:99": "cuda:99",
    f"{CALIBRATE} --batch-size 9": "can take --batch-size: leave it",
    f"{CALIBRATE} --column s": "leave out --column",
    SENTENCES: "holds no recipe, so sentences cannot be embedded",
    "evaluate --dataset t.csv --sentence1 sentense1 --sentence2 sentence2": "mean sentence1",
    "evaluate --dataset t.csv --scale low,high": "LOW,HIGH",
    "evaluate --dataset t.csv --split dev": "no dev split",
    "evaluate --dataset t.csv --fit-on none.txt": "cannot fit on",
    "evaluate --prompt query --layers last": "add --layers model",
    "fit v.npy --model bert-base --out f": "leave --model",
    "fit s.txt --fit-on nli --out f": "leave --fit-on out",
    "fit --dataset stsb --column v --sample 5 --out x": "can take --column and --sample",
    "embed empty --out x.npy": "folder",
    "embed none/*.parquet --out x": "quotes",
    "embed s.txt --out nowhere/x.npy": "does not exist",
    "embed s.txt --out v.npy": "--force",
    "report --out own.html": "not written by this program",
    "reproduce table9": "did you mean table",
    "reproduce table7 --out empty/..": "which is not one of these figures",
    "evaluate --out t.csv": "is a file",
    "analyse wall --out w.html --max-rows 20001": "at most 20,000 rows, got 20,001",
    "analyse words --model vectors": "without a network",
    "analyse words --figure-format svg": "needs --figures",
    "analyse lexical --model vectors:v.npy,v.npy --dataset scores.csv": "no words",
}


@pytest.mark.parametrize("command", USAGE)
def test_a_wrong_word_is_one_sentence_before_any_work(refuses, no_embedding, command):
    refuses(*command.split(), words=USAGE[command])


def put(name, what):
    """Return a function that replaces a file by bytes, or by what another function makes."""

    def replace():
        if os.path.lexists(name):
            os.remove(name)
        if callable(what):
            what(name)
        else:
            Path(name).write_bytes(what)

    return replace


def hostile_model():
    """Put code into the model's folder, and refer to it in config.json."""
    Path("model/trap.py").write_bytes(b"import os; os.mkdir('sprung')\n")
    path = Path("model/config.json")
    trap = {"auto_map": {"AutoModel": "trap.T", "AutoConfig": "trap.C"}, "model_type": "trap"}
    path.write_text(json.dumps(json.loads(path.read_bytes()) | trap))


def saved(**changes):
    """Return a function that changes the configuration of the saved calibrator."""
    return lambda: change_config("c.safetensors", **changes)


FILES = [
    (put("bad.csv", PAIRS + b"the cat,a dog,high\n"), TABLE, "row 4: score is not a number"),
    (put("bad.csv", PAIRS[: PAIRS.index(b"red")]), TABLE, "two different gold scores"),
    (
        put("t.csv", b"a,b,points\nthe cat,a dog,1\n"),
        "evaluate --dataset t.csv",
        "no known sentence column",
    ),
    (put("t.csv", PAIRS), "evaluate --dataset t.csv --fit-on t.csv", "no 'sentence'"),
    (put("bad.txt", b"caf\xe9"), "embed bad.txt --out x.npy", "not UTF-8"),
    (put("bad.txt", b"x" * 10**7), "embed bad.txt --out x.npy", "more than 100,000 char"),
    (put("bad.txt", b"x" * 100_001), "fit --fit-on bad.txt --out d", "more than 100,000 char"),
    (
        put("bad.txt", b"a cat"),
        f"fit --fit-on bad.txt {SMALL} --out d",
        "at least 2 rows to be fitted, got 1 ",
    ),
    (put("stsb", os.mkdir), "evaluate --dataset stsb", "BERTFLOW_DATA"),
    (lambda: np.save("v.npy", X[:, :3]), CALIBRATE, "expecting 4 features"),
    (put("model/x", os.mkfifo), MODEL, "model"),
    (put("model/tokenizer.json", os.mkfifo), "analyse words --model ./model", "model"),
    (hostile_model, MODEL, "cannot be loaded as an encoder"),
    (lambda: None, f"ledger --dataset plain.csv {SMALL}", "gold"),
    (put("t.csv", PAIRS + b"big,dog,2\n"), f"{MODEL} --metric auc", "AUC needs two"),
    (put("c.safetensors", b"weights"), CALIBRATE, "is damaged"),
    (saved(spec="os:system"), CALIBRATE, "not a valid saved calibrator"),
    (saved(recipe={"colour": "red"}), SENTENCES, "no field 'colour'"),
]


@pytest.mark.parametrize(("make", "command", "words"), FILES, ids=range(len(FILES)))
def test_what_is_bad_in_a_file_is_one_sentence(refuses, here, make, command, words):
    make()
    refuses(*command.split(), words=words)
    assert not (here / "sprung").exists()


DOORS = {  # a file, and a command that reads it
    "bad.csv": TABLE,
    "bad.txt": "fit --fit-on bad.txt --out d",
    "bad.jsonl": "evaluate --dataset bad.jsonl",
    "bad.npy": VECTORS,
    "bad.parquet": "fit bad.parquet --calibrator whiten --out d",
    "vectors.txt": "evaluate --model glove:vectors.txt",
    "counts.txt": "analyse words --counts counts.txt",
    "data": "evaluate --dataset stsb --data-dir data",
    "model/config.json": MODEL,
    "c.safetensors": CALIBRATE,
}


@pytest.mark.parametrize("name", DOORS)
def test_what_is_missing_or_no_file_is_one_sentence(refuses, no_embedding, here, name):
    (here / name).unlink(missing_ok=True)
    for make in (lambda: None, put(name, os.mkfifo), put(name, os.mkdir)):
        make()
        if not ((here / name).is_dir() and name in ("data", "bad.parquet")):
            refuses(*DOORS[name].split(), words=name.partition("/")[0].partition(".")[0])


def system(number, file="mine.npy"):
    """Return the system's error about a file."""
    return OSError(number, os.strerror(number), *([file] if file else []))


REFUSED = HfHubHTTPError(
    "no", response=httpx.Response(500, request=httpx.Request("GET", "http://h"))
)
KNOWN = [
    ("memory", MemoryError(), ResourceError, "memory", "choose fewer"),
    ("torch's memory", RuntimeError("CUDA out of memory."), ResourceError, "choose fewer"),
    ("full", system(errno.ENOSPC), ResourceError, "'mine.npy'", "free some space"),
    ("full, no name", system(errno.ENOSPC, None), ResourceError, "free some space"),
    ("rights", system(errno.EACCES), ResourceError, "'mine.npy'", "permissions"),
    ("missing", system(errno.ENOENT), InputError, "'mine.npy'", "check the path"),
    ("a folder", system(errno.EISDIR), InputError, "'mine.npy'", "choose a file"),
    ("handles", system(errno.EMFILE), ResourceError, "ulimit"),
    ("any other", system(errno.ENAMETOOLONG), ResourceError, "'mine.npy'", "another name"),
    ("refused", ConnectionRefusedError(errno.ECONNREFUSED, "no"), ResourceError, "network"),
    ("no address", socket.gaierror(-2, "unknown"), ResourceError, "network"),
    ("no hub", httpx.ConnectError("no"), ResourceError, "reached", "connect"),
    ("silent hub", httpx.ReadTimeout("no"), ResourceError, "in time", "TIMEOUT"),
    ("cut", httpx.ReadError("no"), ResourceError, "incomplete", "try again"),
    ("hub's fault", REFUSED, ResourceError, "the hub", "try again"),
    ("offline", OfflineModeIsEnabled("no"), ResourceError, "HF_HUB_OFFLINE", "unset"),
    ("weights", SafetensorError("header too large"), InputError, "header too large", "again"),
    ("parquet", ArrowInvalid("magic bytes"), InputError, "magic bytes", "write it again"),
    ("bytes", UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"), InputError, "UTF-8"),
    ("signs", UnicodeEncodeError("ascii", "\xfc", 0, 1, "no"), InputError, "PYTHONIO"),
    ("a process", BrokenProcessPool("no"), ResourceError, "memory", "choose fewer"),
    ("stopped", Cancelled("stopped on request"), Cancelled, "stopped on request"),
]


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known[0])
def test_what_libraries_and_the_system_raise(refuses, monkeypatch, known):
    _, error, kind, *words = known

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(Lab, "data", fail)
    assert "unexpected" not in refuses("evaluate", code=kind.exit_code, words=tuple(words))


def test_a_fault_of_our_own_is_one_line_and_shown_whole_on_demand(lab, monkeypatch):
    def fail(*_, **__):
        raise KeyError("a\nfault")

    monkeypatch.setattr(Lab, "data", fail)
    outcome = lab("evaluate")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
    assert outcome.err.startswith("bertflow-lab: unexpected KeyError: ")
    assert "BERTFLOW_DEBUG=1" in outcome.err
    monkeypatch.setenv("BERTFLOW_DEBUG", "1")
    with pytest.raises(KeyError):
        main(["evaluate"])


FLOODED = (
    "{}",
    "evaluate --{} 1",
    "evaluate --model {}",
    "calibrate {}.npy --calibrator {} --out y",
)


@pytest.mark.parametrize("words", FLOODED)
def test_no_sentence_repeats_a_flood(lab, words):
    outcome = lab(*(word.format("z" * 5_000) for word in words.split()))
    assert outcome.code in (1, 2), outcome
    assert outcome.err.startswith("bertflow-lab: ")
    assert "unexpected" not in outcome.err
    assert outcome.err.count("z") <= 500
