"""Torch's number of threads, which a test sets and asks for."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["thread_counts", "torch_threads"]


@contextmanager
def torch_threads(n: int) -> Iterator[None]:
    """Let this thread, and those that begin meanwhile, have n threads of torch."""
    before = torch.get_num_threads()
    torch.set_num_threads(n)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def thread_counts() -> tuple[int, int]:
    """Return torch's number of threads here and in a new thread."""
    result = []
    new = threading.Thread(target=lambda: result.append(torch.get_num_threads()))
    new.start()
    new.join()
    return torch.get_num_threads(), result[0]
