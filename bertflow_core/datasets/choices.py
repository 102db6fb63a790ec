"""The door for options and names: converted or refused with a sentence that lists what there is."""

from collections.abc import Collection
from enum import StrEnum
from typing import TypeVar

from bertflow_core.errors import InputError
from bertflow_core.text import nearest

__all__ = ["check_name", "choose", "listed"]

MAX_LISTED = 20

Choice = TypeVar("Choice", bound=StrEnum)


def listed(names: Collection[str]) -> str:
    """Join `names` for a sentence; beyond twenty, say how many more there are."""
    shown = ", ".join(repr(str(name)) for name in list(names)[:MAX_LISTED])
    return shown + (f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else "")


def check_name(name: str, names: Collection[str], what: str) -> None:
    """Refuse a `name` that is not among `names`; `what` is the noun of the sentence.

    Raises:
        InputError: The name is unknown; the sentence offers the nearest, or all if none is near.
    """
    if name not in names:
        raise InputError(f"unknown {what} {name!r}: {nearest(name, names)}")


def choose(kind: type[Choice], value: str, what: str) -> Choice:
    """Convert `value` into a member of `kind`.

    Raises:
        InputError: No member has this value.
    """
    try:
        return kind(value)
    except ValueError:
        raise InputError(
            f"unknown {what} {value!r}: expected one of {listed(list(kind))}"
        ) from None
