"""The errors a user may meet, and the wording of refusals.

Each error carries one sentence that says what is wrong and what to do.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Set
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from bertflow_core.wording import quoted, shortened

__all__ = [
    "BertFlowError",
    "Cancelled",
    "InputError",
    "InputTypeError",
    "NotInvertibleError",
    "ResourceError",
    "check_list",
    "check_name",
    "check_type",
    "choose",
    "is_out_of_memory",
    "listed",
    "nearest",
    "wrong_type",
]


class BertFlowError(Exception):
    """An expected failure whose text is one sentence for the user: what is wrong, what to do."""

    exit_code = 1


class InputError(BertFlowError, ValueError):
    """The user's input or usage is wrong (exit code 2)."""

    exit_code = 2


class InputTypeError(InputError, TypeError):
    """Something of a type that cannot be used, such as a number in place of a text."""


class NotInvertibleError(InputError):
    """A calibrator that discards information was asked to go back; the text says what is lost."""


class ResourceError(BertFlowError, OSError):
    """The disk or the network failed (exit code 1)."""


class Cancelled(BertFlowError):
    """Long work was stopped on request; raised by the progress callback (exit code 130)."""

    exit_code = 130


_NO_MEMORY = re.compile(r"out of memory|allocate .*memory", re.IGNORECASE)


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether the memory was too small: torch and mmap say so in their text alone."""
    said = isinstance(error, RuntimeError | OSError) and _NO_MEMORY.search(str(error))
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


def check_type(value: object, kinds: type | tuple[type, ...], what: str, expected: str) -> None:
    """Refuse a value of another type; `expected` says in words what `what` must be.

    Raises:
        InputTypeError: The sentence repeats the value and names its type.
    """
    if not isinstance(value, kinds):
        raise wrong_type(value, what, expected)


def wrong_type(value: object, what: str, expected: str) -> InputTypeError:
    """Return the error about a value of another type than expected."""
    kind = "" if value is None else f" ({type(value).__name__})"
    text = " ".join(quoted(value).split())
    return InputTypeError(f"{what} must be {expected}, got {text}{kind}")


def check_list(values: object, what: str) -> None:
    """Refuse what is no list of things in order: one text, one thing, a set or a mapping.

    Raises:
        InputTypeError: The sentence repeats the value.
    """
    if isinstance(values, str):
        raise InputTypeError(
            f"expected a list of {what}, got the one text {quoted(values)}: put it in a list"
        )
    if not isinstance(values, Collection) or isinstance(values, bytes | Set | Mapping):
        raise wrong_type(values, what, "in a list")


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
