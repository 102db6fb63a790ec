"""How functions are compiled here, and where compiled code is kept."""

import hashlib
import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba

from bertflow_core.errors import InputError
from bertflow_core.files import cache_folder

__all__ = ["code_folder", "entry", "kernel"]

Function = TypeVar("Function", bound=Callable[..., Any])

_MOST_VERSIONS = 4
"""Digests whose code is kept: versions installed side by side, or branches worked on in turn."""

_njit: Any = numba.njit  # its stubs do not know every option
_config: Any = numba.config

# Sums may be taken in another order, as vector instructions do. Infinity and NaN keep their
# meaning: they tell that a fit diverged.
_OPTIONS = {
    "fastmath": {"contract", "nsz", "reassoc"},
    "nogil": True,
    "error_model": "numpy",
}


def kernel(function: Function) -> Function:
    """Return a function that is compiled into the entries that call it."""
    options = _OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    part: Function = _njit(**options)(function)
    return part


def entry(function: Function) -> Function:
    """Return a function that Python calls; compiled at its first call, then kept on disk.

    It runs without Python's lock. Where nothing can be kept, each process compiles it again.
    """
    compiled = _njit(**_OPTIONS)(function)
    folder = code_folder()
    if folder is not None:
        before, _config.CACHE_DIR = _config.CACHE_DIR, str(folder)
        try:
            compiled.enable_caching()
        finally:
            _config.CACHE_DIR = before
    called: Function = compiled
    return called


@cache
def code_folder() -> Path | None:
    """Return a folder for compiled code that nobody else can write to, or None.

    It lies in `BERTFLOW_COMPILED`, or in `compiled` in the cache, which a group may share.

    Code is read from it, so it is of no use where other users could put theirs. Its name has the
    digest of all that is compiled, since numba looks at the file of an entry alone.
    """
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    user = "user" if os.name == "nt" else str(os.getuid())
    try:
        home = Path(os.environ.get("BERTFLOW_COMPILED") or cache_folder() / "compiled") / user
        folder = home / digest.hexdigest()[:16]
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True)
            _leave_the_newest(home)
        state = folder.stat()
    except (InputError, OSError):
        return None
    is_own = os.name == "nt" or (str(state.st_uid) == user and not state.st_mode & 0o022)
    return folder if is_own and os.access(folder, os.W_OK) else None


def _leave_the_newest(home: Path) -> None:
    """Remove the code of older versions, so that the folder stays small."""
    versions = sorted(home.iterdir(), key=lambda folder: folder.stat().st_mtime)
    for folder in versions[:-_MOST_VERSIONS]:
        shutil.rmtree(folder, ignore_errors=True)
