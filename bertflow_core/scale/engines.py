"""Where the work on many files is done: in this process, or in tasks of a Ray cluster."""

import logging
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bertflow_core import context
from bertflow_core.errors import (
    BertFlowError,
    Cancelled,
    InputError,
    ResourceError,
    check_name,
    explain,
)
from bertflow_core.scale.batches import boxed
from bertflow_core.wording import quoted, reason

PROCESS, RAY, ROWS = "process", "ray", "rows"

Item = TypeVar("Item")
Result = TypeVar("Result")


def results(
    files: Mapping[Path, int],
    items: Sequence[Item],
    work: Callable[[Item], Result],
    engine: str,
    address: str | None,
    is_heavy: bool = False,
    n_before: int = 0,
) -> list[Result]:
    """Return what is made of each file's item, in their order; a fault stops no other file.

    Args:
        files: What each item is of, and how many rows it has.
        items: What the work is done on, which can be pickled, as can the work and the results.
        work: What is done.
        engine: `process`, or `ray`.
        address: Of a running Ray cluster; None starts one of this machine alone.
        is_heavy: Whether one file keeps a GPU busy, or all cores of a machine without.
        n_before: Rows that were done before.
    """
    check_name(engine, (PROCESS, RAY), "engine")
    if engine != RAY and address is not None:
        raise InputError(f"an address belongs to the engine ray, got {quoted(address)}: name both")
    names, counts = [file.name for file in files], [*files.values()]
    finished, in_all, outer = n_before, n_before + sum(counts), context.listener()

    def of_all(done: int, total: int, unit: str) -> None:
        outer(finished + (done if unit == ROWS else 0), in_all, ROWS)

    results: dict[int, Result] = {}
    faults: list[BertFlowError] = []
    shown: list[str] = []
    each = _on_ray(items, work, address, is_heavy) if engine == RAY else _here(items, work)
    with context.reporting(of_all):
        context.report(0, in_all, ROWS)
        for place, made in each:
            if isinstance(made, BertFlowError):
                faults.append(made)
                shown.append(f"{names[place]}: {made}")
                continue
            results[place] = made
            finished += counts[place]
            context.report(0, in_all, ROWS)
    if faults:
        is_input = any(isinstance(fault, InputError) for fault in faults)
        raise (InputError if is_input else ResourceError)(
            f"{len(faults):,} of {len(files):,} files failed ({'; '.join(shown[:3])}"
            f"{'; ...' if len(faults) > 3 else ''}): run it again when they are corrected or taken "
            "away; what was written is kept"
        )
    return [results[place] for place in range(len(items))]


def _on_ray(
    items: Sequence[Item], work: Callable[[Item], Result], address: str | None, is_heavy: bool
) -> Iterator[tuple[int, Result | BertFlowError]]:
    if not items:
        return
    with _cluster(address) as ray:
        places = [{"place": place} for place in range(len(items))]
        data = ray.data.from_items(places, override_num_blocks=len(items))
        data.context.enable_progress_bars = data.context.print_on_execution_start = False
        data.context.execution_no_progress_timeout_s = -1  # a file may take hours
        machines = [each["Resources"] for each in ray.nodes() if each["Alive"]]
        cores = [int(each.get("CPU", 0)) for each in machines if each.get("CPU", 0) >= 1]
        gpus = sum(int(each.get("GPU", 0)) for each in machines)
        if not cores:
            raise ResourceError("the Ray cluster has no machine with a free core: add one")
        how: dict[str, Any] = {"num_cpus": min(cores) if is_heavy else 1}
        task: Any = _Task(items, work)
        if is_heavy and gpus:  # an actor keeps its model; the process of a GPU's task ends
            task, how = _Task, {"num_gpus": 1, "concurrency": gpus}
            how["fn_constructor_args"] = (items, work)
        try:
            for row in data.map_batches(task, **how, batch_size=1).iter_rows():
                yield int(row["place"]), row["made"]
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except ray.exceptions.RayError as error:
            raise ResourceError(
                f"the Ray cluster failed ({reason(error)}): run it again, what was written is kept"
            ) from error


class _Task:
    """The work as `map_batches` calls it, on a batch of one row, the place of an item."""

    def __init__(self, items: Sequence[Any], work: Callable[[Any], Any]) -> None:
        self._items, self._work = items, work

    def __call__(self, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        made = _attempt(self._work, self._items[int(batch["place"][0])])
        return {"place": batch["place"], "made": boxed(made)}


def _here(
    items: Sequence[Item], work: Callable[[Item], Result]
) -> Iterator[tuple[int, Result | BertFlowError]]:
    return ((place, _attempt(work, item)) for place, item in enumerate(items))


def _attempt(work: Callable[[Item], Result], item: Item) -> Result | BertFlowError:
    """Return what is made of an item, or what the user can put right about it."""
    try:
        return work(item)
    except Exception as error:
        fault = explain(error)
        if fault is None or isinstance(fault, Cancelled):
            raise
        return fault


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
        options |= {"include_dashboard": False, "object_store_memory": 512 << 20}
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
    """Return an address with its port, where somebody listens: Ray itself would ask for minutes."""
    if address == "auto":
        return address
    host, _, port = (address if ":" in address else f"{address}:6379").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=10):
            return f"{host}:{port}"
    except (OSError, OverflowError, ValueError) as error:
        raise ResourceError(
            f"there is no Ray cluster at {quoted(address)} ({reason(error)}): expected auto, HOST "
            "or HOST:PORT; start one with `ray start --head`"
        ) from error
