"""How a mean goes from frequent to rare words, in words: where it rises, falls and turns."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from bertflow_core.wording import ranks_text

__all__ = ["course_by_rank", "runs", "runs_text"]

_NO_CHANGE = 0.005


def runs(values: Sequence[float]) -> list[tuple[str, int]]:
    """Return each stretch in which values rise or fall, and the index of the value at its end.

    A change of less than 0.5 % counts as none.

    Example:
        >>> from bertflow_core.analysis.courses import runs
        >>> runs([1.0, 1.2, 1.3, 1.1])
        [('rises', 2), ('falls', 3)]
    """
    found: list[tuple[str, int]] = []
    for i, (before, after) in enumerate(pairwise(values), 1):
        if abs(after - before) >= _NO_CHANGE * abs(before):
            verb = "rises" if after > before else "falls"
            if found and found[-1][0] == verb:
                found.pop()
            found.append((verb, i))
    verb, _ = found.pop() if found else ("hardly changes", 0)
    return [*found, (verb, len(values) - 1)]


def runs_text(values: Sequence[float]) -> str:
    """Say how values go: `rises, then falls`."""
    return ", then ".join(verb for verb, _ in runs(values))


def course_by_rank(means: Mapping[tuple[int, int], float]) -> str:
    """Say how a mean goes over bins of frequency rank, with its value at both ends and each turn.

    Args:
        means: At least one, by first rank and first rank beyond, from 0; said as counted from 1.

    Example:
        >>> from bertflow_core.analysis.courses import course_by_rank
        >>> course_by_rank({(0, 100): 1.05, (100, 500): 1.27, (500, 900): 1.1})
        'rises from 1.05 (ranks 1 to 100) to 1.27 (101 to 500), then falls to 1.10 (501 to 900)'
    """
    values = list(means.values())
    places = [f"{mean:.2f} ({ranks_text(*ranks)})" for ranks, mean in means.items()]
    start = places[0].replace("(", "(ranks ")
    if len(places) == 1:
        return f"is {start}"
    (verb, end), *others = runs(values)
    said = [f"{verb} from {start} to {places[end]}"]
    return ", then ".join([*said, *(f"{verb} to {places[end]}" for verb, end in others)])
