"""Caches: where they lie, and which entries go first where their size is bounded."""

import os
from pathlib import Path

import pytest

from bertflow_core.errors import InputError
from bertflow_core.store.blocks import cache_folder, cache_limit, delete, tidy


def test_the_folder_is_named_by_the_environment(monkeypatch, tmp_path):
    assert cache_folder() == Path(os.environ["BERTFLOW_CACHE"])
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BERTFLOW_CACHE", "~/here")
    assert cache_folder() == tmp_path / "here"
    monkeypatch.setenv("BERTFLOW_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert "bertflow-lab" in str(cache_folder())
    monkeypatch.setenv("BERTFLOW_CACHE", "~nobody-here/x")
    with pytest.raises(InputError, match=r"BERTFLOW_CACHE.*'~nobody-here/x'"):
        cache_folder()


def test_the_size_bound_is_named_by_the_environment(monkeypatch):
    for text, n_bytes in (("", 20 << 30), ("0.5", 1 << 29)):
        monkeypatch.setenv("BERTFLOW_CACHE_GB", text)
        assert cache_limit() == n_bytes
    for text in ("0", "nan", "1 GB", "1e9"):
        monkeypatch.setenv("BERTFLOW_CACHE_GB", text)
        with pytest.raises(InputError, match=rf"BERTFLOW_CACHE_GB must be a number.*got '{text}'"):
            cache_limit()


def test_what_was_used_just_now_stays_and_what_is_gone_already_is_passed_over(tmp_path):
    old, new, gone = (tmp_path / name for name in ("old", "new", "gone"))
    for hour, path in enumerate((old, new)):
        path.write_bytes(b"0123456789")
        os.utime(path, (3600 * hour, 3600 * hour))
    tidy([], 0, used=[old, gone])
    tidy([gone, old, new], 10)
    assert [path.exists() for path in (old, new)] == [True, False]
    assert [delete(old), delete(old)] == [10, 0]
