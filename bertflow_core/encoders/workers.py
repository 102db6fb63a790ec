"""The threads that encode: on the CPU one a core, on a GPU two that take turns with it."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

__all__ = ["encoding_threads", "n_workers"]


_PER_GPU = 2


@contextmanager
def encoding_threads(device: "torch.device") -> Iterator[ThreadPoolExecutor]:
    """Yield the pool of threads that use a device.

    On the CPU each core has one, with a single torch thread; they share the weights. Fewer run
    where torch was told to use fewer, as by OMP_NUM_THREADS. A CUDA device has two, each with a
    stream of its own, so that one copies while the other computes. Torch's number of threads,
    which the whole process shares, is afterwards what it was.
    """
    import torch

    with _THREAD_COUNT.kept() as n_torch:
        n_threads, begin = {
            "cpu": (min(_cores(), n_torch), partial(torch.set_num_threads, 1)),
            "cuda": (_PER_GPU, partial(_own_stream, device)),
        }.get(device.type, (1, None))
        pool = ThreadPoolExecutor(n_threads, thread_name_prefix="encode", initializer=begin)
        try:
            yield pool
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def n_workers() -> int:
    """Return how many threads encode on the CPU."""
    with _THREAD_COUNT.kept() as n_torch:
        return min(_cores(), n_torch)


def _own_stream(device: "torch.device") -> None:
    import torch

    stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    torch.cuda.set_stream(stream)


class _ThreadCount:
    """Torch's number of threads from before the first of several runs that overlap."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_runs = 0
        self._before = 0

    @contextmanager
    def kept(self) -> Iterator[int]:
        """Yield that number, and give it back to torch at the end."""
        import torch

        with self._lock:
            if self._n_runs == 0:
                self._before = torch.get_num_threads()
            self._n_runs += 1
        try:
            yield self._before
        finally:
            with self._lock:
                self._n_runs -= 1
                torch.set_num_threads(self._before)


_THREAD_COUNT = _ThreadCount()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
