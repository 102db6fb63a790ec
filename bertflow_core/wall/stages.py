"""Progress of a wall: each report of inner work says which of the spaces it is about."""

from bertflow_core.progress import Progress

__all__ = ["in_space", "renamed"]


def in_space(progress: Progress, place: int, n_spaces: int) -> Progress:
    """Return a callback that names a space in the unit of what it passes on.

    Args:
        progress: Who is told.
        place: Which space, from 0.
        n_spaces: How many there are; of one alone nothing is added.
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
