"""A disk that is full or refuses: exit code 1, one sentence, and what was there is there still."""

import errno
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from saved_files import snapshot

from bertflow_core.cli import main

RUN = f"{sys.executable} -c 'from bertflow_core.cli import main; main()' --version"


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


def test_what_a_command_writes_is_whole_or_not_there(capsys, here, sentences, table, tiny):
    """Outputs that are there and new ones; what each step of a write leaves: test_files.py."""

    def run(*words):
        with pytest.raises(SystemExit) as left:
            main([*map(str, words)])
        return left.value.code, *capsys.readouterr()

    pairs = (*tiny, "--dataset", table, "--calibrator", "whiten")
    outputs = {
        ("x.npy", "y.npy"): ("embed", sentences, *tiny, "--out"),
        ("c", "d"): ("fit", *pairs, "--out"),
        ("o", "p"): ("compare", *pairs, "--out"),
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
    request.getfixturevalue("no_embedding")  # what follows is seen before the work
    for variable, value, code in [("BERTFLOW_CACHE", "file", 1), ("BERTFLOW_CACHE_GB", "much", 2)]:
        monkeypatch.setenv(variable, value)
        refuses(*evaluate, code=code, words=variable)


FULL = "bertflow-lab: cannot write to standard output: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("output", "code", "said"),
    [(">/dev/full", 1, FULL), (">&-", 0, ""), ("| true", 0, "")],
    ids=["full", "none", "a reader that has left"],
)
def test_standard_output_that_takes_nothing(monkeypatch, output, code, said):
    """In a process of its own, because it is the process's end that writes the rest."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    shell = ["bash", "-c", f"{RUN} {output}; exit ${{PIPESTATUS[0]}}"]
    run = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (code, said)
