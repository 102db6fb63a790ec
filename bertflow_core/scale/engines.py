"""Engines that process many files: this process, or Ray Data with one task per file."""

import logging
import os
import socket
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bertflow_core.errors import (
    BertFlowError,
    Cancelled,
    ResourceError,
    check_name,
    explain,
    listed,
)
from bertflow_core.runtime import context
from bertflow_core.runtime.lazy import of_extra
from bertflow_core.wording import quoted, reason

PROCESS, RAY = "process", "ray"
ROWS = "rows"
"""The unit of progress; reports in other units do not change the count."""


def made_of(
    files: Mapping[Path, int],
    work: Callable[[Path], Any],
    engine: str,
    address: str | None,
    *,
    is_heavy: bool = False,
) -> Generator[Any, None, None]:
    """Yield the result of each file in order; an error in one file does not stop the others.

    `files` maps each file to its number of rows. Heavy work occupies a GPU, or all cores of a
    machine without a GPU.
    """
    check_name(engine, (PROCESS, RAY), "engine")
    if not files:
        return
    before, in_all = 0, sum(files.values())
    listener, faults = context.listener(), dict[str, BertFlowError]()

    def of_all(done: int, total: int, unit: str) -> None:
        listener(before + (done if unit == ROWS else 0), in_all, ROWS)

    results = (_tried(work, file) for file in files)
    if engine == RAY or address is not None:
        results = _by_ray([*files], partial(_tried, work), address, is_heavy)
    context.report(0, in_all, ROWS)
    with closing(results):
        for file, n_rows in files.items():
            with context.reporting(of_all):
                made = next(results)
            if isinstance(made, BertFlowError):
                faults[file.name] = made
                continue
            before += n_rows
            context.report(before, in_all, ROWS)
            yield made
    if faults:
        names, first = listed(list(faults)), next(iter(faults.values()))
        raise type(first)(
            f"{len(faults):,} of {len(files):,} files failed ({names}; {first}): correct or "
            "remove these files and run it again; finished files are kept"
        )


def _tried(work: Callable[[Path], Any], file: Path) -> Any:  # noqa: ANN401
    """Return the result of a file, or an error that the user can correct."""
    try:
        return work(file)
    except Exception as error:
        fault = explain(error)
        if fault is None or isinstance(fault, Cancelled):
            raise
        return fault


class _Called:
    """A callable for `map_batches`; each batch has a single row, one file to work on."""

    def __init__(self, work: Callable[[Path], Any]) -> None:
        self.work = work

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        return {"made": [self.work(Path(str(batch["file"][0])))]}


def _by_ray(
    files: Sequence[Path], work: Callable[[Path], Any], address: str | None, is_heavy: bool
) -> Generator[Any, None, None]:
    """Yield the result of each file in order, as computed by Ray."""
    names = [{"file": str(file)} for file in files]
    with _cluster(address) as ray:
        data = ray.data.from_items(names, override_num_blocks=len(names))
        data.context.enable_progress_bars = data.context.print_on_execution_start = False
        data.context.execution_no_progress_timeout_s = -1  # a file may take hours
        data.context.execution_options.preserve_order = True
        machines = [each["Resources"] for each in ray.nodes() if each["Alive"]]
        gpus = sum(int(each.get("GPU", 0)) for each in machines)
        if is_heavy and gpus:  # an actor keeps its model; a task's process ends
            how = {"num_gpus": 1, "concurrency": gpus, "fn_constructor_args": (work,)}
            made = data.map_batches(_Called, batch_size=1, **how)
        else:
            cores = [int(each["CPU"]) for each in machines if each.get("CPU", 0) >= 1]
            n_cores = min(cores, default=1) if is_heavy else 1
            made = data.map_batches(_Called(work), batch_size=1, num_cpus=n_cores)
        try:
            yield from (row["made"] for row in made.iter_rows())
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except ray.exceptions.RayError as error:
            raise ResourceError(
                f"the Ray cluster failed ({reason(error)}): run this again; finished files are kept"
            ) from error


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """Yield `ray`, connected to a cluster; an existing connection is reused and left open.

    Without an address a cluster on this machine is started and ends with the block.
    """
    what, otherwise = "the engine ray is not installed", ", or choose the engine process"
    of_extra("scale", "ray.data", what, otherwise=otherwise)
    import ray

    if ray.is_initialized():
        yield ray
        return
    options: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": "ERROR"}
    if address is None:
        options.update(address="local", include_dashboard=False, object_store_memory=512 << 20)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        if address not in (None, "auto"):  # is a server listening? Ray would retry for minutes
            host, _, port = (address if ":" in address else f"{address}:6379").rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
            options["address"] = f"{host}:{port}"
        ray.init(**options)
    except (OSError, OverflowError, RuntimeError, ValueError) as error:  # or versions differ
        raise ResourceError(
            f"cannot connect to Ray at {quoted(address or 'this machine')} ({reason(error)}): "
            "expected auto, HOST or HOST:PORT; start a cluster with `ray start --head`, with the "
            "same versions on every machine; if it asks for a token, set RAY_AUTH_MODE=token"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()
