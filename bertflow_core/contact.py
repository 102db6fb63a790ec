"""What a process says when it cannot reach the others that share its fit."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from bertflow_core.errors import ResourceError

__all__ = ["call_roll", "in_touch"]

_LONGEST_START = timedelta(minutes=5)
"""How long the first process may wait for the last one to start."""

_SOURCE_PLACE = re.compile(r"\[\S+:\d+\] ")
_END = re.compile(r"\. |\n")


@contextmanager
def in_touch(remedy: str = "") -> Iterator[None]:
    """Make a sentence of what torch says where another process does not answer.

    Args:
        remedy: What to do besides.

    Raises:
        ResourceError: Torch failed within the block.
    """
    try:
        yield
    except (RuntimeError, ValueError) as error:
        raise ResourceError(
            f"the other processes of the fit do not answer ({_said(error)}): see what they say, "
            f"and start all of them again{remedy}"
        ) from error


def call_roll(store: Any, rank: int, size: int) -> None:  # noqa: ANN401 - torch's
    """Return when all processes have started, before torch connects each to each.

    One that was lost before would be waited for as long as a step may take, half an hour.

    Args:
        store: Torch's store, which all of them reach.
        rank: Which one this is.
        size: How many there are.

    Raises:
        ResourceError: Some did not start.
    """
    names = [f"here {each}" for each in range(size)]
    with in_touch():
        store.set(names[rank], "")
        try:
            store.wait(names, _LONGEST_START)
        except RuntimeError:
            missing = [str(each) for each, name in enumerate(names) if not store.check([name])]
            if not missing:
                raise
            minutes = _LONGEST_START.total_seconds() / 60
            raise ResourceError(
                f"of the {size} processes of the fit some did not start within {minutes:g} "
                f"minutes (RANK {', '.join(missing)}): see what they say, and start all of them "
                "again"
            ) from None


def _said(error: Exception) -> str:
    """Return the first sentence of what torch says, without the places in its source."""
    return _END.split(_SOURCE_PLACE.sub("", str(error)), maxsplit=1)[0]
