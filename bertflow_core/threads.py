"""How many threads torch works with on the CPU, settled for the calling thread alone.

`torch.set_num_threads` is not for that: every thread that begins later takes its number too, and
one that began while another had set 1 would keep 1, and leave it to all that follow. OpenMP and
MKL, which share torch's work out, each have a number for every thread.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch's CPU work on the calling thread.

    Operations on few rows are too small to share: a second thread gains nothing on an idle machine,
    and waiting for it takes many times as long as the work on a busy one. It also makes a result
    independent of the number of cores.
    """
    with _openmp().limit(limits=1):
        before = _mkl()(1)
        try:
            yield
        finally:
            _mkl()(before)


def stay_on_one_thread() -> None:
    """Keep torch's CPU work on the calling thread until that ends."""
    _openmp().limit(limits=1)
    _mkl()(1)


def _openmp() -> "ThreadpoolController":
    import torch

    torch.get_num_threads()  # torch settles a thread's number once, and would do so after us
    return _libraries()


@cache
def _libraries() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="openmp")


@cache
def _mkl() -> Callable[[int], int]:
    """Return what sets MKL's number for the calling thread, 0 for the process's, and tells it."""
    import torch

    try:
        library = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"))
        set_here: Callable[[int], int] = library.MKL_Set_Num_Threads_Local
    except (OSError, AttributeError):  # built without MKL, or not on Linux
        return lambda n_threads: 0
    return set_here
