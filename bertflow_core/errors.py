"""The errors a user may meet, and the wording of refusals.

Each error carries one sentence that says what is wrong and what to do.
"""

import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from bertflow_core.wording import quoted, shortened

__all__ = [
    "BertFlowError",
    "Cancelled",
    "InputError",
    "NotInvertibleError",
    "ResourceError",
    "check_name",
    "choose",
    "is_out_of_memory",
    "listed",
    "nearest",
]


class BertFlowError(Exception):
    """An expected failure whose text is one sentence for the user: what is wrong, what to do."""

    exit_code = 1


class InputError(BertFlowError, ValueError):
    """The user's input or usage is wrong (exit code 2)."""

    exit_code = 2


class NotInvertibleError(InputError):
    """A calibrator that discards information was asked to go back; the text says what is lost."""


class ResourceError(BertFlowError, OSError):
    """The disk or the network failed (exit code 1)."""


class Cancelled(BertFlowError):
    """Long work was stopped on request; raised by the progress callback (exit code 130)."""

    exit_code = 130


_NO_MEMORY = re.compile(r"out of memory|allocate .*memory", re.IGNORECASE)


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether the memory was too small: torch says so in the text of a RuntimeError."""
    said = isinstance(error, RuntimeError) and _NO_MEMORY.search(str(error))
    return isinstance(error, MemoryError) or bool(said)


def nearest(name: str, choices: Iterable[str], *, at_most: int = 3) -> str:
    """Return a clause that offers the names nearest to `name`, or all of them if none is near."""
    choices = tuple(choices)
    close = get_close_matches(name, choices, n=at_most, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(map(shortened, close)) + "?"
    return "expected one of " + _joined([shortened(choice) for choice in choices])


MAX_LISTED = 20


Choice = TypeVar("Choice", bound=StrEnum)


def listed(names: Collection[str]) -> str:
    """Join `names` for a sentence; beyond twenty, say how many more there are."""
    return _joined([quoted(str(name)) for name in names])


def _joined(names: list[str]) -> str:
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return ", ".join(names[:MAX_LISTED]) + more


def check_name(name: str, names: Collection[str], what: str) -> None:
    """Refuse a `name` that is not among `names`; `what` is the noun of the sentence.

    Raises:
        InputError: The name is unknown; the sentence offers the nearest, or all if none is near.
    """
    if name not in names:
        raise InputError(f"unknown {what} {quoted(name)}: {nearest(name, names)}")


def choose(kind: type[Choice], value: str, what: str) -> Choice:
    """Convert `value` into a member of `kind`.

    Raises:
        InputError: No member has this value.
    """
    try:
        return kind(value)
    except ValueError:
        raise InputError(
            f"unknown {what} {quoted(value)}: expected one of {listed(list(kind))}"
        ) from None
