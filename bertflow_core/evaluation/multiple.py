"""Many comparisons at once: Holm's adjustment, and a compact letter display."""

from collections.abc import Iterable, Sequence
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

__all__ = ["holm", "letters"]


def holm(p: Sequence[float] | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Adjust p-values of m comparisons so that any false alarm is as rare as the level, shape (m,).

    The k-th smallest is multiplied by m - k + 1; none may be below a smaller one's, or above 1.

    Args:
        p: P-values, shape (m,).

    References:
        A simple sequentially rejective multiple test procedure (Holm, 1979),
        https://www.jstor.org/stable/4615733
    """
    p = np.asarray(p, np.float64)
    order = np.argsort(p, kind="stable")
    steps = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def letters(names: Sequence[str], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Give each name letters: two names share a letter exactly if they are not `different`.

    Insert and absorb: all begin in one group; each pair that differs splits every group that holds
    both, and groups within others are dropped.

    Args:
        names: The best first, which gets "a".
        different: The pairs that differ significantly, in any order.

    References:
        An algorithm for a letter-based representation of all-pairwise comparisons (Piepho, 2004),
        https://doi.org/10.1198/1061860043515
    """
    groups = [frozenset(names)]
    for first, second in different:
        split = [group for group in groups if {first, second} <= group]
        whole = [group for group in groups if group not in split]
        groups = _absorb([*whole, *(group - {name} for group in split for name in (first, second))])
    place = {name: rank for rank, name in enumerate(names)}
    groups.sort(key=lambda group: sorted(place[name] for name in group))
    return {
        name: "".join(_letter(i) for i, group in enumerate(groups) if name in group)
        for name in names
    }


def _absorb(groups: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Drop what lies within another group."""
    distinct = list(dict.fromkeys(groups))
    return [group for group in distinct if not any(group < other for other in distinct)]


def _letter(index: int) -> str:
    """Return a to z, then a' to z', and so on."""
    turn, letter = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[letter] + "'" * turn
