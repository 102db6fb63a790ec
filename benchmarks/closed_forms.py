"""Fit and apply the closed forms: standardize, whiten and null-top-k against scikit-learn's.

Random rows of the shape of the STS Benchmark (17,256 x 768; beyond `--quick` x 384 too),
`fit_transform` on float32. The peers are `StandardScaler` and `PCA` (`whiten=True` for whitening;
for null-top-k what its 6 components do not explain) with the solver that PCA chooses itself.

Results are compared with a float64 reference by numpy: `max_error` is the largest difference of a
number, as a share of the reference's standard deviation, `max_cosine_error` that of a cosine
between two of the first 500 rows, which no turn of the space changes. Of whitened rows, the
directions that the package keeps are compared; scikit-learn keeps the one without variance too,
which is scaled rounding noise.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.preprocessing import StandardScaler

from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators import build_calibrator

from .measure import Comparison, Outcome, Way, outcome_of
from .synthetic import STSB_ROWS, embeddings

_K = 6
_COMPARED_ROWS = 500
SPECS = {"standardize": "standardize", "whiten": "whiten", "null-top-k": f"null-top-k:k={_K}"}


def run(*, quick: bool) -> Outcome:
    """Measure at 768 features, and at 384."""
    sizes = (768,) if quick else (768, 384)
    found = [comparison(name, STSB_ROWS, size) for size in sizes for name in SPECS]
    return outcome_of(found, quick=quick, rows=STSB_ROWS, k=_K)


def comparison(name: str, n_rows: int, n_features: int) -> Comparison:
    """Return a closed form beside scikit-learn's."""
    size = (name, n_rows, n_features)

    def check(ours: FloatArray, theirs: FloatArray) -> dict[str, float]:
        expected = _reference(*size)
        peer = {f"peer_{key}": error for key, error in _errors(theirs, expected).items()}
        return {**_errors(ours, expected), **peer}

    title = name if n_features == 768 else f"{name}-{n_features}"
    ours = Way(title, partial(prepare, *size))
    return Comparison(Way("scikit-learn", partial(prepare_peer, *size)), [ours], check)


def prepare(name: str, n_rows: int, n_features: int) -> Callable[[], FloatArray]:
    """Return what fits and applies our form to rows of shape (N, D)."""
    x = embeddings(n_rows, n_features)
    return lambda: np.asarray(build_calibrator(SPECS[name]).fit_transform(x))


def prepare_peer(name: str, n_rows: int, n_features: int) -> Callable[[], FloatArray]:
    """Return what does so by scikit-learn."""
    x = embeddings(n_rows, n_features)
    if name == "null-top-k":
        pca = PCA(_K)
        return lambda: x - pca.inverse_transform(pca.fit_transform(x))
    form = StandardScaler() if name == "standardize" else PCA(whiten=True)
    return lambda: form.fit_transform(x)


def _reference(name: str, n_rows: int, n_features: int) -> FloatArray:
    """Return what the form makes of the rows in float64, by numpy alone."""
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
    signs = np.sign(np.einsum("nd,nd->d", head, expected_head))  # eigenvectors have none
    cosines, expected_cosines = (cosine_similarity(x.astype(float)) for x in (head, expected_head))
    return {
        "max_error": float(np.abs(z * signs - expected).max() / expected.std()),
        "max_cosine_error": float(np.abs(cosines - expected_cosines).max()),
    }
