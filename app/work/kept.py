"""Values that the process keeps for visitors; the least recently used are removed first."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import streamlit as st

SHARED_FILE_MB = 20
"""Largest upload, in MB, on a server with several visitors."""

MOST_BYTES = 512 << 20
"""Largest total size, in bytes, of the results and uploads kept on a shared server."""


def enlarged(n_bytes: int) -> int:
    """Scale a bound with the largest file allowed, which is larger on a private server."""
    return n_bytes * max(1, int(st.get_option("server.maxUploadSize")) // SHARED_FILE_MB)


class Kept:
    """Values by name for threads to share: at most `most`, of at most `most_bytes` in all.

    The latest value always stays.
    """

    def __init__(self, most: int = 64, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._values: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Any:  # noqa: ANN401 - what was put
        """Return the value of that name and mark it as just used; None if it is gone."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: str, value: object) -> None:
        """Keep a value."""
        n_bytes = size_of(value)
        with self._lock:
            self._values[key] = value, n_bytes
            self._values.move_to_end(key)
            while len(self._values) > max(1, self._most) or self._are_too_large():
                self._values.popitem(last=False)

    def values(self) -> list[Any]:
        """Return all values, the least recently used first."""
        with self._lock:
            return [value for value, _ in self._values.values()]

    def _are_too_large(self) -> bool:
        sizes = [n_bytes for _, n_bytes in self._values.values()]
        return len(sizes) > 1 and sum(sizes) > self._most_bytes


def size_of(value: object) -> int:
    """Return how many bytes a value and its parts hold, each counted once; 0 for a number."""
    sizes: dict[int, int] = {}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        while isinstance(each, np.ndarray) and isinstance(each.base, np.ndarray):
            each = each.base
        if id(each) not in sizes:
            sizes[id(each)] = each.nbytes if isinstance(each, np.ndarray) else sys.getsizeof(each)
            parts = list(_parts(each))
            texts = [part for part in parts if isinstance(part, str)]  # up to a million
            sizes.update(zip(map(id, texts), map(sys.getsizeof, texts), strict=True))
            waiting += [part for part in parts if not isinstance(part, (str, int, float))]
    return sum(sizes.values())


def _parts(value: Any) -> Iterator[Any]:  # noqa: ANN401 - what is kept
    if isinstance(value, dict):
        yield from (*value, *value.values())
    elif isinstance(value, list | tuple):
        yield from value
    elif is_dataclass(value) and not isinstance(value, type):
        yield from (getattr(value, each.name, None) for each in fields(value))
    elif type(value).__module__.startswith("bertflow_"):
        yield from vars(value).values() if hasattr(value, "__dict__") else ()
