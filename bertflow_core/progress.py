"""The callback that long work reports to; raising `Cancelled` from it is the signal to stop."""

from bertflow_core.context import Progress as Progress

__all__ = ["Progress", "heartbeat", "in_space", "renamed", "silent"]


def silent(done: int, total: int, unit: str) -> None:
    """Report to nobody."""


def heartbeat(progress: Progress, done: int, total: int, unit: str) -> Progress:
    """Return a callback for inner work that repeats how much of the outer work is done."""
    outer = done, total, unit

    def report(done: int, total: int, unit: str) -> None:
        progress(*outer)

    return report


def in_space(progress: Progress, place: int, n_spaces: int) -> Progress:
    """Return a callback that names a space in the unit of what it passes on.

    Args:
        progress: The callback that receives the reports.
        place: Index of the space, from 0.
        n_spaces: Number of spaces; if there is only one, nothing is added.
    """
    where = f", space {place + 1} of {n_spaces}" if n_spaces > 1 else ""

    def report(done: int, total: int, unit: str) -> None:
        progress(done, total, unit + where)

    return report


def renamed(progress: Progress, name: str) -> Progress:
    """Return a callback that passes reports on under another unit."""

    def report(done: int, total: int, unit: str) -> None:
        progress(done, total, name)

    return report
