"""Random embeddings that look like a layer's, so that no data is needed to measure a fit."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

STSB_ROWS = 17_256
"""Sentences of all pairs of the STS Benchmark, duplicates counted."""

_TOTAL_VARIANCE, _MEAN_NORM = 24.0, 5.0


@lru_cache(maxsize=2)
def embeddings(n_rows: int, n_features: int, *, seed: int = 0) -> npt.NDArray[np.float32]:
    """Draw normal rows, shape (N, D), with the mean and spectrum of a real layer.

    The figures are those of MiniLM's layer 4 on the STS Benchmark: a total variance of 24, spread
    over randomly turned directions as about 1 / k, a mean of norm 5, and, as after every LayerNorm,
    one direction without variance. The array is kept: leave it as it is.
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
