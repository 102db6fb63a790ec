"""A paired bootstrap: calibrators on the same resamples of the same pairs.

Resampling pairs, within subsets if there are several, holds for every metric that is a function of
the pairs (Efron and Tibshirani, 1993, chapter 6); for differences of AUC it is the bootstrap of
pROC (Robin et al., 2011, https://doi.org/10.1186/1471-2105-12-77) without strata by label.
"""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from bertflow_core import context
from bertflow_core.evaluation.resampled import Resampled, RhoResampled
from bertflow_core.evaluation.sts import Stratum
from bertflow_core.linalg import FloatArray

__all__ = ["PairedBootstrap"]

# A few draws side by side stay in the processor's cache: more at once are slower, not faster.
_DRAWS_AT_ONCE = 32
_CELLS = 1 << 18
_THREADS = min(4, os.cpu_count() or 1)


class PairedBootstrap:
    """A seeded stream of resamples, each scored for all calibrators alike.

    Pairs are drawn with replacement within each stratum, so that the sizes of subsets stay. The
    stream depends on the seed and the strata only: 2,000 draws begin 4,000 draws, and a calibrator
    more changes nothing for the others.

    Args:
        similarities: The similarity of each pair under each of C calibrators, each of shape (N,).
        gold: Gold scores or labels, shape (N,).
        strata: What is resampled and how it is weighted, see `bertflow_core.evaluation.sts.strata`.
        seed: Random seed, >= 0.
        resampled: What is computed of each resample; Spearman's rho by default.
    """

    def __init__(
        self,
        similarities: Iterable[FloatArray],
        gold: FloatArray,
        strata: Iterable[Stratum],
        *,
        seed: int,
        resampled: type[Resampled] = RhoResampled,
    ) -> None:
        columns = tuple(similarities)
        self._strata = tuple(resampled(columns, gold, stratum) for stratum in strata)
        sources = np.random.SeedSequence(seed).spawn(len(self._strata))
        self._rngs = tuple(np.random.default_rng(source) for source in sources)

    def draw(self, n_draws: int) -> npt.NDArray[np.float64]:
        """Return the values of the next draws, shape (n_draws, C); NaN where a draw has none.

        A rho is undefined where all gold scores or all similarities of a stratum are equal, an AUC
        where all labels are.
        """
        largest = max(stratum.size for stratum in self._strata)
        step = min(_DRAWS_AT_ONCE, max(1, _CELLS // largest))
        sizes = [min(step, n_draws - start) for start in range(0, n_draws, step)]
        parts: list[npt.NDArray[np.float64]] = []
        # Numpy leaves the interpreter's lock; the resamples are drawn here, one after another.
        with ThreadPoolExecutor(_THREADS) as pool:
            for start in range(0, len(sizes), 4 * _THREADS):
                drawn = [self._drawn(size) for size in sizes[start : start + 4 * _THREADS]]
                parts += pool.map(self._values, drawn)
                context.report(sum(map(len, parts)), n_draws, "draws")
        return np.concatenate(parts)

    def _drawn(self, n_draws: int) -> list[npt.NDArray[np.float64]]:
        """Return how often each pair of each stratum is drawn."""
        each = zip(self._rngs, self._strata, strict=True)
        return [_counts(rng, stratum.size, n_draws) for rng, stratum in each]

    def _values(self, counts: list[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
        values = [
            stratum.weight * stratum.values(drawn)
            for stratum, drawn in zip(self._strata, counts, strict=True)
        ]
        total: npt.NDArray[np.float64] = np.sum(values, axis=0)
        return total


def _counts(rng: np.random.Generator, n: int, n_draws: int) -> npt.NDArray[np.float64]:
    """Return how often each of n pairs is drawn, multinomial, shape (n_draws, n)."""
    cells = rng.integers(n, size=(n_draws, n)) + n * np.arange(n_draws)[:, None]
    counts = np.bincount(cells.ravel(), minlength=n * n_draws)
    return counts.reshape(n_draws, n).astype(np.float64)
