"""Cosine similarity of embeddings: of pairs, and of all pairs."""

import numpy as np
import numpy.typing as npt

from bertflow_core.errors import InputError
from bertflow_core.linalg import unit_rows

__all__ = [
    "RANDOM_COSINE",
    "RANDOM_PAIRS",
    "cosine_matrix",
    "pairwise_cosine",
    "random_pair_cosine",
    "random_pairs",
]

RANDOM_PAIRS = 10_000
"""Pairs that `random_pairs` draws."""

RANDOM_COSINE = f"mean cosine of {RANDOM_PAIRS:,} random pairs of the scored sentences"
"""What `random_cosine` is, in every table that has it; `analysis.mean_cosine` draws no pairs."""


def pairwise_cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the cosine of each row of `a` with the same row of `b`, in float64, shape (N,).

    A zero vector has no direction; its cosine is 0 by definition here.

    Args:
        a: Embeddings, shape (N, D).
        b: Embeddings, shape (N, D).
    """
    if a.shape != b.shape:
        raise InputError(f"both sides need one shape (N, D), got {a.shape} and {b.shape}")
    cosine: np.ndarray = np.einsum("nd,nd->n", unit_rows(a), unit_rows(b))
    return cosine


def cosine_matrix(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the cosine of every row of `a` (N, D) with every row of `b` (M, D), shape (N, M)."""
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        raise InputError(f"both sides need the same D, got shapes {a.shape} and {b.shape}")
    cosine: np.ndarray = unit_rows(a) @ unit_rows(b).T
    return cosine


def random_pair_cosine(x: np.ndarray, *, n_pairs: int = RANDOM_PAIRS, seed: int = 0) -> float:
    """Return the mean cosine of random pairs of distinct rows, a measure of anisotropy.

    0 in expectation for a centred isotropic cloud, near 1 in a narrow cone (Ethayarajh, 2019,
    https://aclanthology.org/D19-1006).

    Args:
        x: Embeddings, shape (N, D), N >= 2.
        n_pairs: How many pairs are drawn with replacement.
        seed: Random seed.
    """
    if len(x) < 2:
        raise InputError(f"random pairs need at least 2 embeddings, got {len(x)}")
    first, second = random_pairs(len(x), n_pairs=n_pairs, seed=seed)
    return float(pairwise_cosine(x[first], x[second]).mean())


def random_pairs(
    n: int, *, n_pairs: int = RANDOM_PAIRS, seed: int = 0
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Draw pairs of distinct rows of `n`, with replacement of pairs; return both, (n_pairs,)."""
    rng = np.random.default_rng(seed)
    first = rng.integers(n, size=n_pairs)
    return first, (first + rng.integers(1, n, size=n_pairs)) % n
