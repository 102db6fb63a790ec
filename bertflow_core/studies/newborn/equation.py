"""Eq. 3 of the paper in a model: h_c . w_x against PMI(x, c) + log p(x)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from bertflow_core.analysis.contexts import Contexts, Decomposition, decompose, within
from bertflow_core.linalg import FloatArray, sample_rows

__all__ = ["Equation", "Point", "equation_of", "scores_of"]

SHOWN_POINTS = 200


@dataclass(frozen=True)
class Point:
    """A word in a context, both sides less their mean over the context.

    Attributes:
        text: The context with the word in its gap.
        expected: a PMI + b log p(x), in nats.
        score: h_c . w_x.
    """

    text: str
    expected: float
    score: float


@dataclass(frozen=True)
class Equation:
    """The regression and some of its points.

    Attributes:
        decomposition: Coefficients and explained shares.
        points: At most 200 pairs, drawn at random.
    """

    decomposition: Decomposition
    points: tuple[Point, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` makes an equal one."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Equation":
        """Return what `to_dict` wrote."""
        return cls(
            Decomposition.from_dict(values["decomposition"]),
            tuple(Point(**point) for point in values["points"]),
        )


def scores_of(contexts: Contexts, states: FloatArray, table: FloatArray) -> FloatArray:
    """Return h_c . w_x of each pair, shape (P,).

    Args:
        contexts: The pairs; h_c is the mean over the occurrences of c, which is linear in h.
        states: Context embeddings at the masked gaps, shape (O, D).
        table: Word vectors of the softmax, shape (V, D).
    """
    means = contexts.mean_states(states)
    scores: FloatArray = np.einsum("pd,pd->p", means[contexts.pairs], table[contexts.words])
    return scores


def equation_of(
    contexts: Contexts, score: FloatArray, tokens: Sequence[str], *, seed: int = 0
) -> Equation:
    """Regress the scores of words in contexts on what they should be.

    Args:
        contexts: The pairs.
        score: h_c . w_x, with a bias where the model has one, shape (P,).
        tokens: The word of each number; the last one stands for -1, a sentence's end.
        seed: Draws the points.

    Raises:
        InputError: Scores that do not vary within any context.
    """
    found = decompose(score, contexts)
    expected = found.pmi * contexts.pmi + found.log_p * contexts.log_p
    across, up = within(expected, contexts.pairs), within(score, contexts.pairs)
    points = []
    for i in sample_rows(len(score), SHOWN_POINTS, seed=seed):
        left, right = contexts.names[contexts.pairs[i]]
        text = f"{tokens[left]} [{tokens[contexts.words[i]]}] {tokens[right]}"
        points.append(Point(text, round(float(across[i]), 3), round(float(up[i]), 3)))
    return Equation(found, tuple(points))
