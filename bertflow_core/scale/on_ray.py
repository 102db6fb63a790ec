"""Ray as an engine: a task a shard, tried again elsewhere when its worker is lost."""

import os
import socket
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.scale.engines import Fault, Item, Need, Note, Result, Told, Work, guarded
from bertflow_core.wording import quoted, reason

__all__ = ["OnRay", "cluster", "import_ray"]

_RETRIES = 3
_PORT, _AUTO = 6379, "auto"
_PATIENCE = 10.0
"""Seconds that a machine may take to answer."""

_OBJECT_BYTES = 512 << 20
_SECONDS = 0.5
_QUIET = {"log_to_driver": False, "logging_level": "ERROR"}


def import_ray() -> Any:  # noqa: ANN401 - it is an extra
    """Return the package ray.

    Raises:
        InputError: It is not installed.
    """
    try:
        import ray
    except ImportError:
        raise InputError(
            'the engine ray is not installed: pip install "bertflow-lab[scale]", or take the '
            "engine process"
        ) from None
    return ray


@contextmanager
def cluster(address: str | None) -> Iterator[Any]:
    """Yield ray, connected to a cluster; one that the caller is connected to is used and left.

    Args:
        address: `auto` or HOST:PORT; None starts a cluster of this machine alone, which listens on
            127.0.0.1 and ends with the block.

    Raises:
        InputError: Ray is not installed, or the address is none.
        ResourceError: There is no cluster at the address.
    """
    ray = import_ray()
    if ray.is_initialized():
        yield ray
        return
    if address is not None and address != _AUTO:
        _check_listens(_with_port(address))
    where = f"the Ray cluster at {quoted(address)}" if address else "Ray on this machine"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        if address is None:
            ray.init(
                "local",
                include_dashboard=False,
                object_store_memory=_OBJECT_BYTES,
                _node_ip_address="127.0.0.1",
                **_QUIET,
            )
        else:
            ray.init(_with_port(address), **_QUIET)
    except (ConnectionError, OSError, TimeoutError) as error:
        raise ResourceError(
            f"cannot connect to {where} ({reason(error)}): start one "
            "with `ray start --head`; where one runs that asks for a token, set RAY_AUTH_MODE=token"
        ) from error
    except ValueError as error:
        raise InputError(f"{quoted(address)} is no address of Ray: {reason(error)}") from error
    except RuntimeError as error:  # such as another version of Ray or of Python there
        raise ResourceError(f"cannot use {where}: {reason(error)}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


class OnRay:
    """Does the work in tasks of a cluster; the process of a task keeps its encoder for the next.

    Args:
        ray: The package, connected.
    """

    def __init__(self, ray: Any) -> None:  # noqa: ANN401 - it is an extra
        self._ray = ray

    def run(
        self, work: Work[Item, Result], items: Sequence[Item], *, need: Need, told: Told
    ) -> Iterator[tuple[int, Result | Fault]]:
        """Do as `Engine.run` says."""
        ray = self._ray
        cost, at_once = self._cost(need)
        task = ray.remote(**cost, max_retries=_RETRIES, max_calls=0)(_attempt)
        meter = ray.remote(num_cpus=0, max_restarts=-1)(_Meter).remote()
        shared, waiting = ray.put(work), deque(enumerate(items))
        running: dict[Any, int] = {}
        try:
            while waiting or running:
                while waiting and len(running) < 2 * at_once:
                    place, item = waiting.popleft()
                    running[task.remote(shared, place, item, meter)] = place
                ready, _ = ray.wait([*running], timeout=_SECONDS)
                self._read(meter, told)
                for each in ready:
                    yield running.pop(each), self._result(each)
        finally:
            for each in running:
                ray.cancel(each, force=True)
            ray.kill(meter)

    def _cost(self, need: Need) -> tuple[dict[str, float], int]:
        """Return what a task takes of a machine, and how many run at once."""
        machines = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        cores = [int(each.get("CPU", 0)) for each in machines if each.get("CPU", 0) >= 1]
        gpus = sum(int(each.get("GPU", 0)) for each in machines)
        if not cores:
            raise ResourceError("the Ray cluster has no machine with a free core: add one")
        if need == Need.GPU and gpus:
            return {"num_gpus": 1, "num_cpus": 1}, gpus
        if need == Need.CORE:
            return {"num_cpus": 1}, sum(cores)
        smallest = min(cores)
        return {"num_cpus": smallest}, sum(each // smallest for each in cores)

    def _read(self, meter: Any, told: Told) -> None:  # noqa: ANN401 - an actor
        try:
            noted = self._ray.get(meter.read.remote())
        except self._ray.exceptions.RayError:  # lost with its machine, and about to be replaced
            return
        for place, done in noted.items():
            told(place, done)

    def _result(self, task: Any) -> Any:  # noqa: ANN401 - a reference of Ray's
        errors = self._ray.exceptions
        try:
            return self._ray.get(task)
        except errors.RayTaskError as error:
            raise error.cause from error
        except errors.RayError as error:
            return Fault(f"its worker was lost {_RETRIES + 1} times ({reason(error)})", False)


class _Meter:
    """How many rows of each item are done; it lives in a process of its own."""

    def __init__(self) -> None:
        self._done: dict[int, int] = {}

    def note(self, place: int, done: int) -> None:
        self._done[place] = done

    def read(self) -> dict[int, int]:
        """Return what was noted since the last time."""
        done, self._done = self._done, {}
        return done


def _attempt(work: Work[Item, Result], place: int, item: Item, meter: Any) -> Result | Fault:  # noqa: ANN401
    return guarded(work, item, _seldom(lambda done: meter.note.remote(place, done)))


def _seldom(note: Note) -> Note:
    """Return a note that passes on one message in half a second at most."""
    last = 0.0

    def noting(done: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS:
            last = time.monotonic()
            note(done)

    return noting


def _check_listens(address: str) -> None:
    """Refuse an address that nobody listens at: Ray itself would ask again for minutes.

    Raises:
        InputError: It is no HOST:PORT.
        ResourceError: Nobody answers.
    """
    host, _, port = address.rpartition(":")
    is_url = "://" in address
    if (
        is_url
        or not host
        or not port.isascii()
        or not port.isdigit()
        or not 0 < int(port) < 1 << 16
    ):
        raise InputError(
            f"{quoted(address)} is no address of Ray: expected auto, HOST or HOST:PORT"
        )
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE):
            return
    except OSError as error:
        raise ResourceError(
            f"there is no Ray cluster at {quoted(address)} ({reason(error)}): start one with `ray "
            "start --head`"
        ) from error


def _with_port(address: str) -> str:
    if address == _AUTO or ":" in address:
        return address
    return f"{address}:{_PORT}"
