"""Run something in a forked child that is killed at its n-th change of a name, for every n."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from threading import RLock

import pytest
from tqdm import tqdm
from waiting import wait_for

from bertflow_core.files import exchange

__all__ = ["forked", "killed_after", "killed_everywhere"]

CHANGES = ("mkdir", "rmdir", "unlink", "remove", "rename", "replace", "link", "symlink", "fsync")
"""Each is watched before and after; and `open` where it makes a file, and renameat2."""


def killed_everywhere(action: Callable[[], object]) -> Iterator[int]:
    """Run an action again and again, killed at its n-th change; yield n after each run.

    Nothing kills the last one. What each run finds is what the user of this iterator has left.
    """
    for n in count(1):
        code = forked(lambda n=n: _watched(action, n))
        assert code in (0, -signal.SIGKILL), code
        yield n
        if code == 0:
            return


def killed_after(seconds: float, action: Callable[[], object]) -> bool:
    """Run an action in a child that the clock kills; say whether it was killed before its end."""

    def timed() -> None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends the process where it is
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
        action()

    code = forked(timed)
    assert code in (0, -signal.SIGALRM), code
    return code != 0


def forked(action: Callable[[], object]) -> int:
    """Run an action in a copy of this process; return its exit code, below 0 for a signal."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = _quietly(action)
        finally:
            os._exit(code)
    _, status = wait_for(lambda: _ended(child), every=0.001)
    return os.waitstatus_to_exitcode(status)


def _ended(child: int) -> tuple[int, int] | None:
    done, status = os.waitpid(child, os.WNOHANG)
    return (done, status) if done else None


def _quietly(action: Callable[[], object]) -> int:
    """Run an action without a word; return the code of a `SystemExit`."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    tqdm.set_lock(RLock())  # the parent's is shared, and a killed child would hold it for ever
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(null, stream)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
    try:
        action()
    except SystemExit as left:
        return int(left.code or 0)
    return 0


def _watched(action: Callable[[], object], n: int) -> None:
    """Run an action and kill this process at its n-th change."""
    changes = count(1)

    def step() -> None:
        if next(changes) == n:
            os.kill(os.getpid(), signal.SIGKILL)

    def watched(call: Callable[..., object]) -> Callable[..., object]:
        def change(*args: object, **options: object) -> object:
            if call.__name__ == "open" and not int(str(args[1])) & os.O_CREAT:
                return call(*args, **options)
            step()
            result = call(*args, **options)
            step()
            return result

        return change

    renameat2 = exchange._renameat2()
    with pytest.MonkeyPatch.context() as patch:
        for name in (*CHANGES, "open"):
            patch.setattr(os, name, watched(getattr(os, name)))
        if renameat2 is not None:
            patch.setattr(exchange, "_renameat2", lambda: watched(renameat2))
        action()
