"""Where a store may lie: on a link, where nothing can be written, and where there is no home."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import platformdirs
import pytest
from fake_encoder import FakeEncoder, vector

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.store import EmbeddingStore, default_root

SENTENCES = [f"sentence {i}" for i in range(6)]
EXPECTED = np.array([vector("fake", s, 2, "mean", 4) for s in SENTENCES])
CHANGES = ("utime", "mkdir", "rmdir", "unlink", "rename", "replace", "chmod")


def embed(root: Path, encoder: FakeEncoder | None = None, **options: int) -> np.ndarray:
    store = EmbeddingStore(root, **options)
    return store.embed(encoder or FakeEncoder(), SENTENCES, layers="last").x


@pytest.fixture
def read_only(monkeypatch) -> Callable[[], None]:
    """Return a function after which the disk may only be read, for root as well."""
    real_open = os.open

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def open_to_read(path: object, flags: int, *args: object, **options: object) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            refuse()
        return real_open(path, flags, *args, **options)

    def begin() -> None:
        monkeypatch.setattr(os, "open", open_to_read)
        for name in CHANGES:
            monkeypatch.setattr(os, name, refuse)

    return begin


@pytest.mark.parametrize("limit", [1 << 30, 1], ids=["within the bound", "above the bound"])
def test_a_read_only_store_that_holds_everything_is_enough(tmp_path, read_only, limit):
    embed(tmp_path)
    read_only()
    x = embed(tmp_path, FakeEncoder(is_broken=True), limit_bytes=limit)
    np.testing.assert_array_equal(x, EXPECTED)
    assert EmbeddingStore(tmp_path).entries()[0].n_sentences == 6


def test_what_a_read_only_store_lacks_is_refused_in_one_sentence(tmp_path, read_only):
    embed(tmp_path)
    read_only()
    with pytest.raises(ResourceError, match=r"Read-only file system.*BERTFLOW_CACHE"):
        EmbeddingStore(tmp_path).embed(FakeEncoder(is_broken=True), ["new"], layers="last")


def test_a_store_may_be_a_link(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "cache").symlink_to("disk")
    embed(tmp_path / "cache")
    x = embed(tmp_path / "disk", FakeEncoder(is_broken=True))
    np.testing.assert_array_equal(x, EXPECTED)
    assert EmbeddingStore(tmp_path / "cache").clear() > 0
    assert (tmp_path / "cache").is_symlink()


def test_a_link_to_nothing_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "cache").symlink_to("gone")
    with pytest.raises(ResourceError, match="BERTFLOW_CACHE"):
        embed(tmp_path / "cache")


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of Unix")
def test_what_is_stored_takes_the_umask_so_that_a_group_may_share_it(tmp_path):
    before = os.umask(0o002)
    try:
        embed(tmp_path / "store")
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "store").rglob("*")}
    assert {0o775 if len(name) == 32 else 0o664 for name in modes} == set(modes.values())
    assert ".lock" in modes


def test_without_a_home_the_store_must_be_named(monkeypatch):
    monkeypatch.delenv("BERTFLOW_CACHE")
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert default_root().is_absolute()  # the system knows the user's
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: Path("~/.cache") / name)
    with pytest.raises(InputError, match="BERTFLOW_CACHE"):
        default_root()
