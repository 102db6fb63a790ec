"""Many files on a Ray cluster: Ray Data with one task per file."""

import logging
import os
import socket
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bertflow_core.errors import ResourceError
from bertflow_core.runtime.lazy import of_extra
from bertflow_core.wording import quoted, reason


class _Called:
    """A callable for `map_batches`; each batch has a single row, one file to work on."""

    def __init__(self, work: Callable[[Path], Any]) -> None:
        self.work = work

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        return {"made": [self.work(Path(str(batch["file"][0])))]}


def by_ray(
    work: Callable[[Path], Any], files: Sequence[Path], address: str, *, is_heavy: bool
) -> Generator[Any, None, None]:
    """Yield the result of each file in order, as computed by Ray.

    Heavy work occupies a GPU, or all cores of a machine without a GPU.
    """
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
def _cluster(address: str) -> Iterator[Any]:
    """Give Ray, connected to a cluster; an existing connection is reused and left open."""
    otherwise = ", or leave --address out to process the files here"
    of_extra("scale", "ray.data", "Ray is not installed", otherwise=otherwise)
    import ray

    if ray.is_initialized():
        yield ray
        return
    options: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": "ERROR"}
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        if address != "auto":  # is a server listening? Ray would retry for minutes
            host, _, port = (address if ":" in address else f"{address}:6379").rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
            options["address"] = f"{host}:{port}"
        ray.init(**options)
    except (OSError, OverflowError, RuntimeError, ValueError) as error:  # or versions differ
        raise ResourceError(
            f"cannot connect to Ray at {quoted(address)} ({reason(error)}): expected auto, HOST "
            "or HOST:PORT; start a cluster with `ray start --head`, with the same versions on "
            "every machine; if it asks for a token, set RAY_AUTH_MODE=token"
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()
