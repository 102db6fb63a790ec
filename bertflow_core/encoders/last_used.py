"""The encoder that was used last, so that what it has loaded serves again."""

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

__all__ = ["LastEncoder"]

Encoder = TypeVar("Encoder")


class LastEncoder(threading.local):
    """Keeps one encoder for each thread, since a tokenizer must not be used by two at once."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, Any] | None = None

    def of(self, key: Hashable, make: Callable[[], Encoder]) -> Encoder:
        """Return the encoder that was made under this key, or make it and forget the last one.

        One key must stand for one kind of encoder.
        """
        if self._kept is None or self._kept[0] != key:
            self._kept = None  # two at once would need the memory of both
            self._kept = key, make()
        encoder: Encoder = self._kept[1]
        return encoder

    def __reduce__(self) -> tuple[type["LastEncoder"], tuple[()]]:
        return type(self), ()  # another process loads its own
