"""Where things are written before they get their name: a hidden folder beside the target.

A process holds a lock on its scratch folder, which the kernel drops when the process ends. So a
folder that nobody holds was left by one that was killed, and is swept by the next that writes
there; what a living process writes, a stopped one's too, stays.
"""

import os
import re
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["SCRATCH", "Scratch", "scratch_beside", "sweep_scratch"]

SCRATCH = ".bertflow-"

_NAME = re.compile(re.escape(SCRATCH) + "[0-9a-f]{8}")
_ASIDE = "old"
_LEFT_AFTER = 3600.0


class Scratch:
    """The scratch folder of one target.

    Attributes:
        new: Where to write; its name has no ending, so that no pattern finds it.
        old: Where to put what has the target's name meanwhile. If the process is killed before
            the target is there, the next one puts it back.
    """

    def __init__(self, home: Path, name: str) -> None:
        self.new = home / "new"
        self.old = home / _ASIDE / name


@contextmanager
def scratch_beside(path: Path) -> Iterator[Scratch]:
    """Give a scratch folder on the disk of `path`, which is gone afterwards with all it holds.

    Raises:
        OSError: The disk refused.
    """
    sweep_scratch(path.parent)
    home, lock = _new_home(path.parent)
    try:
        yield Scratch(home, path.name)
    finally:
        shutil.rmtree(home, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def sweep_scratch(folder: Path) -> None:
    """Delete what killed processes left in a folder, once what they had put aside is back."""
    for home in _homes(folder):
        try:
            lock = _take(home)
        except BlockingIOError:
            continue
        except OSError:  # a disk without locks
            lock = None
            if not _is_old(home):
                continue
        for old in _entries(home / _ASIDE):
            if not os.path.lexists(folder / old.name):
                with suppress(OSError):
                    os.replace(old, folder / old.name)
        shutil.rmtree(home, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _new_home(folder: Path) -> tuple[Path, int | None]:
    """Make a scratch folder and hold its lock; None on a disk without locks."""
    while True:
        home = folder / f"{SCRATCH}{uuid.uuid4().hex[:8]}"
        home.mkdir()
        try:
            return home, _take(home)
        except (BlockingIOError, FileNotFoundError):
            continue  # another process swept it before it was locked
        except OSError:
            return home, None


def _take(home: Path) -> int:
    """Lock a scratch folder without waiting; return the handle that holds the lock.

    Raises:
        BlockingIOError: Another process holds it.
        FileNotFoundError: It is gone.
        OSError: There are no locks here.
    """
    if fcntl is None:
        raise OSError("no locks on folders")
    handle = os.open(home, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.stat(home)  # who held it until now may have deleted it
    except BaseException:
        os.close(handle)
        raise
    return handle


def _homes(folder: Path) -> list[Path]:
    return [
        path
        for path in _entries(folder)
        if _NAME.fullmatch(path.name) and path.is_dir() and not path.is_symlink()
    ]


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # none there, or not ours to read
        return []


def _is_old(home: Path) -> bool:
    with suppress(OSError):
        return time.time() - home.stat().st_mtime > _LEFT_AFTER
    return False
