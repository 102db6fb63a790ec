"""The learner's own sentences: typed once, then marked in every picture that shows sentences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.linalg import FloatArray

__all__ = ["MAX_CHARACTERS", "MAX_OWN", "OwnSentences", "check_own"]

MAX_OWN = 3
MAX_CHARACTERS = 300


@dataclass(frozen=True, eq=False)
class OwnSentences:
    """Two or three sentences and their vectors; none at all where the learner typed none.

    Attributes:
        texts: The sentences; untrusted.
        x: Their embeddings, shape (n, D).
    """

    texts: tuple[str, ...]
    x: FloatArray = field(repr=False)

    def __bool__(self) -> bool:
        return bool(self.texts)

    @property
    def names(self) -> tuple[str, ...]:
        """What a picture calls each sentence."""
        return tuple(f"yours {i}" for i in range(1, len(self.texts) + 1))

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Return every two sentences, by index."""
        return tuple(combinations(range(len(self.texts)), 2))

    def cosines(self, z: FloatArray | None = None) -> dict[str, float]:
        """Return the cosine of every two sentences by what a picture calls the pair.

        Args:
            z: Their vectors in another space, shape (n, K); None takes `x`.
        """
        if not self:
            return {}
        rows = self.x if z is None else z
        first, second = np.array(self.pairs()).T
        found = pairwise_cosine(rows[first], rows[second])
        return dict(zip(self.pair_names(), map(float, found), strict=True))

    def pair_names(self) -> tuple[str, ...]:
        """What a picture calls every two sentences, in the order of `pairs`."""
        return tuple(f"yours {i + 1} & {j + 1}" for i, j in self.pairs())

    def change(self, transforms: Mapping[str, Callable[[FloatArray], FloatArray]]) -> str:
        """Tell the cosine of every two sentences in each space, as a sentence; nothing for none.

        Args:
            transforms: From embeddings to each space, by its name.
        """
        if not self:
            return ""
        spaces = {name: self.cosines(move(self.x)) for name, move in transforms.items()}
        told = [
            f"{pair}: {', '.join(f'{found[pair]:z.2f} ({name})' for name, found in spaces.items())}"
            for pair in self.pair_names()
        ]
        return f"Cosines of your sentences. {'; '.join(told)}."


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
