"""How many threads torch works with on the CPU, settled for the calling thread alone.

`torch.set_num_threads` is not for that: every thread that begins later takes its number too, and
one that began while another had set 1 would keep 1, and leave it to all that follow.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

__all__ = ["one_thread", "stay_on_one_thread"]


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch's CPU work on the calling thread.

    Operations on few rows are too small to share: a second thread gains nothing on an idle machine,
    and waiting for it takes many times as long as the work on a busy one. It also makes a result
    independent of the number of cores.
    """
    with _openmp().limit(limits=1):
        yield


def stay_on_one_thread() -> None:
    """Keep torch's CPU work on the calling thread until that ends."""
    _openmp().limit(limits=1)


def _openmp() -> "ThreadpoolController":
    import torch

    torch.get_num_threads()  # torch settles a thread's number once, and would do so after us
    return _libraries()


@cache
def _libraries() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="openmp")
