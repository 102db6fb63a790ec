"""Run something in a copy of this process that the clock kills."""

import os
import signal
from collections.abc import Callable
from threading import RLock

from tqdm import tqdm

__all__ = ["killed_after"]


def killed_after(seconds: float, action: Callable[[], object]) -> bool:
    """Run an action in a child that is killed after so many seconds; say whether it was."""
    child = os.fork()
    if child == 0:
        try:
            tqdm.set_lock(RLock())  # the parent's is shared, and the child would hold it for ever
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends the process where it is
            signal.setitimer(signal.ITIMER_REAL, seconds)
            action()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)
