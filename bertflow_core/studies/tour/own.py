"""The learner's own sentences: typed once, and told in every step that has spaces of sentences."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.linalg import FloatArray

__all__ = ["MAX_CHARACTERS", "MAX_OWN", "check_own", "own_cosines", "told"]

MAX_OWN = 3
MAX_CHARACTERS = 300


def check_own(texts: Sequence[str]) -> tuple[str, ...]:
    """Return typed sentences without blanks around them; empty ones are dropped.

    Raises:
        InputError: One sentence, more than three, one twice, or one that is too long.
    """
    found = tuple(text.strip() for text in texts if text.strip())
    if len(found) == 1 or len(found) > MAX_OWN:
        raise InputError(f"type 2 or {MAX_OWN} sentences of your own, or none: got {len(found)}")
    if len(set(found)) < len(found):
        raise InputError("two of your sentences are the same: change one of them")
    if any(len(text) > MAX_CHARACTERS for text in found):
        raise InputError(f"a sentence of yours is longer than {MAX_CHARACTERS} characters")
    return found


def own_cosines(z: FloatArray) -> dict[str, float]:
    """Return the cosine of every two of the learner's vectors, by what a picture calls the pair."""
    pairs = list(combinations(range(len(z)), 2))
    first, second = np.array(pairs).T
    names = (f"yours {i + 1} & {j + 1}" for i, j in pairs)
    return dict(zip(names, map(float, pairwise_cosine(z[first], z[second])), strict=True))


def told(spaces: Mapping[str, Mapping[str, float]]) -> str:
    """Tell the cosine of every two sentences in each space, as a sentence; nothing for none."""
    if not spaces:
        return ""
    lines = [
        f"{pair}: {', '.join(f'{found[pair]:z.2f} ({name})' for name, found in spaces.items())}"
        for pair in next(iter(spaces.values()))
    ]
    return f"Cosines of your sentences. {'; '.join(lines)}."
