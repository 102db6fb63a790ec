"""Fit and apply the closed forms: standardize, null-top-k and whiten against scikit-learn's.

Random rows of the shape of the STS Benchmark (17,256 x 384 and x 768), `fit_transform` on float32.
The references are `StandardScaler` and `PCA` (`whiten=True` for whitening; for null-top-k what its
6 components do not explain), with the full SVD and with the solver that it chooses itself; on such
rows scikit-learn decomposes in float32, while the package computes in float64 throughout. The last
column compares results by what they are used for: the largest difference of a cosine between two of
the first 500 rows from the first reference's. Of whitened rows, the directions that the package
keeps are compared; scikit-learn keeps the one without variance too, which is scaled rounding noise.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from benchmarks.measure import Measured, Way, compare_ways
from benchmarks.record import Outcome
from benchmarks.synthetic import STSB_ROWS, embeddings
from bertflow_core.calibrators import build_calibrator

__all__ = ["calibrate", "null_top_k", "prepare", "run", "standardize", "whiten"]

FloatArray = npt.NDArray[np.floating]

_K = 6
_COMPARED_ROWS = 500


def run(*, quick: bool) -> Outcome:
    """Measure at both widths, or at a small one."""
    n_rows, widths, repeats = (2_000, (64,), 1) if quick else (STSB_ROWS, (384, 768), 3)
    rows = []
    for n_features in widths:
        for ways in _comparisons(n_rows, n_features):
            measured = compare_ways(ways, repeats=repeats)
            rows += [way.row(cosine_difference=_difference(measured, way)) for way in measured]
    return Outcome({"rows": n_rows, "repeats": repeats, "k": _K}, rows)


def standardize(x: FloatArray) -> FloatArray:
    """Scale by scikit-learn."""
    return np.asarray(StandardScaler().fit_transform(x))


def null_top_k(x: FloatArray, *, solver: str) -> FloatArray:
    """Leave what scikit-learn's leading components do not explain."""
    pca = PCA(_K, svd_solver=solver)
    return np.asarray(x - pca.inverse_transform(pca.fit_transform(x)))


def whiten(x: FloatArray, *, solver: str) -> FloatArray:
    """Whiten by scikit-learn."""
    return np.asarray(PCA(whiten=True, svd_solver=solver).fit_transform(x))


def calibrate(x: FloatArray, *, spec: str) -> FloatArray:
    """Fit and apply the package's calibrator."""
    return np.asarray(build_calibrator(spec).fit_transform(x))


_FORMS: dict[str, Callable[..., FloatArray]] = {
    form.__name__: form for form in (standardize, null_top_k, whiten, calibrate)
}


def prepare(form: str, n_rows: int, n_features: int, **options: str) -> Callable[[], FloatArray]:
    """Return one of the functions above at work on rows of shape (N, D)."""
    work, x = partial(_FORMS[form], **options), embeddings(n_rows, n_features)
    return lambda: work(x)


def _comparisons(n_rows: int, n_features: int) -> list[list[Way]]:
    """Return for each closed form the ways to compare, the reference first."""

    def way(title: str, form: str, **options: str) -> Way:
        size = {"n_rows": n_rows, "n_features": n_features}
        return Way(f"{title}, D = {n_features}", prepare, {"form": form, **size, **options})

    return [
        [
            way("standardize, scikit-learn", "standardize"),
            way("standardize, bertflow-lab", "calibrate", spec="standardize"),
        ],
        [
            way("null-top-k, scikit-learn, full SVD", "null_top_k", solver="full"),
            way("null-top-k, scikit-learn, own choice", "null_top_k", solver="auto"),
            way("null-top-k, bertflow-lab", "calibrate", spec=f"null-top-k:k={_K}"),
        ],
        [
            way("whiten, scikit-learn, full SVD", "whiten", solver="full"),
            way("whiten, scikit-learn, own choice", "whiten", solver="auto"),
            way("whiten, bertflow-lab", "calibrate", spec="whiten"),
        ],
    ]


def _difference(measured: list[Measured], way: Measured) -> float:
    """Return the largest difference of a cosine from the first way's."""
    width = min(m.result.shape[1] for m in measured)
    cosines = [_cosines(m.result[:_COMPARED_ROWS, :width]) for m in (measured[0], way)]
    return float(np.abs(cosines[0] - cosines[1]).max())


def _cosines(x: FloatArray) -> FloatArray:
    """Return the cosine of every pair of rows, shape (N, N), in float64."""
    unit = x / np.linalg.norm(x, axis=1, keepdims=True).astype(np.float64)
    cosines: FloatArray = unit @ unit.T
    return cosines
