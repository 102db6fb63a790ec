"""On how many threads torch works where the work is small."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["one_thread"]


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch's CPU work on the calling thread.

    The operations of a step, or on few rows, are too small to share: a second thread gains nothing
    on an idle machine, and waiting for it takes many times as long as the work on a busy one. It
    also makes the result independent of the number of cores. Threads that run already keep their
    own setting.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
