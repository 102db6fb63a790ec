"""Who is here: connected, or cut off only seconds ago, as by a reload."""

import time
from collections.abc import Callable

AWAY_SECONDS = 10.0
"""Seconds without a connection after which a visitor has left."""


class Presence:
    """The visitors whose pages were drawn and who have not left yet.

    A browser slows the clocks of tabs in the background, so what counts is the connection and not
    whether a page asks for something.

    Args:
        is_connected: Whether the browser of a visitor holds a connection now.
        clock: Seconds that only rise.
    """

    def __init__(
        self, is_connected: Callable[[str], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.is_connected = is_connected
        self._clock = clock
        self._connected_at: dict[str, float] = {}

    def note(self, visitor: str) -> None:
        """Note that a visitor is here."""
        self._connected_at[visitor] = self._clock()

    def gone(self) -> list[str]:
        """Return, each once, the visitors who have left; ask every second or so."""
        now = self._clock()
        for visitor in filter(self.is_connected, list(self._connected_at)):
            self._connected_at[visitor] = now
        left = [who for who, at in self._connected_at.copy().items() if now - at > AWAY_SECONDS]
        for visitor in left:
            del self._connected_at[visitor]
        return left
