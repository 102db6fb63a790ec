"""Small helpers for sentences that speak to a user."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["nearest"]


def nearest(name: str, choices: Iterable[str], *, at_most: int = 3) -> str:
    """Return a clause that offers the names nearest to `name`, or all of them if none is near."""
    choices = tuple(choices)
    close = get_close_matches(name, choices, n=at_most, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(close) + "?"
    return "expected one of " + ", ".join(choices)
