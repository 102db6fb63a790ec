"""Several processes that share one fit, as torchrun or Ray Train starts them."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING, Any

from bertflow_core.contact import connect, in_touch
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch
    from torch import Tensor

__all__ = ["ALONE", "Processes", "current_processes", "joined_processes"]

_LONGEST_READ = timedelta(days=7)
"""How long a process waits for what another one reads."""


@dataclass(frozen=True, eq=False)
class Processes:
    """The processes of a fit, seen from one of them.

    Attributes:
        rank: Which one this is, from 0.
        size: How many there are.
        local_rank: Which one of its machine this is, from 0.
    """

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    _store: Any = field(default=None, repr=False)
    _turns: Iterator[int] = field(default_factory=count, repr=False)

    @property
    def leads(self) -> bool:
        """Whether this is the one that reports and writes."""
        return self.rank == 0

    def part(self, rows: "Tensor") -> "Tensor":
        """Return this process's part of the rows of a batch; sizes differ by at most one."""
        first, last = (len(rows) * rank // self.size for rank in (self.rank, self.rank + 1))
        return rows[first:last]

    def add_up(self, tensors: "Sequence[Tensor]") -> None:
        """Set each tensor to its sum over all processes, in one message.

        Args:
            tensors: Of one dtype, and of equal shapes in every process.

        Raises:
            ResourceError: Another process has ended.
        """
        if self.size == 1:
            return
        import torch

        flat = torch.cat([each.flatten() for each in tensors])
        self._reduce(flat, "SUM")
        sizes = [each.numel() for each in tensors]
        for each, total in zip(tensors, flat.split_with_sizes(sizes), strict=True):
            each.copy_(total.view_as(each))

    def follow(self, tensors: "Sequence[Tensor]") -> None:
        """Set each tensor to what it is in the process that leads.

        Raises:
            ResourceError: Another process has ended.
        """
        if self.size == 1:
            return
        from torch import distributed

        with in_touch():
            for each in tensors:
                distributed.broadcast(each, 0)

    def check_equal(self, content: bytes, device: "torch.device") -> None:
        """Refuse to go on unless `content` is the same in every process.

        Args:
            content: What tells rows and options apart.
            device: Where the fit runs.

        Raises:
            InputError: It differs.
            ResourceError: Another process has ended.
        """
        if self.size == 1:
            return
        import torch

        number = int.from_bytes(blake2b(content, digest_size=7).digest(), "little")
        ends = torch.tensor([number, -number], dtype=torch.int64, device=device)
        self._reduce(ends, "MAX")  # to the largest number, and the smallest with its sign changed
        if int(ends.sum()) != 0:
            raise InputError(
                f"the {self.size} processes have different rows, options or kinds of device: give "
                "all of them the same files and the same command"
            )

    @property
    def can_tell(self) -> bool:
        """Whether there are others, and texts can be sent to them."""
        return self._store is not None

    def tell(self, name: str, text: str) -> None:
        """Let the others know something, by name.

        Raises:
            ResourceError: The processes do not reach each other any more.
        """
        with in_touch():
            self._store.set(name, text)

    def hear(self, name: str) -> str:
        """Wait until one tells something, and return it.

        Raises:
            ResourceError: The processes do not reach each other any more.
        """
        with in_touch():
            self._store.wait([name], _LONGEST_READ)
            return str(self._store.get(name).decode())

    def turn(self) -> int:
        """Return how often this process has asked before: a number for what all do in one order."""
        return next(self._turns)

    def meet(self) -> None:
        """Return when every process has come here; one that still reads is waited for.

        Raises:
            ResourceError: Another process has ended.
        """
        if self.size == 1:
            return
        import torch
        from torch import distributed

        group: Any = distributed.group.WORLD
        options = distributed.AllreduceOptions()
        options.timeout = _LONGEST_READ
        with in_touch():
            group.allreduce([torch.zeros(1)], options).wait()

    def is_first(self, name: str) -> bool:
        """Tell whether no process has asked this before.

        Where none can ask any more, as the machine that counts is lost, it is the first process of
        every machine.
        """
        try:
            return self._store is None or self._store.add(name, 1) == 1
        except RuntimeError:
            return self.local_rank == 0

    def _reduce(self, tensor: "Tensor", operation: str) -> None:
        from torch import distributed

        with in_touch():
            distributed.all_reduce(tensor, getattr(distributed.ReduceOp, operation))


ALONE = Processes()
_current: ContextVar[Processes] = ContextVar("processes", default=ALONE)


def current_processes() -> Processes:
    """Return the processes that share the fits of this one, which is alone by default."""
    return _current.get()


@contextmanager
def joined_processes(device: str | None = None) -> Iterator[Processes]:
    """Share the fits within the block among all processes that were started together.

    Each runs the same code on the same rows. Every batch is dealt out among them and the gradients
    are added up, so that all come to the same flow: that of one process, up to rounding. Where
    torch has its process group, as in a worker of Ray Train, it is used; otherwise it is made from
    the variables that torchrun sets. Without them a process is alone.

    Args:
        device: Where fits are asked to run; None is the best device.

    Raises:
        InputError: The variables or the device cannot be used.
        ResourceError: The processes do not reach each other.

    Example:
        >>> from bertflow_core.processes import joined_processes
        >>> with joined_processes() as processes:
        ...     processes.rank, processes.size
        (0, 1)
    """
    is_there = _has_group()
    processes = _of_group() if is_there else _of_variables(device)
    token = _current.set(processes)
    try:
        yield processes
    finally:
        _current.reset(token)
    if processes.size > 1 and not is_there:  # after a failure it might wait for the lost
        from torch import distributed

        distributed.destroy_process_group()


def _has_group() -> bool:
    if "torch" not in sys.modules:
        return False
    from torch import distributed

    return distributed.is_available() and distributed.is_initialized()


def _of_group() -> Processes:
    from torch import distributed

    rank, size = distributed.get_rank(), distributed.get_world_size()
    return Processes(rank, size, _number("LOCAL_RANK", rank))


def _of_variables(device: str | None) -> Processes:
    """Join the processes that the variables of the environment tell of."""
    size, rank = _number("WORLD_SIZE", 1), _number("RANK", 0)
    if size == 1:
        return ALONE
    if rank >= size:
        raise InputError(f"RANK must be below WORLD_SIZE, which is {size}, got {rank}")
    local_rank = _number("LOCAL_RANK", rank)
    import torch

    has_gpu = device in (None, "cuda") and torch.cuda.is_available()
    if has_gpu:
        _take_card(local_rank)
    elif device is not None and ":" in device:
        raise InputError(
            f"each process takes a GPU of its own: give --device cuda, not {quoted(device)}"
        )
    backend = "cpu:gloo,cuda:nccl" if has_gpu else "gloo"
    processes = Processes(rank, size, local_rank, connect(rank, size, backend))
    processes.check_equal(backend.encode(), torch.device("cpu"))
    return processes


def _take_card(local_rank: int) -> None:
    import torch

    n_cards = torch.cuda.device_count()
    if local_rank >= n_cards:
        raise InputError(
            f"more processes than GPUs: this machine has {n_cards}; start as many processes, or "
            "give --device cpu"
        )
    torch.cuda.set_device(local_rank)


def _number(variable: str, default: int) -> int:
    text = os.environ.get(variable) or str(default)
    if not text.isdecimal():
        raise InputError(f"{variable} must be a number from 0, got {quoted(text)}")
    return int(text)
