"""Random embeddings that resemble a real layer's, so that fits can be timed without data."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

STSB_ROWS = 17_256
"""Number of sentences in all pairs of the STS Benchmark, with duplicates."""

_TOTAL_VARIANCE, _MEAN_NORM = 24.0, 5.0


@lru_cache(maxsize=2)
def embeddings(n_rows: int, n_features: int, *, seed: int = 0) -> npt.NDArray[np.float32]:
    """Draw normal rows, shape (N, D), with the mean and spectrum of a real layer.

    The numbers are those of MiniLM's layer 4 on the STS Benchmark. The total variance is 24, and
    the k-th of the randomly rotated directions has a share proportional to 1 / k. The mean has norm
    5. As after every LayerNorm, one direction has no variance. The array is cached: do not change
    it.
    """
    rng = np.random.default_rng(seed)
    spectrum = 1.0 / np.arange(1, n_features + 1)
    spectrum[-1] = 0.0
    spectrum *= _TOTAL_VARIANCE / spectrum.sum()
    rotation = np.linalg.qr(rng.standard_normal((n_features, n_features))).Q
    mean = rng.standard_normal(n_features)
    mean *= _MEAN_NORM / np.linalg.norm(mean)
    rows = rng.standard_normal((n_rows, n_features)) * np.sqrt(spectrum) @ rotation.T + mean
    return np.asarray(rows, np.float32)
