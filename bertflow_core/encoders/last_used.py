"""The encoder that was used last, so that what it has loaded serves again."""

import threading
from collections.abc import Callable, Hashable

from bertflow_core.encoders.transformer import TransformerEncoder

__all__ = ["LastEncoder"]


class LastEncoder(threading.local):
    """Keeps one encoder for each thread, since a tokenizer must not be used by two at once."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, TransformerEncoder] | None = None

    def of(self, key: Hashable, make: Callable[[], TransformerEncoder]) -> TransformerEncoder:
        """Return the encoder that was made under this key, or make it and forget the last one."""
        if self._kept is None or self._kept[0] != key:
            self._kept = None  # two at once would need the memory of both
            self._kept = key, make()
        return self._kept[1]

    def __reduce__(self) -> tuple[type["LastEncoder"], tuple[()]]:
        return type(self), ()  # another process loads its own
