"""The callback that long work reports to; raising `Cancelled` from it is the signal to stop."""

from typing import Protocol

__all__ = ["Progress", "silent"]


class Progress(Protocol):
    """Receives how much of a piece of long work is done.

    Work calls it often (many times a second at most), from one thread, and leaves nothing half
    written when it raises. A caller stops the work by raising `bertflow_core.errors.Cancelled`.
    """

    def __call__(self, done: int, total: int, unit: str) -> None:
        """Report that `done` of `total` units ("sentences", "steps") are finished."""
        ...


def silent(done: int, total: int, unit: str) -> None:
    """Report to nobody."""
