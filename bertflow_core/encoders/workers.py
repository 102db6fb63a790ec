"""The threads that encode: on the CPU one a core, each with a single torch thread."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Lock

__all__ = ["encoding_threads"]


@contextmanager
def encoding_threads(*, on_cpu: bool) -> Iterator[ThreadPoolExecutor]:
    """Yield a pool of one thread a core on the CPU, else of one thread.

    Torch's number of threads, which the whole process shares, is afterwards what it was.
    """
    import torch

    pool = ThreadPoolExecutor(
        _cores() if on_cpu else 1,
        thread_name_prefix="encode",
        initializer=partial(torch.set_num_threads, 1) if on_cpu else None,
    )
    with _THREAD_COUNT.kept():
        try:
            yield pool
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class _ThreadCount:
    """Torch's number of threads from before the first of several runs that overlap."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_runs = 0
        self._before = 0

    @contextmanager
    def kept(self) -> Iterator[None]:
        import torch

        with self._lock:
            if self._n_runs == 0:
                self._before = torch.get_num_threads()
            self._n_runs += 1
        try:
            yield
        finally:
            with self._lock:
                self._n_runs -= 1
                torch.set_num_threads(self._before)


_THREAD_COUNT = _ThreadCount()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
