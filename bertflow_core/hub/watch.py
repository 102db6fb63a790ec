"""Limits under which the hub's client works: on each wait, on the whole and on the bytes.

The client's own time limits cover only some of its requests. Hooks on its requests and answers
cover all; they do nothing to requests that are made outside a `watched` block.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Lock
from typing import Any

import httpx2 as httpx
from huggingface_hub import constants, set_client_factory
from huggingface_hub.utils import _http, logging

from bertflow_core.errors import ResourceError
from bertflow_core.progress import Progress

__all__ = ["LONGEST_WAIT", "Watch", "asked_wait", "watched"]

LONGEST_WAIT = 30
"""Seconds that a hub may ask its clients to wait; one that asks for more is given up."""

_LISTING_BYTES = 64 << 20
_MB = 1_000_000


class Watch:
    """One visit to the hub.

    Args:
        seconds: Time limit of the whole visit.
        progress: Receives megabytes; a visit is stopped by raising `Cancelled` from it.
        noun: What is fetched or sent.
        patience: Seconds that the hub may take for one answer; None takes the client's own limit.
        sends: Whether this side sends.

    Attributes:
        total: Bytes that are still to move when the transfer starts; 0 before.
    """

    def __init__(
        self,
        seconds: float,
        progress: Progress,
        noun: str,
        *,
        patience: float | None = None,
        sends: bool = False,
    ) -> None:
        self.total = 0
        self.patience = patience or constants.HF_HUB_DOWNLOAD_TIMEOUT
        self._moved = 0
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._progress = progress
        self._sends = sends
        self._unit = f"MB of the {noun}"

    def check(self) -> float:
        """Report progress and return the seconds that are left.

        Raises:
            ResourceError: None are left, or far more bytes came than were announced.
            Cancelled: By `progress`.
        """
        done = min(self._moved, self.total)
        self._progress(done // _MB, max(1, math.ceil(self.total / _MB)), self._unit)
        if self._moved > _LISTING_BYTES + 4 * self.total:  # parts are sent again after a cut
            raise ResourceError("the hub sends more than it announced: check HF_ENDPOINT")
        left = self._end - time.monotonic()
        if left <= 0:
            raise self._too_late()
        return left

    def _too_late(self) -> ResourceError:
        within = f"within {self._seconds:,g} s: set BERTFLOW_HUB_SECONDS to a longer time"
        if self._sends:
            return ResourceError(f"the hub did not take it {within}")
        return ResourceError(f"the hub did not send it {within} (what arrived whole is kept)")

    def moved(self, n_bytes: int) -> None:
        """Count bytes that arrived or were sent; raises as `check`."""
        self._moved += n_bytes
        self.check()

    def pause(self, seconds: float) -> None:
        """Wait before another attempt; raises as `check`."""
        for _ in range(math.ceil(5 * seconds)):
            self.check()
            time.sleep(0.2)


_WATCH: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Let the client work under `watch`, in silence and without its Rust download path.

    That path (Xet) has its own connections, which no hook sees.
    """
    token = _WATCH.set(watch)
    _SETTINGS.enter()
    try:
        yield
    finally:
        _SETTINGS.leave()
        _WATCH.reset(token)


class _Settings:
    """Settings that all threads share: the first to enter makes them, the last to leave undoes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_inside = 0
        self._before: tuple[int, bool] = (0, False)

    def enter(self) -> None:
        with self._lock:
            self._n_inside += 1
            if self._n_inside == 1:
                _hook_client()
                self._before = logging.get_verbosity(), constants.HF_HUB_DISABLE_XET
                logging.set_verbosity_error()  # type: ignore[no-untyped-call]
                constants.HF_HUB_DISABLE_XET = True

    def leave(self) -> None:
        with self._lock:
            self._n_inside -= 1
            if not self._n_inside:
                verbosity, constants.HF_HUB_DISABLE_XET = self._before
                logging.set_verbosity(verbosity)


_SETTINGS = _Settings()


@cache
def _hook_client() -> None:
    """Add the hooks to each client that the present factory, perhaps the user's own, will make."""
    make_client = _http._GLOBAL_CLIENT_FACTORY

    def make_hooked() -> Any:  # noqa: ANN401 - the client's class has changed its library before
        client = make_client()
        client.event_hooks["request"].append(_limit_waits)
        client.event_hooks["response"].append(_count_bytes)
        return client

    set_client_factory(make_hooked)


def _limit_waits(request: httpx.Request) -> None:
    watch = _WATCH.get()
    if watch is None:
        return
    longest = min(watch.check(), watch.patience)
    given = request.extensions.get("timeout", {})
    request.extensions["timeout"] = {
        wait: min(given.get(wait) or longest, longest)
        for wait in ("connect", "read", "write", "pool")
    }
    request.stream = _counted(request.stream, watch)


def _count_bytes(response: httpx.Response) -> None:
    watch = _WATCH.get()
    if watch is None:
        return
    wait = asked_wait(response)
    if response.status_code == 429 and wait > LONGEST_WAIT:
        raise ResourceError(
            f"the hub has had too many requests and asks to wait {wait:,} s: try again then, or "
            "log in with `hf auth login`"
        )
    response.stream = _counted(response.stream, watch)


def asked_wait(response: httpx.Response) -> int:
    """Return the seconds that an answer asks its client to wait; 0 where it does not ask."""
    asked = response.headers.get("Retry-After", "")
    return int(asked) if asked.isdecimal() and len(asked) < 10 else 0


def _counted(stream: object, watch: Watch) -> "_Counted":
    """Return a body with its bytes counted; the client here gives such as are read in turn."""
    if not isinstance(stream, httpx.SyncByteStream):
        raise ResourceError(
            f"the hub's client gives a body that cannot be counted ({type(stream).__name__}): "
            'pip install --upgrade "bertflow-lab"'
        )
    return _Counted(stream, watch)


class _Counted(httpx.SyncByteStream):
    """A body whose bytes are counted as they come."""

    def __init__(self, stream: httpx.SyncByteStream, watch: Watch) -> None:
        self._stream, self._watch = stream, watch

    def __iter__(self) -> Iterator[bytes]:
        for part in self._stream:
            self._watch.moved(len(part))
            yield part

    def close(self) -> None:
        self._stream.close()
