"""The threads that encode: on the CPU one a core, on a GPU two that take turns with it."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from bertflow_core.threads import stay_on_one_thread

if TYPE_CHECKING:
    import torch

__all__ = ["encoding_threads", "n_workers"]


_PER_GPU = 2


@contextmanager
def encoding_threads(device: "torch.device") -> Iterator[ThreadPoolExecutor]:
    """Yield the pool of threads that use a device.

    On the CPU each core has one, with a single torch thread; they share the weights. Fewer run
    where torch was told to use fewer, as by OMP_NUM_THREADS. A CUDA device has two, each with a
    stream of its own, so that one copies while the other computes.
    """
    n_threads, begin = 1, None
    if device.type == "cpu":
        n_threads, begin = n_workers(), stay_on_one_thread
    elif device.type == "cuda":
        n_threads, begin = _PER_GPU, partial(_own_stream, device)
    pool = ThreadPoolExecutor(n_threads, thread_name_prefix="encode", initializer=begin)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def n_workers() -> int:
    """Return how many threads encode on the CPU."""
    import torch

    return min(_cores(), torch.get_num_threads())


def _own_stream(device: "torch.device") -> None:
    import torch

    stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    torch.cuda.set_stream(stream)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
