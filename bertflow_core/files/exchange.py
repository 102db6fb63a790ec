"""A folder put under a name that another one has: in one step, where the system has such a step."""

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["put_in_place"]

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def put_in_place(new: Path, target: Path, aside: Path) -> None:
    """Give `new` the name `target`; what had it is then under `new` or `aside`, or gone if empty.

    Killed at any moment, the name has the old or the new content. Only where two names cannot be
    exchanged may it have none, for an instant; the old content is then `aside`.

    Args:
        new: What is put there.
        target: The name.
        aside: A name that is free, in a folder that may be missing.

    Raises:
        OSError: The disk refused; `target` is as it was.
    """
    if not os.path.lexists(target):
        os.replace(new, target)
    elif not _exchange(new, target):
        aside.parent.mkdir(exist_ok=True)
        os.replace(target, aside)
        try:
            os.replace(new, target)
        except BaseException:
            os.replace(aside, target)
            raise


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two names in one step; False, and nothing done, where that cannot be."""
    call = _renameat2()
    if call is None:
        return False
    done: int = call(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    return done == 0


@cache
def _renameat2() -> Any:  # noqa: ANN401 - a function of the C library, or None
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None), "renameat2", None)
