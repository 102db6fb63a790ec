"""Words in contexts: counts, pointwise mutual information, and Eq. 3 as a regression.

Eq. 1 to 3 of Li et al. (2020): if p(x|c) is a softmax of h_c . w_x, that product is PMI(x, c) + log
p(x) + lambda_c in a perfect model. A whole sentence with a gap occurs too rarely to count, so here
a context is the pair of words around the gap.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError

Ids = npt.NDArray[np.int64]
Context = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Contexts:
    """C frequent contexts, their occurrences, and the words in them."""

    names: tuple[Context, ...]  # the words on the left and right of the gap
    rows: Ids = field(repr=False)  # sentence of each of O kept occurrences
    places: Ids = field(repr=False)  # position of its gap
    owners: Ids = field(repr=False)  # the context of each occurrence, ascending, shape (O,)
    words: Ids = field(repr=False)  # the word of each of P pairs of word and context
    pairs: Ids = field(repr=False)  # the context of each pair, ascending
    pmi: FloatArray = field(repr=False)  # log n(x, c) n / (n(x) n(c)), in nats, shape (P,)
    log_p: FloatArray = field(repr=False)  # log n(x) / n, in nats, shape (P,)

    def mean_states(self, states: FloatArray) -> FloatArray:
        """Return the mean state of each context's occurrences, shape (O, D) to (C, D)."""
        counts = np.bincount(self.owners, minlength=len(self.names))
        sums = np.zeros((len(self.names), states.shape[1]))
        np.add.at(sums, self.owners, states)
        return sums / counts[:, None]


def find_contexts(
    sentences: Sequence[Sequence[int]],
    *,
    least_context: int = 30,
    least_pair: int = 3,
    most_occurrences: int = 50,
) -> Contexts:
    """Count words, given as ids, by the words on either side.

    Only contexts with at least `least_context` occurrences count, and only words with at least
    `least_pair` occurrences in a context, since the PMI of rarer pairs is mostly chance. The first
    `most_occurrences` of each context are kept.
    """
    found: dict[Context, dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    counts: dict[int, int] = defaultdict(int)
    for row, words in enumerate(sentences):
        for place in range(1, len(words) - 1):
            left, word, right = words[place - 1 : place + 2]
            found[left, right][word].append((row, place))
            counts[word] += 1
    n = sum(counts.values())
    names: list[Context] = []
    kept: list[tuple[int, int, int]] = []
    pairs: list[tuple[int, int, float, float]] = []
    for context, at in found.items():
        n_context = sum(map(len, at.values()))
        often = {word: len(where) for word, where in at.items() if len(where) >= least_pair}
        if n_context < least_context or len(often) < 2:
            continue
        where = sorted(place for places in at.values() for place in places)[:most_occurrences]
        kept += [(len(names), row, place) for row, place in where]
        pairs += [
            (len(names), word, np.log(n_pair * n / (counts[word] * n_context)), counts[word] / n)
            for word, n_pair in often.items()
        ]
        names.append(context)
    if not names:
        raise InputError(
            f"no context (left and right word) occurs at least {least_context} times and has two "
            f"words that each occur at least {least_pair} times in it: choose more sentences"
        )
    owners, rows, places = np.array(kept, np.int64).T
    pair, word = np.array([each[:2] for each in pairs], np.int64).T
    pmi, p = np.array([each[2:] for each in pairs], np.float64).T
    return Contexts(tuple(names), rows, places, owners, word, pair, pmi, np.log(p))


@dataclass(frozen=True)
class Decomposition:
    """h_c . w_x regressed on PMI(x, c) and log p(x) with a constant lambda_c for each context."""

    pmi: float  # coefficient of PMI; 1 in a model that reproduces the counts
    log_p: float  # coefficient of log p; 1 in such a model
    r2: float  # share of the variance within contexts that both explain
    r2_pmi: float  # share that PMI explains alone
    r2_log_p: float  # share that log p explains alone
    n_pairs: int
    n_contexts: int


def decompose(score: FloatArray, contexts: Contexts) -> Decomposition:
    """Fit score = a PMI + b log p(x) + lambda_c by least squares, for scores of shape (P,).

    The constant of each context is removed: from scores, PMI and log p(x) their means over the
    context are subtracted.
    """
    y, *columns = (within(each, contexts.pairs) for each in (score, contexts.pmi, contexts.log_p))
    if not y.any():
        raise InputError("the scores do not vary within any context")
    designs = (np.column_stack(each) for each in (columns, columns[:1], columns[1:]))
    (both, r2), (_, r2_pmi), (_, r2_log_p) = (_fitted(design, y) for design in designs)
    return Decomposition(
        pmi=float(both[0]),
        log_p=float(both[1]),
        r2=r2,
        r2_pmi=r2_pmi,
        r2_log_p=r2_log_p,
        n_pairs=len(y),
        n_contexts=len(contexts.names),
    )


def within(values: FloatArray, groups: Ids) -> FloatArray:
    """Return values, shape (P,), minus the mean of their group."""
    means = np.bincount(groups, values) / np.maximum(1, np.bincount(groups))
    return values - means[groups]


def _fitted(design: FloatArray, y: FloatArray) -> tuple[FloatArray, float]:
    """Return the least-squares coefficients and R^2, the explained share of the variance of y."""
    found, *_ = np.linalg.lstsq(design, y, rcond=None)
    rest = y - design @ found
    return found, float(1 - rest @ rest / (y @ y))
