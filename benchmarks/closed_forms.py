"""Fit and apply standardize, whiten and null-top-k by the package and by scikit-learn.

`fit_transform` runs on random float32 rows of the STS Benchmark's shape, 17,256 x 768,
and without `--quick` also x 384. The peers are `StandardScaler` and `PCA` with its default choice
of solver. Whitening is `PCA(whiten=True)`; null-top-k is what 6 components of a PCA leave
unexplained.

Results are compared with a float64 reference by numpy. `max_error` is the largest error of an
entry, as a share of the reference's standard deviation. `max_cosine_error` is the largest error of
a cosine between two of the first 500 rows, which no rotation of the space changes. Whitened rows
are compared in the directions that the package keeps. scikit-learn also keeps the direction without
variance, which is scaled rounding noise.
"""

from functools import partial

import numpy as np
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.preprocessing import StandardScaler

from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators import build_calibrator

from .measure import Run
from .synthetic import STSB_ROWS, embeddings

_K = 6
_COMPARED_ROWS = 500
SPECS = {"standardize": "standardize", "whiten": "whiten", "null-top-k": f"null-top-k:k={_K}"}


def main() -> None:
    """Measure at 768 features and, without `--quick`, at 384."""
    run, rows = Run.asked("closed_forms", __doc__), []
    for n_features in (768,) if run.quick else (768, 384):
        for name in SPECS:
            size = name, STSB_ROWS, n_features
            title = name if n_features == 768 else f"{name}-{n_features}"
            peer = "scikit-learn", partial(by_sklearn, *size)
            rows += run.compare({title: partial(by_package, *size)}, peer, partial(errors, *size))
    run.finish(rows, rows=STSB_ROWS, k=_K, repeats=run.repeats)


def by_package(name: str, n_rows: int, n_features: int) -> FloatArray:
    """Fit our calibrator to rows, shape (N, D), and apply it."""
    x = embeddings(n_rows, n_features)
    return np.asarray(build_calibrator(SPECS[name]).fit_transform(x))


def by_sklearn(name: str, n_rows: int, n_features: int) -> FloatArray:
    """Do the same with scikit-learn."""
    x = embeddings(n_rows, n_features)
    if name == "null-top-k":
        pca = PCA(_K)
        return x - pca.inverse_transform(pca.fit_transform(x))
    form = StandardScaler() if name == "standardize" else PCA(whiten=True)
    return form.fit_transform(x)


def errors(
    name: str, n_rows: int, n_features: int, ours: FloatArray, theirs: FloatArray
) -> dict[str, float]:
    """Compare both results with the reference."""
    expected = _reference(name, n_rows, n_features)
    peer = {f"peer_{key}": error for key, error in _errors(theirs, expected).items()}
    return {**_errors(ours, expected), **peer}


def _reference(name: str, n_rows: int, n_features: int) -> FloatArray:
    """Return the calibrated rows, computed in float64 by numpy alone."""
    x = embeddings(n_rows, n_features).astype(np.float64)
    centred = x - x.mean(0)
    if name == "standardize":
        return centred / x.std(0)
    variances, directions = np.linalg.eigh(centred.T @ centred / (n_rows - 1))
    variances, directions = variances[::-1], directions[:, ::-1]
    if name == "null-top-k":
        top = directions[:, :_K]
        return centred - (centred @ top) @ top.T
    kept = variances > 1e-6 * variances[0]
    return (centred @ directions[:, kept]) / np.sqrt(variances[kept])


def _errors(z: FloatArray, expected: FloatArray) -> dict[str, float]:
    z = z[:, : expected.shape[1]]
    head, expected_head = z[:_COMPARED_ROWS], expected[:_COMPARED_ROWS]
    signs = np.sign(np.einsum("nd,nd->d", head, expected_head))  # eigenvectors have no fixed sign
    cosines, expected_cosines = (cosine_similarity(x.astype(float)) for x in (head, expected_head))
    return {
        "max_error": float(np.abs(z * signs - expected).max() / expected.std()),
        "max_cosine_error": float(np.abs(cosines - expected_cosines).max()),
    }


if __name__ == "__main__":
    main()
