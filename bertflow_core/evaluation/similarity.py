"""Cosine similarity of embeddings: of pairs, of all pairs, and of random pairs."""

from numbers import Integral

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.blocks import row_blocks
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.types import FloatArray, Rows, as_numbers
from bertflow_core.errors import InputError, check_type

_ROWS_AT_ONCE, _PAIRS_IN_CACHE = 4096, 256

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
        check_type(value, Integral, name, "a whole number")
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
