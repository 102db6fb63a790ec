"""What an engine is: it does the same work on many shards; one process does it in turn."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from bertflow_core.errors import BertFlowError, InputError

__all__ = [
    "Engine",
    "EngineName",
    "Fault",
    "Need",
    "Note",
    "OneProcess",
    "Told",
    "Work",
    "guarded",
]

Item = TypeVar("Item")
Result = TypeVar("Result")

Note = Callable[[int], None]
"""Told how many rows of an item are done."""

Told = Callable[[int, int], None]
"""Told the place of an item and how many of its rows are done."""

Work = Callable[[Item, Note], Result]
"""Does the work on one item."""


class EngineName(StrEnum):
    """The engines."""

    PROCESS = "process"
    RAY = "ray"


class Need(StrEnum):
    """What the work on one item keeps busy."""

    CORE = "core"
    MACHINE = "machine"
    GPU = "gpu"
    """A GPU where the machines have one, else every core of a machine."""


@dataclass(frozen=True)
class Fault:
    """Why one item could not be worked on; the others go on.

    Attributes:
        sentence: For the user.
        is_input: Whether the input is wrong, rather than a machine.
    """

    sentence: str
    is_input: bool


class Engine(Protocol):
    """Does the same work on many items."""

    def run(
        self, work: Work[Item, Result], items: Sequence[Item], *, need: Need, told: Told
    ) -> Iterator[tuple[int, Result | Fault]]:
        """Yield the place and the result of each item when it is finished, in any order.

        Args:
            work: What is done; it can be pickled, as can the items and the results.
            items: What it is done to.
            need: What one item keeps busy.
            told: Called from this thread.
        """
        ...


class OneProcess:
    """One item after another, here."""

    def run(
        self, work: Work[Item, Result], items: Sequence[Item], *, need: Need, told: Told
    ) -> Iterator[tuple[int, Result | Fault]]:
        """Do as `Engine.run` says."""
        for place, item in enumerate(items):
            yield place, guarded(work, item, _noting(told, place))


def guarded(work: Work[Item, Result], item: Item, note: Note) -> Result | Fault:
    """Do the work on an item; an expected failure becomes its fault."""
    try:
        return work(item, note)
    except BertFlowError as error:
        if error.exit_code not in (1, 2):  # stopped on request
            raise
        return Fault(str(error), isinstance(error, InputError))


def _noting(told: Told, place: int) -> Note:
    return lambda done: told(place, done)
