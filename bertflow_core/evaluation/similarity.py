"""Cosine similarity of embeddings: of pairs, of all pairs, and of random pairs.

Cosines of mapped vectors that differ by no more than the error of their map are ties. Full
whitening of N <= D sentences, for example, gives any two of them the cosine -1 / (N - 1), so that
all differences are rounding errors.
"""

from bisect import bisect_right
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bertflow_core.arguments import checked
from bertflow_core.arrays.blocks import row_blocks
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.rounding import ERRORS, precision_of
from bertflow_core.arrays.types import FloatArray, Rows, as_numbers
from bertflow_core.errors import InputError

_ROWS_AT_ONCE, _PAIRS_IN_CACHE = 4096, 256
_PAIRS_MOVED = 256  # enough for a median
_FEW_TIES = 0.05  # share of cosines that rounding may tie by chance; their order hardly matters

COSINE_DIGITS = 10  # decimals of the cosines of pairs, so that rounding errors decide no rank

RANDOM_PAIRS = 10_000
"""Number of pairs that `random_pairs` draws."""

RANDOM_COSINE = (
    f"mean cosine of {RANDOM_PAIRS:,} random pairs of the scored sentences; high in a cone"
)
"""The explanation of `random_cosine` in every table; `analysis.mean_cosine` uses all pairs."""


def pairwise_cosine(a: npt.ArrayLike, b: npt.ArrayLike) -> np.ndarray:
    """Return the cosine of each row of `a` with the same row of `b`, in float64, shape (N,).

    Cosines are rounded to ten decimals, which hardly depend on the order of sums or the processor.
    The cosine of a zero vector is defined as 0.

    Args:
        a: Embeddings, shape (N, D).
        b: Embeddings, shape (N, D).

    Raises:
        InputError: Not numbers, or unequal shapes.

    Example:
        >>> import numpy as np
        >>> from bertflow_core import pairwise_cosine
        >>> x, y = np.array([[1, 0], [1, 1]]), np.array([[0, 2], [3, 3]])
        >>> pairwise_cosine(x, y).round(6).tolist()
        [0.0, 1.0]
    """
    a, b = _embeddings(a), _embeddings(b)
    if a.shape != b.shape:
        raise InputError(f"both sides need the same shape (N, D), got {a.shape} and {b.shape}")
    sides = zip(row_blocks(a, _ROWS_AT_ONCE), row_blocks(b, _ROWS_AT_ONCE), strict=True)
    cosines = [
        np.einsum("nd,nd->n", unit_rows(first), unit_rows(second)) for first, second in sides
    ]
    return np.concatenate([np.empty(0), *cosines]).round(COSINE_DIGITS)


def mapped_cosines(
    transform: Callable[[FloatArray], FloatArray], a: FloatArray, b: FloatArray
) -> FloatArray:
    """Return the cosines of mapped rows of `a` and `b`, (N, D), `with_ties`, shape (N,)."""
    return with_ties(pairwise_cosine(transform(a), transform(b)), rounding_error(transform, a, b))


def rounding_error(
    transform: Callable[[FloatArray], FloatArray],
    a: FloatArray,
    b: FloatArray,
    compare: Callable[[FloatArray, FloatArray], FloatArray] = pairwise_cosine,
) -> float:
    """Return the error of the cosines, or of another similarity, of mapped vectors.

    It is the median change of a value when each value of the embeddings changes by its rounding
    error. The error of the map's own arithmetic is smaller: on whitened simplices all cosines lay
    within a fifth of it, in float32 on two instruction sets.
    """
    some = np.linspace(0, len(a) - 1, min(len(a), _PAIRS_MOVED)).astype(int)
    rng = np.random.default_rng(0)

    def moved(x: FloatArray) -> FloatArray:
        error = ERRORS[precision_of(x)] * rng.choice((-1.0, 1.0), size=x.shape)
        return (x * (1 + error)).astype(x.dtype)

    sides = (a[some], b[some]), (moved(a[some]), moved(b[some]))
    before, after = (compare(*map(transform, each)) for each in sides)
    return float(np.median(np.abs(after - before)))


