"""Encodings that keep a vector in fewer bytes: fewer features, fewer bits, bits with rescoring."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import FloatArray

Coder = Callable[[FloatArray], FloatArray]

FULL, RESCORED = "float32", "binary, rescored"
_PARTS = (2, 4, 8)  # truncated encodings keep a half, a quarter and an eighth of the features


class Encoding(NamedTuple):
    """An encoding: bytes per vector, and the functions that encode queries and documents."""

    n_bytes: int
    query: Coder
    document: Coder


def encodings(x_fit: FloatArray, n_features: int) -> dict[str, Encoding]:
    """Return the encodings by name, fitted on `x_fit`, (N, K); some keep a part of `n_features`."""
    from sentence_transformers.util.quantization import quantize_embeddings

    n = x_fit.shape[1]
    ranges = np.stack([x_fit.min(axis=0), x_fit.max(axis=0)])

    def half(x: FloatArray) -> FloatArray:
        return x.astype(np.float16).astype(np.float32)

    def eighth(x: FloatArray) -> FloatArray:
        return np.asarray(quantize_embeddings(x, "int8", ranges=ranges), np.float32)

    def signs(x: FloatArray) -> FloatArray:
        bits = np.asarray(quantize_embeddings(x, "ubinary"), np.uint8)
        return 2.0 * np.unpackbits(bits, axis=1, count=n).astype(np.float32) - 1

    found = {
        FULL: _same(lambda x: x, 4 * n),
        "float16": _same(half, 2 * n),
        "int8": _same(eighth, n),
        "binary": _same(signs, -(-n // 8)),
        RESCORED: Encoding(-(-n // 8), lambda x: x, signs),
    }
    moments = Moments.of(x_fit)
    mean, directions = moments.mean, moments.principal[1]
    for k in (n_features // part for part in _PARTS):
        if 0 < k < n:
            found[f"first {k}"] = _same(lambda x, k=k: x[:, :k], 4 * k)  # type: ignore[misc]
            found[f"PCA {k}"] = _same(lambda x, k=k: (x - mean) @ directions[:, :k], 4 * k)  # type: ignore[misc]
    return found


def _same(coder: Coder, n_bytes: int) -> Encoding:
    return Encoding(n_bytes, coder, coder)
