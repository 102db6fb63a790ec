"""How a process reaches the others that share its fit, and what it says when it cannot."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from itertools import count
from typing import Any

from bertflow_core.errors import InputError, ResourceError

__all__ = ["call_roll", "connect", "in_touch"]

_LONGEST_START = timedelta(minutes=5)
"""How long a process waits at most for the store, then for the others, then for connections."""

_joins = count()
"""Numbers what this process joins, since torch's store keeps what was told before."""

_BETWEEN_MACHINES = "; between machines, set GLOO_SOCKET_IFNAME to the interface that they share"

_SOURCE_PLACE = re.compile(r"\[\S+:\d+\] ")
_END = re.compile(r"\. |\n")


@contextmanager
def in_touch(remedy: str = "") -> Iterator[None]:
    """Make a sentence of what torch says where another process does not answer.

    Args:
        remedy: What to do besides.

    Raises:
        ResourceError: Torch failed within the block.
    """
    try:
        yield
    except (RuntimeError, ValueError) as error:
        raise ResourceError(
            f"the other processes of the fit do not answer ({_said(error)}): see what they say, "
            f"and start all of them again{remedy}"
        ) from error


def connect(rank: int, size: int, backend: str) -> Any:  # noqa: ANN401 - torch's
    """Make torch's process group, and return the store through which its processes can tell texts.

    Args:
        rank: Which process this is.
        size: How many there are.
        backend: As torch names it.

    Raises:
        InputError: MASTER_ADDR or MASTER_PORT cannot be used.
        ResourceError: The processes do not reach each other.
    """
    from torch import distributed
    from torch.distributed.distributed_c10d import (
        PrefixStore,
        _set_pg_timeout,
        default_pg_timeout,
    )

    place = ":".join(os.environ.get(name, "") for name in ("MASTER_ADDR", "MASTER_PORT"))
    store = PrefixStore(f"bertflow {next(_joins)}", _opened(place, rank, size))
    call_roll(store, rank, size)
    store.set_timeout(default_pg_timeout)  # of what the fit does, as torch has it
    with in_touch(_BETWEEN_MACHINES):
        distributed.init_process_group(
            backend, store=store, rank=rank, world_size=size, timeout=_LONGEST_START
        )
    _set_pg_timeout(default_pg_timeout)
    return store


@cache  # the first process keeps the store while it runs: others may have joined again already
def _opened(place: str, rank: int, size: int) -> Any:  # noqa: ANN401 - torch's
    """Return the store that torchrun or the first process keeps."""
    from torch.distributed.rendezvous import rendezvous

    make: Any = rendezvous
    try:
        # As of one process: else torch itself waits for the others, and names none of them.
        return next(make("env://", rank, 1, timeout=_LONGEST_START))[0]
    except RuntimeError as error:
        if rank != 0:
            raise _absent(f"0, or torchrun in its place, at {place}", size) from error
        said = _said(error)
    except ValueError as error:
        said = _said(error)
    raise InputError(
        f"MASTER_ADDR and MASTER_PORT cannot be used ({said}): they must be the address of RANK 0 "
        "and a port that is free there"
    )


def call_roll(store: Any, rank: int, size: int) -> None:  # noqa: ANN401 - torch's
    """Return when all processes have started, before torch connects each to each.

    Torch alone would not tell which are missing.

    Args:
        store: Torch's store, which all of them reach.
        rank: Which one this is.
        size: How many there are.

    Raises:
        ResourceError: Some did not start.
    """
    names = [f"here {each}" for each in range(size)]
    with in_touch():
        store.set(names[rank], "")
        try:
            store.wait(names, _LONGEST_START)
        except RuntimeError:
            missing = [str(each) for each, name in enumerate(names) if not store.check([name])]
            if not missing:
                raise
            raise _absent(", ".join(missing), size) from None


def _absent(who: str, size: int) -> ResourceError:
    minutes = _LONGEST_START.total_seconds() / 60
    return ResourceError(
        f"of the {size} processes of the fit some did not start within {minutes:g} minutes "
        f"(RANK {who}): see what they say, and start all of them again"
    )


def _said(error: Exception) -> str:
    """Return the first sentence of what torch says, without the places in its source."""
    return _END.split(_SOURCE_PLACE.sub("", str(error)), maxsplit=1)[0]