def with_ties(cosines: FloatArray, error: float, *, bounded: bool = True) -> FloatArray:
    """Return cosines, shape (N,), of which those within `error` of each other are equal.

    If most of them are one tie, nothing is left to rank: all are NaN. Ties of parallel vectors, at
    1 or -1, and of zero vectors, at 0, may be any number. Similarities that are not `bounded` by 1
    have no such end, and are not rounded to digits. If hardly any cosine would be tied, as in
    ordinary data, nothing is changed.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation.similarity import with_ties
        >>> with_ties(np.array([0.3, 0.1, 0.9, 0.10001]), error=1e-4).tolist()
        [0.3, 0.1, 0.9, 0.1]
        >>> with_ties(np.array([0.9, 0.1, 0.10002, 0.10001]), error=1e-4).tolist()
        [nan, nan, nan, nan]
    """
    order = np.argsort(cosines, kind="stable")
    tied = cosines[order]
    rising, start, n_values = tied.tolist(), 0, 0
    error += 10.0**-COSINE_DIGITS if bounded else 0.0  # of rounding to digits
    end_of_scale = 1 - error if bounded else np.inf
    while start < len(rising):
        end = bisect_right(rising, rising[start] + error, start)
        if 2 * (end - start) > len(rising) and 0 < abs(rising[start]) < end_of_scale:
            return np.full(len(rising), np.nan)
        tied[start:end] = rising[start]
        start, n_values = end, n_values + 1
    if len({*rising}) - n_values < _FEW_TIES * len(rising):
        return cosines
    result = np.empty_like(tied)
    result[order] = tied
    return result


def cosine_matrix(a: npt.ArrayLike, b: npt.ArrayLike) -> np.ndarray:
    """Return the cosine of every row of `a` (N, D) with every row of `b` (M, D), shape (N, M).

    Raises:
        InputError: Not numbers, or wrong shapes.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import cosine_matrix
        >>> cosine_matrix(np.eye(2), np.array([[0.0, 2.0]])).tolist()
        [[0.0], [1.0]]
    """
    a, b = _embeddings(a), _embeddings(b)
    if a.shape[1] != b.shape[1]:
        raise InputError(f"both sides need the same D, got shapes {a.shape} and {b.shape}")
    return unit_rows(a) @ unit_rows(b).T


def random_pair_cosine(x: npt.ArrayLike, *, n_pairs: int = RANDOM_PAIRS, seed: int = 0) -> float:
    """Return the mean cosine of random pairs of distinct rows, a measure of anisotropy.

    Its expectation is 0 for a centred isotropic cloud; it is near 1 in a narrow cone (Ethayarajh,
    2019, https://aclanthology.org/D19-1006).

    Args:
        x: Embeddings, shape (N, D), N >= 2.
        n_pairs: Number of pairs, drawn with replacement.
        seed: Random seed.

    Raises:
        InputError: Wrong shapes, or fewer than two rows.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation import random_pair_cosine
        >>> round(random_pair_cosine(np.full((5, 3), 2.0)), 6)  # the narrowest cone possible
        1.0
    """
    x = _embeddings(x)
    drawn = np.stack(random_pairs(len(x), n_pairs=n_pairs, seed=seed))
    is_few = len(x) <= n_pairs  # rows are drawn repeatedly, so each is scaled only once
    unit = unit_rows(x) if is_few else x
    cosines = []
    for start in range(0, n_pairs, _PAIRS_IN_CACHE):
        pairs = drawn[:, start : start + _PAIRS_IN_CACHE]
        sides = [unit[rows] if is_few else unit_rows(x[rows]) for rows in pairs]
        cosines.append(np.einsum("nd,nd->n", *sides))
    return float(np.concatenate(cosines).mean())


@checked
def random_pairs(n: int, *, n_pairs: int = RANDOM_PAIRS, seed: int = 0) -> tuple[Rows, Rows]:
    """Draw `n_pairs` pairs of distinct rows out of `n`, with replacement; return both sides.

    Raises:
        InputError: Fewer than two rows, fewer than one pair, or numbers that are not whole.

    Example:
        >>> from bertflow_core.evaluation import random_pairs
        >>> first, second = random_pairs(10, n_pairs=1000, seed=0)
        >>> bool((first != second).all())
        True
    """
    for name, value, least in (("embeddings", n, 2), ("n_pairs", n_pairs, 1), ("seed", seed, 0)):
        if value < least:
            raise InputError(f"random pairs need {name} of at least {least}, got {value}")
    rng = np.random.default_rng(seed)
    first = rng.integers(n, size=n_pairs)
    return first, (first + rng.integers(1, n, size=n_pairs)) % n


def _embeddings(x: npt.ArrayLike) -> FloatArray:
    x = as_numbers(x, "embeddings")
    if x.ndim != 2:
        raise InputError(f"embeddings must have shape (N, D), got {x.shape}")
    return x
