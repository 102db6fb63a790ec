"""What the process keeps for visitors, results and tables: the least recently used go first."""

import threading
from collections import OrderedDict
from typing import Any


class Kept:
    """Values by name, safe to share between threads.

    Args:
        most: Values that are kept; one more takes the place of the least recently used.
        most_bytes: Bytes that values whose size was told hold together; the latest always stays.
    """

    def __init__(self, most: int = 64, most_bytes: int = 512 << 20) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._values: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Any:  # noqa: ANN401 - what was put
        """Return the value of that name, which was used just now, or None where it is gone."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: str, value: object, n_bytes: int = 0) -> None:
        """Keep a value; `n_bytes` tells the size of one that a visitor brought."""
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
