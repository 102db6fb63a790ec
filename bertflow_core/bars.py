"""Bars that show how far long work is, in a terminal and in a notebook."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bertflow_core.context import Progress, reporting


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Draw a bar for each piece of work that reports within; yield the callback that does it.

    In a terminal they are on standard error; where that is no terminal, nothing is drawn. In a
    notebook they are widgets of the cell.

    Example:
        >>> from bertflow_core import progress_bars
        >>> with progress_bars() as progress:
        ...     progress(1, 2, "sentences")
    """
    bar: Any = None
    work, shown = (0, ""), 0

    def report(done: int, total: int, unit: str) -> None:
        nonlocal bar, work, shown
        # The next piece of work may look like the last: a second fit of as many steps.
        if bar is None or (total, unit) != work or done < shown or shown == total:
            close()
            bar, work, shown = _bar(total, f" {unit}"), (total, unit), 0
        bar.update(done - shown)
        shown = done

    def close() -> None:
        if bar is None:
            return
        bar.close()
        # A notebook leaves a bar that did not reach its end, as where work tells only of its start.
        if hasattr(bar, "container"):
            bar.container.close()

    try:
        with reporting(report):
            yield report
    finally:
        close()


def _bar(total: int, unit: str) -> Any:  # noqa: ANN401 - a terminal's or a notebook's
    from tqdm.auto import tqdm  # late: it looks for a notebook

    return tqdm(total=total, unit=unit, file=sys.stderr, disable=None, leave=False)
