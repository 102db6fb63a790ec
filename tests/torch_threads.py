"""Torch's number of threads, which a test sets and asks for."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import torch


@contextmanager
def torch_threads(n: int) -> Iterator[None]:
    """Let this thread, and those that begin meanwhile, have n threads of torch."""
    before = torch.get_num_threads()
    torch.set_num_threads(n)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def thread_count() -> int:
    """Return how many threads torch works with here: the most of its own, OpenMP's and MKL's."""
    told = torch.__config__.parallel_info()  # where MKL's are named, if there is MKL
    counts = map(int, re.findall(r"max_threads\(\) : (\d+)", told))
    return max(torch.get_num_threads(), *counts)


def thread_counts() -> tuple[int, int]:
    """Return how many threads torch works with here and in a new thread."""
    with ThreadPoolExecutor(1) as new:
        return thread_count(), new.submit(thread_count).result()
