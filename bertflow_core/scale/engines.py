"""Where the work on many files is done: in this process, or in tasks of a Ray cluster."""

import logging
import os
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

import numpy as np

from bertflow_core.errors import BertFlowError, InputError, ResourceError, choose
from bertflow_core.wording import quoted, reason

Item = TypeVar("Item")
Result = TypeVar("Result")

Note = Callable[[int], None]
"""Told how many rows of an item are done."""

Work = Callable[[Item, Note], Result]
"""Does the work on one item; it can be pickled, as can the items and the results."""

_PORT, _AUTO = "6379", "auto"
_PATIENCE = 10.0
"""Seconds that a machine may take to answer."""

_OBJECT_BYTES = 512 << 20


class EngineName(StrEnum):
    """The engines."""

    PROCESS = "process"
    RAY = "ray"


def each_of(
    items: Sequence[Item],
    work: Work[Item, Result],
    note: Callable[[int, int], None],
    *,
    engine: str,
    address: str | None,
    is_heavy: bool = False,
) -> Iterator[tuple[int, Result | BertFlowError]]:
    """Yield the place and the result of each item when it is finished, in any order.

    What the user can put right about one item is its result; the others go on.

    Args:
        items: What the work is done on.
        work: What is done.
        note: Told here of the place of an item and how many of its rows are done.
        engine: `process`, or `ray`.
        address: Of a running Ray cluster; None starts one of this machine alone.
        is_heavy: Whether one item keeps a GPU busy, or all cores of a machine without.

    Raises:
        InputError: An unknown engine, an address without `ray`, or Ray is not installed.
        ResourceError: There is no cluster at the address, or it failed.
    """
    if choose(EngineName, engine, "engine") == EngineName.RAY:
        yield from _on_ray(items, work, address, is_heavy=is_heavy)
    elif address is not None:
        raise InputError(f"an address belongs to the engine ray, got {quoted(address)}: name both")
    else:
        for place, item in enumerate(items):
            yield place, _attempt(work, item, partial(note, place))


def _attempt(work: Work[Item, Result], item: Item, note: Note) -> Result | BertFlowError:
    try:
        return work(item, note)
    except (InputError, ResourceError) as error:
        return error


class _Task:
    """The work as `map_batches` calls it, on a batch of one row, the place of an item."""

    def __init__(self, items: Sequence[Any], work: Work[Any, Any]) -> None:
        self._items, self._work = items, work

    def __call__(self, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        made = np.empty(1, object)
        made[0] = _attempt(self._work, self._items[int(batch["place"][0])], lambda rows: None)
        return {"place": batch["place"], "made": made}


def _on_ray(
    items: Sequence[Item], work: Work[Item, Result], address: str | None, *, is_heavy: bool
) -> Iterator[tuple[int, Result | BertFlowError]]:
    with _cluster(address) as ray:
        places = [{"place": place} for place in range(len(items))]
        data = ray.data.from_items(places, override_num_blocks=max(1, len(items)))
        data.context.enable_progress_bars = data.context.print_on_execution_start = False
        data.context.execution_no_progress_timeout_s = -1  # a file may take hours
        how = _how(ray, (items, work), is_heavy=is_heavy)
        try:
            for row in data.map_batches(**how, batch_size=1).iter_rows() if items else ():
                yield int(row["place"]), row["made"]
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except ray.exceptions.RayError as error:
            raise ResourceError(
                f"the Ray cluster failed ({reason(error)}): run it again, what was written is kept"
            ) from error


def _how(ray: Any, given: tuple[Any, ...], *, is_heavy: bool) -> dict[str, Any]:  # noqa: ANN401
    """Return what `map_batches` is told of a task, and of what it takes of a machine."""
    machines = [each["Resources"] for each in ray.nodes() if each["Alive"]]
    cores = [int(each.get("CPU", 0)) for each in machines if each.get("CPU", 0) >= 1]
    gpus = sum(int(each.get("GPU", 0)) for each in machines)
    if not cores:
        raise ResourceError("the Ray cluster has no machine with a free core: add one")
    if is_heavy and gpus:  # an actor keeps its model; the process of a task with a GPU ends
        return {"fn": _Task, "fn_constructor_args": given, "num_gpus": 1, "concurrency": gpus}
    n_cores = min(cores) if is_heavy else 1
    return {"fn": _Task(*given), "num_cpus": n_cores}


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """Yield ray, connected to a cluster; one that the caller is connected to is used and left.

    Without an address a cluster of this machine alone is started, which listens on 127.0.0.1 and
    ends with the block.
    """
    try:
        import ray
        import ray.data
    except ImportError:
        raise InputError(
            'the engine ray is not installed: pip install "bertflow-lab[scale]", or take the '
            "engine process"
        ) from None
    if ray.is_initialized():
        yield ray
        return
    options: dict[str, Any] = {"address": _listening(address) if address else "local"}
    if address is None:
        options |= {"include_dashboard": False, "object_store_memory": _OBJECT_BYTES}
        options["_node_ip_address"] = "127.0.0.1"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        ray.init(**options, log_to_driver=False, logging_level="ERROR")
    except (OSError, RuntimeError, ValueError) as error:  # such as another version of Ray there
        raise ResourceError(
            f"cannot connect to Ray at {quoted(address or 'this machine')} ({reason(error)}): "
            "start a cluster with `ray start --head`, of the same versions on every machine; where "
            "one asks for a token, set RAY_AUTH_MODE=token"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _listening(address: str) -> str:
    """Return an address with its port, where somebody listens: Ray itself would ask for minutes.

    Raises:
        InputError: It is no HOST:PORT.
        ResourceError: Nobody answers.
    """
    if address == _AUTO:
        return address
    host, _, port = (address if ":" in address else f"{address}:{_PORT}").rpartition(":")
    if not (host and "://" not in address and re.fullmatch("[0-9]{1,5}", port)):
        raise InputError(
            f"{quoted(address)} is no address of Ray: expected auto, HOST or HOST:PORT"
        )
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE):
            return f"{host}:{port}"
    except (OSError, OverflowError) as error:
        raise ResourceError(
            f"there is no Ray cluster at {quoted(address)} ({reason(error)}): start one with `ray "
            "start --head`"
        ) from error
