"""The surroundings of a command: progress bars, Ctrl-C, a closed pipe, a full disk."""

import errno
import io
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from saved_files import snapshot
from tiny_models import MAX_TOKENS, WORDS

from bertflow_core.cli import console, main
from bertflow_core.encoders import TransformerEncoder, resolve_model, transformer
from bertflow_core.runtime.context import progress_bars
from bertflow_core.store import EmbeddingStore


class Bar:
    """Stands for tqdm's bar."""

    def __init__(self, total, unit, **options):
        self.total, self.unit, self.n, self.is_open = total, unit, 0, True
        assert options["file"] is sys.stderr
        assert options["disable"] is None  # no bar if standard error is no terminal

    def update(self, n):
        assert self.is_open and n >= 0
        self.n += n

    def close(self):
        self.is_open = False


@pytest.fixture
def bars(monkeypatch):
    drawn = []

    def make(**options):
        assert not any(bar.is_open for bar in drawn)
        drawn.append(Bar(**options))
        return drawn[-1]

    monkeypatch.setattr("tqdm.auto.tqdm", make)
    return drawn


@pytest.mark.parametrize(
    ("reports", "expected"),
    [
        ([(0, 9, "sentences"), (4, 9, "sentences"), (9, 9, "sentences")], [(9, " sentences", 9)]),
        ([(3, 9, "sentences"), (1, 5, "steps")], [(9, " sentences", 3), (5, " steps", 1)]),
        ([(9, 9, "steps"), (2, 9, "steps")], [(9, " steps", 9), (9, " steps", 2)]),
        ([(20, 20, "steps"), (32, 40, "steps")], [(20, " steps", 20), (40, " steps", 32)]),
    ],
)
def test_each_piece_of_work_has_its_own_bar_closed_also_when_the_work_fails(
    bars, reports, expected
):
    with pytest.raises(KeyError), progress_bars() as progress:
        for report in reports:
            progress(*report)
        raise KeyError
    assert [(bar.total, bar.unit, bar.n) for bar in bars] == expected
    assert not any(bar.is_open for bar in bars)


SAID = {
    "a\n\tb": "a b",
    "caf\u00e9 \U0001f469": "caf\u00e9 \U0001f469",
    "\x1b[31mred\x07": r"\x1b[31mred\x07",
    "\u202eabc\x9b\ud800": r"\u202eabc\x9b\ud800",
}


def test_what_is_said_is_no_order_to_the_terminal_and_what_it_lacks_is_an_error(
    capsys, monkeypatch
):
    for said, shown in SAID.items():
        console.say(said)
        assert capsys.readouterr().err == shown + "\n"
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    with pytest.raises(UnicodeEncodeError):  # `explain` has a sentence for it
        console.emit("f\u00fcr")
    assert raw.getvalue() == b""


def test_a_signal_in_the_midst_of_embedding(refuses, here, tiny_bert, tiny, monkeypatch):
    class Interrupted(Bar):
        def update(self, n):
            super().update(n)
            if self.n >= 3 * 32:
                signal.raise_signal(signal.SIGINT)

    sentences = [f"{WORDS[i % len(WORDS)]} {i} {i * i}" for i in range(400)]
    (here / "many.txt").write_text("\n".join(sentences), encoding="utf-8")
    monkeypatch.setattr("tqdm.auto.tqdm", Interrupted)
    monkeypatch.setattr(transformer, "_BLOCK_BYTES", 1)  # the smallest blocks
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        words = "interrupted; what was computed so far is kept"
        refuses("embed", "many.txt", *tiny, "--out", "x.npy", code=130, words=words)
    finally:
        signal.signal(signal.SIGINT, before)
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=MAX_TOKENS)
    assert 0 < EmbeddingStore().missing(encoder, sentences) <= len(sentences) - 2 * 32


@contextmanager
def limited():
    """Let the system refuse to write more than 20 bytes of any file, as it does on a full disk.

    Not a fixture: pytest may write its report to a file before it ends the fixtures.
    """
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_a_command_writes_is_whole_or_not_there(capsys, here, sentences, table, tiny):
    """Outputs may exist or be new. tests/test_files.py tests each step of a write."""

    def run(*words):
        with pytest.raises(SystemExit) as left:
            main([*map(str, words)])
        return left.value.code, *capsys.readouterr()

    pairs = (*tiny, "--dataset", table, "--calibrator", "whiten")
    outputs = {
        ("x.npy", "y.npy"): ("embed", sentences, *tiny, "--out"),
        ("c", "d"): ("fit", *pairs, "--out"),
        ("o", "p"): ("evaluate", *pairs, "--out"),
    }
    for (old, _), words in outputs.items():
        assert run(*words, old)[0] == 0
    before = snapshot(here)
    for names, words in outputs.items():
        for name in names:
            forced = ["--force"] if name in ("x.npy", "c") else []
            with limited():
                code, out, err = run(*words, name, *forced)
            assert (code, out) == (1, ""), words
            reason = os.strerror(errno.EFBIG)
            assert re.fullmatch(rf"bertflow-lab: cannot write '.*{name}.*': {reason}\n", err)
    found = snapshot(here)
    assert {path: found[path] for path in before} == before
    assert [path for path in found.keys() - before if found[path]] == []


def test_a_cache_that_is_full_or_cannot_be_is_reported(
    refuses, monkeypatch, here, table, tiny, request
):
    def fail(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (here / "file").write_text("", encoding="utf-8")
    evaluate = ("evaluate", *tiny, "--dataset", table)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        words = ("cache", "No space left on device", "BERTFLOW_CACHE")
        refuses(*evaluate, code=1, words=words)
    request.getfixturevalue("no_embedding")  # these faults are found before any work
    for variable, value, code in [("BERTFLOW_CACHE", "file", 1), ("BERTFLOW_CACHE_GB", "much", 2)]:
        monkeypatch.setenv(variable, value)
        refuses(*evaluate, code=code, words=variable)


RUN = f"{shlex.quote(sys.executable)} -c 'from bertflow_core.cli import main; main()' --version"
FULL = "bertflow-lab: cannot write to standard output: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("output", "code", "said"),
    [(">/dev/full", 1, FULL), (">&-", 0, ""), ("| true", 0, "")],
    ids=["full", "none", "a reader that has left"],
)
def test_standard_output_that_takes_nothing(monkeypatch, output, code, said):
    """In a separate process, because the rest is written when a process ends."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    shell = ["bash", "-c", f"{RUN} {output}; exit ${{PIPESTATUS[0]}}"]
    run = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (code, said)
