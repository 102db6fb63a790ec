"""What the process keeps for visitors: one bound in bytes over all of it, results and tables."""

import threading
from collections import OrderedDict
from typing import Any

from bertflow_app.memory import Holdings, bytes_together, holdings


class Kept:
    """Values by name; the least recently used go first. Safe to share between threads.

    Args:
        limit_bytes: Most bytes that all values hold together; what two of them share counts once,
            and the latest is kept whatever it holds.
    """

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self._values: OrderedDict[str, tuple[Any, Holdings]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Any:  # noqa: ANN401 - what was put
        """Return the value of that name, which was used just now, or None where it is gone."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: str, value: object) -> None:
        """Keep a value; it is counted here, once, so it should not grow later."""
        counted = holdings(value)
        with self._lock:
            self._values[key] = value, counted
            self._values.move_to_end(key)
            while len(self._values) > 1 and self._counted() > self.limit_bytes:
                self._values.popitem(last=False)

    def values(self) -> list[Any]:
        """Return all values, the least recently used first."""
        with self._lock:
            return [value for value, _ in self._values.values()]

    @property
    def nbytes(self) -> int:
        """Bytes that all values hold together."""
        with self._lock:
            return self._counted()

    def _counted(self) -> int:
        return bytes_together(counted for _, counted in self._values.values())
