"""A disk that is full or refuses: exit code 1, one sentence, and what was there is there still."""

import errno
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from folder_contents import snapshot

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
RUN = [sys.executable, "-c", "from bertflow_core.cli import main; main()"]


def fail(*_, **__):
    raise FULL


@contextmanager
def limited():
    """Let the system refuse to write more than 20 bytes of any file, as it does on a full disk.

    No fixture: pytest reports a test, into a file perhaps, before it takes its fixtures down.
    """
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def outputs(works, sentences, table, tiny):
    """Commands that write, by an output that is there and a new one; all else is in the cache."""
    pairs = (*tiny, "--dataset", table, "--calibrator", "whiten")
    embed = ("embed", sentences, *tiny, "--out")
    calibrate = ("calibrate", "x.npy", "--calibrator", "c", "--out")
    found = {
        ("x.npy", "y.npy"): embed,
        ("c", "d"): ("fit", *pairs, "--out"),
        ("z.npy", "y.npy"): calibrate,
        ("o", "p"): ("compare", *pairs, "--out"),
        ("f", "g"): ("analyse", "spectrum", *pairs, "--figures"),
    }
    for (old, _), words in found.items():
        works(*words, old)
    return {
        (*words, name, *(("--force",) if name in ("x.npy", "c", "z.npy") else ())): name
        for names, words in found.items()
        for name in names
    }


def test_what_a_command_writes_is_whole_or_not_there(outputs, lab, here):
    """What each step of a write leaves is in tests/test_files.py."""
    reason = os.strerror(errno.EFBIG)
    before = snapshot(here)
    for words, name in outputs.items():
        with limited():
            outcome = lab(*words)
        assert (outcome.code, outcome.out) == (1, ""), words
        assert re.fullmatch(rf"bertflow-lab: cannot write '.*{name}.*': {reason}\n", outcome.err)
    found = snapshot(here)
    assert {path: found[path] for path in before} == before
    assert [path for path in found.keys() - before if found[path]] == []


def test_a_cache_that_is_full_or_cannot_be_is_reported(
    refuses, monkeypatch, here, table, tiny, request
):
    (here / "file").write_text("", encoding="utf-8")
    evaluate = ("evaluate", *tiny, "--dataset", table)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        words = ("cache", "No space left on device", "BERTFLOW_CACHE")
        refuses(*evaluate, code=1, words=words)
    request.getfixturevalue("no_embedding")  # what follows is seen before the work
    with monkeypatch.context() as patch:
        patch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=1000))
        refuses(*evaluate, code=1, words=("free", "BERTFLOW_CACHE"))
    for variable, value, code in [("BERTFLOW_CACHE", "file", 1), ("BERTFLOW_CACHE_GB", "much", 2)]:
        monkeypatch.setenv(variable, value)
        refuses(*evaluate, code=code, words=variable)


class TestStandardOutput:
    """In a process of its own, because it is the process's end that writes the rest."""

    @pytest.fixture(autouse=True)
    def _buffered(self, monkeypatch):
        monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    def test_a_full_disk_behind_it(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = subprocess.run(
                [*RUN, "data"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert run.returncode == 1
        assert run.stderr == (
            "bertflow-lab: cannot write to standard output: No space left on device\n"
        )

    def test_a_reader_that_has_left(self):
        run = subprocess.Popen([*RUN, "data"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        run.stdout.close()
        assert run.stderr.read() == b""
        run.stderr.close()
        assert run.wait() == 0

    def test_none_at_all(self):
        words = " ".join(f"'{word}'" for word in [*RUN, "data"])
        run = subprocess.run(
            ["sh", "-c", f"{words} >&-"], capture_output=True, text=True, check=False
        )
        assert (run.returncode, run.stderr) == (0, "")
