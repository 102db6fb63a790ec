"""Encodings that keep a vector in fewer bytes: fewer features, fewer bits, 1 bit with rescoring."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.rounding import ERRORS
from bertflow_core.arrays.types import FloatArray

Coder = Callable[[FloatArray], FloatArray]

FULL, RESCORED = "float32", "binary, rescored"
WHOLE = (FULL, "float16", "int8", "binary", RESCORED)  # encodings that keep every feature
_PARTS = (2, 4, 8)  # truncated encodings keep a half, a quarter and an eighth of the features


class Encoding(NamedTuple):
    """An encoding: bytes per vector, and the functions that encode queries and documents."""

    n_bytes: int
    query: Coder
    document: Coder


def encodings(x_fit: FloatArray, n_features: int) -> dict[str, Encoding]:
    """Return the encodings by name, fitted on `x_fit`, (N, K); some keep `n_features` of K."""
    from sentence_transformers.util.quantization import quantize_embeddings

    n = x_fit.shape[1]
    ranges = np.stack([x_fit.min(axis=0), x_fit.max(axis=0)])

    def same(x: FloatArray) -> FloatArray:
        return x

    def half(x: FloatArray) -> FloatArray:
        return x.astype(np.float16).astype(np.float32)

    def eighth(x: FloatArray) -> FloatArray:
        return np.asarray(quantize_embeddings(x, "int8", ranges=ranges), np.float32)

    def signs(x: FloatArray) -> FloatArray:
        bits = np.asarray(quantize_embeddings(x, "ubinary"), np.uint8)
        return 2.0 * np.unpackbits(bits, axis=1, count=n).astype(np.float32) - 1

    found = {
        FULL: Encoding(4 * n, same, same),
        "float16": Encoding(2 * n, half, half),
        "int8": Encoding(n, eighth, eighth),
        "binary": Encoding(-(-n // 8), signs, signs),
        RESCORED: Encoding(-(-n // 8), same, signs),
    }
    moments = Moments.of(x_fit)
    mean, (variances, directions) = moments.mean, moments.principal
    for k in (n_features // part for part in _PARTS):
        if 0 < k < n:
            found[f"first {k}"] = _cut(lambda x, k=k: x[:, :k], k)  # type: ignore[misc]
        # After whitening all variances are equal, so that rounding would choose the directions.
        if 0 < k < n and variances[k - 1] - variances[k] > ERRORS["float32"] * variances[k - 1]:
            found[f"PCA {k}"] = _cut(lambda x, k=k: (x - mean) @ directions[:, :k], k)  # type: ignore[misc]
    return found


def _cut(coder: Coder, k: int) -> Encoding:
    """Return an encoding of k float32 features, the same for queries and documents."""
    return Encoding(4 * k, coder, coder)
