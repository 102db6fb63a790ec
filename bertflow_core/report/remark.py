"""Remarks of a report: sentences beside its numbers, each of a kind by which pages choose."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a remark is about."""

    HEADLINE = "headline"  # the answer in a few words
    ANSWER = "answer"  # what was found
    METHOD = "method"  # what the numbers depend on: recipe, data, tests
    FIT = "fit"  # a note of a fit
    WARNING = "warning"  # a fit saw too few sentences; stands above the numbers
    MISSING = "missing"  # why a number or a choice is missing


BASIS = tuple(kind for kind in Kind if kind not in (Kind.HEADLINE, Kind.ANSWER))
"""The kinds of remarks that say what numbers depend on, rather than what was found."""

ABOVE = (Kind.HEADLINE, Kind.WARNING)
"""The kinds of remarks that stand above a table."""


@dataclass(frozen=True)
class Remark:
    """A sentence or a few on the numbers of a report."""

    kind: Kind
    text: str


def remarks_of(kind: Kind, *texts: str | None) -> list[Remark]:
    """Return a remark of a kind for each text that is not empty."""
    return [Remark(kind, text) for text in texts if text]


def texts_of(remarks: Iterable[Remark], *kinds: Kind) -> tuple[str, ...]:
    """Return the texts of the remarks of these kinds, by default of all."""
    return tuple(each.text for each in remarks if each.kind in (kinds or Kind))
