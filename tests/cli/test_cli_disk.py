"""A disk that is full or refuses: exit code 1, one sentence, and what was there is there still."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
RUN = [sys.executable, "-c", "from bertflow_core.cli import main; main()"]


@pytest.fixture
def stored(works, here, sentences, table, tiny):
    """Vectors `x.npy` and a calibrator `c`, both computed once, so that all is in the cache."""
    works("embed", sentences, *tiny, "--out", "x.npy")
    works("fit", *tiny, "--dataset", table, "--calibrator", "whiten", "--out", "c")


def fail(*_, **__):
    raise FULL


def half_write(stream, array, **_):
    stream.write(array.tobytes()[:10])
    raise FULL


@pytest.fixture(params=["numpy.save", "os.replace"])
def full(request, monkeypatch):
    """A disk that is full in the midst of the file, or at its renaming."""
    monkeypatch.setattr(request.param, half_write if request.param == "numpy.save" else fail)


@pytest.mark.usefixtures("stored")
class TestVectors:
    @pytest.mark.parametrize("out", [("y.npy",), ("x.npy", "--force")])
    def test_are_written_whole_or_not_at_all(self, full, refuses, sentences, tiny, out):
        options = ("--out", *out)
        words = (out[0], "No space left on device")
        refuses("embed", sentences, *tiny, *options, code=1, words=words)
        refuses("calibrate", "x.npy", "--calibrator", "c", *options, code=1, words=words)

    def test_an_interrupt_leaves_nothing_half_written(self, monkeypatch, refuses, sentences, tiny):
        def interrupt(stream, array, **_):
            stream.write(b"half")
            raise KeyboardInterrupt

        monkeypatch.setattr(np, "save", interrupt)
        refuses("embed", sentences, *tiny, "--out", "y.npy", code=130, words="interrupted")


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize(
    "fault", ["os.replace", "safetensors.numpy.save_file", "pathlib.Path.mkdir"]
)
@pytest.mark.parametrize("out", ["c", "d"])
def test_a_calibrator_is_saved_whole_or_not_at_all(refuses, monkeypatch, table, tiny, fault, out):
    monkeypatch.setattr(fault, fail)
    options = ("--dataset", table, "--calibrator", "standardize", "--out", out)
    refuses("fit", *tiny, *options, code=1, words=(out, "No space left on device"))


def test_a_full_cache_is_reported(refuses, monkeypatch, table, sentences, tiny):
    monkeypatch.setattr(os, "replace", fail)
    words = ("cache", "No space left on device", "BERTFLOW_CACHE")
    refuses("evaluate", *tiny, "--dataset", table, code=1, words=words)
    refuses("embed", sentences, *tiny, "--out", "x.npy", code=1, words=words)
    refuses("fit", *tiny, "--dataset", table, "--out", "c", code=1, words=words)


def test_a_disk_too_small_is_reported_before_work(refuses, no_embedding, monkeypatch, table, tiny):
    monkeypatch.setattr("bertflow_core.store.blocks.free_bytes", lambda root: 1000)
    refuses("evaluate", *tiny, "--dataset", table, code=1, words=("free", "BERTFLOW_CACHE"))


def test_a_cache_that_is_a_file_is_reported(refuses, no_embedding, monkeypatch, here, table, tiny):
    (here / "cache").write_text("", encoding="utf-8")
    monkeypatch.setenv("BERTFLOW_CACHE", str(here / "cache"))
    refuses("evaluate", *tiny, "--dataset", table, code=1, words="BERTFLOW_CACHE")


@pytest.mark.parametrize("size", ["much", "0", "-1", "nan"])
def test_a_bound_that_is_none(refuses, no_embedding, monkeypatch, size):
    monkeypatch.setenv("BERTFLOW_CACHE_GB", size)
    refuses("data", "cache", words=("BERTFLOW_CACHE_GB", repr(size)))


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
