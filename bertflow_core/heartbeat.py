"""Progress of work within work: the inner one may be stopped, the outer one is what is shown."""

from bertflow_core.progress import Progress

__all__ = ["heartbeat"]


def heartbeat(progress: Progress, done: int, total: int, unit: str) -> Progress:
    """Return a callback for inner work that repeats how much of the outer work is done."""
    outer = done, total, unit

    def report(done: int, total: int, unit: str) -> None:
        progress(*outer)

    return report
