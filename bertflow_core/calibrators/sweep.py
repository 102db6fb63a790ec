"""Cosines of pairs for many values of a calibrator's parameter, at the cost of about one fit.

In the principal directions, `null-top-k` and the whitenings weight each coordinate separately. For
every value, the cosines are therefore computed from weighted sums of the same products. Nothing is
subtracted from a sum, so that there is no cancellation.
"""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from bertflow_core.arrays.blocks import row_blocks
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.rounding import ERRORS, precision_of
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.affine import Identity, NullTopK
from bertflow_core.calibrators.spec import Spec
from bertflow_core.calibrators.whitening import SoftWhiten, Whiten
from bertflow_core.errors import NothingLeftError
from bertflow_core.evaluation.similarity import COSINE_DIGITS
from bertflow_core.params import Value

_PAIRS_AT_ONCE = 4096


def swept_cosines(
    spec: Spec,
    parameter: str,
    values: Sequence[Value],
    x_fit: FloatArray,
    first: FloatArray,
    second: FloatArray,
    precision: str | None = None,
) -> FloatArray:
    """Return the cosines of pairs in float64, shape (V, N), for each of V values of a parameter.

    The spec, `null-top-k` or a whitening, is fitted on `x_fit`, shape (M, D), which was computed in
    `precision`. `first` and `second`, shape (N, D), are the vectors of the pairs' sentences. If a
    fit would leave only rounding error, its cosines are NaN. A vector of which only rounding error
    is left counts as zero, and a cosine with a zero vector is 0.
    """
    identity = Identity().fit(x_fit)  # refuses what no calibrator can use
    moments = Moments.of(np.asarray(x_fit, np.float64), precision=precision_of(x_fit, precision))
    directions = moments.principal[1]  # decomposed once, for every value
    weights = np.zeros((len(moments.mean), len(values)))  # of each squared coordinate
    for column, value in zip(weights.T, values, strict=True):
        with suppress(NothingLeftError):  # the column then has no weight
            fitted = spec.set(parameter, value).build().fit_moments(moments)
            if isinstance(fitted, NullTopK):
                column[fitted.directions_.shape[1] :] = 1
            else:
                assert isinstance(fitted, Whiten | SoftWhiten)
                column[: len(fitted.scale)] = fitted.scale**-2.0
    sides = (row_blocks(identity.transform(x), _PAIRS_AT_ONCE) for x in (first, second))
    blocks = [
        _cosines(a, b, moments.mean, directions, weights) for a, b in zip(*sides, strict=True)
    ]
    cosines = np.concatenate(blocks, axis=1)
    cosines[~weights.any(axis=0)] = np.nan
    return cosines


def _cosines(
    a: FloatArray, b: FloatArray, mean: FloatArray, directions: FloatArray, weights: FloatArray
) -> FloatArray:
    """Return the cosines of rows a and b, shape (N, D), under each column of weights (D, V)."""
    a, b = (np.asarray(x, np.float64) for x in (a, b))
    p, q = (a - mean) @ directions, (b - mean) @ directions

    def lengths(x: FloatArray, coordinates: FloatArray) -> FloatArray:
        noise = ERRORS["float64"] ** 2 * (np.square(x).sum(axis=1) + np.square(mean).sum())
        squares = np.square(coordinates)
        counts = squares @ (weights > 0) > noise[:, None]
        return np.sqrt(np.where(counts, squares @ weights, 0.0))

    scale, dot = lengths(a, p) * lengths(b, q), (p * q) @ weights
    cosines: FloatArray = np.divide(dot, scale, out=np.zeros_like(dot), where=scale > 0)
    return np.ascontiguousarray(cosines.T).round(COSINE_DIGITS)
