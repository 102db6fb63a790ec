"""Where compiled code is kept, and a process that compiles while this one does other work."""

import atexit
import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.files import cache_folder

__all__ = ["code_folder", "compile_ahead", "is_compiling", "wait_for_compiler"]

_MOST_VERSIONS = 4
"""Digests whose code is kept: versions installed side by side, or branches worked on in turn."""

_COMPILE = """
import os
import sys
if hasattr(os, "nice"):
    os.nice(int(sys.argv[1]))
import torch
from bertflow_core.flows.compiled.fitting import use_all
use_all(torch.float32)
"""

_compilers: "list[subprocess.Popen[bytes]]" = []


def compile_ahead(*, niceness: int = 0) -> None:
    """Compile what a flow's fit needs, in a process of its own, unless compiled code is kept.

    Args:
        niceness: How far that process stands back behind others, up to 19, where there is such.
    """
    folder = code_folder()
    if folder is None or any(folder.rglob("*.nbi")):
        return
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _COMPILE, str(niceness)],
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
    )
    atexit.register(process.terminate)
    _compilers.append(process)


def is_compiling() -> bool:
    """Return whether a process that `compile_ahead` started is at work."""
    return any(process.poll() is None for process in _compilers)


def wait_for_compiler() -> None:
    """Return when no process compiles any more; what it could not, its caller compiles."""
    for process in _compilers:
        process.wait()


@cache
def code_folder() -> Path | None:
    """Return a folder for compiled code that nobody else can write to, or None.

    It lies in `BERTFLOW_COMPILED`, or in `compiled` in the cache, which a group may share.

    Code is read from it, so it is of no use where other users could put theirs. Its name has the
    digest of all that is compiled, since numba looks at the file of an entry alone.
    """
    digest = hashlib.sha256()
    for source in sorted((Path(__file__).parent / "flows").rglob("*.py")):
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
