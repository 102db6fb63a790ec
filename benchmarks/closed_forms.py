"""Fit and apply the closed forms: standardize, whiten and null-top-k against scikit-learn's.

Random rows of the shape of the STS Benchmark (17,256 x 768), `fit_transform` on float32. The peers
are `StandardScaler` and `PCA` (`whiten=True` for whitening; for null-top-k what its 6 components do
not explain) with the solver that PCA chooses itself, which decomposes in float32; beyond `--quick`
its full SVD takes part as well, whitening of float64 rows, which alone is within 1e-4 of the
reference there, and rows of 384 numbers.

Results are compared with a float64 reference by numpy: `max_error` is the largest difference of a
number, as a share of the reference's standard deviation, `max_cosine_error` that of a cosine
between two of the first 500 rows, which no turn of the space changes. Of whitened rows, the
directions that the package keeps are compared; scikit-learn keeps the one without variance too,
which is scaled rounding noise.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np
import numpy.typing as npt
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from bertflow_core.calibrators import build_calibrator

from .measure import Checks, Comparison, Measured, Way, rows_of
from .record import Outcome
from .synthetic import STSB_ROWS, embeddings

__all__ = ["calibrate", "comparisons", "null_top_k", "prepare", "run", "standardize", "whiten"]

FloatArray = npt.NDArray[np.floating]

_K = 6
_COMPARED_ROWS = 500
_PEER, _FULL = "scikit-learn", "full SVD"
_SPECS = {"standardize": "standardize", "whiten": "whiten", "null-top-k": f"null-top-k:k={_K}"}


def run(*, quick: bool) -> Outcome:
    """Measure at 768 features, and at 384."""
    repeats = 5
    found = [
        each
        for n_features in ((768,) if quick else (768, 384))
        for each in comparisons(STSB_ROWS, n_features, quick=quick)
    ]
    rows = rows_of(found, repeats=repeats, with_peaks=not quick)
    return Outcome({"rows": STSB_ROWS, "repeats": repeats, "k": _K}, rows)


def standardize(x: FloatArray) -> FloatArray:
    """Scale by scikit-learn."""
    return np.asarray(StandardScaler().fit_transform(x))


def null_top_k(x: FloatArray, *, solver: str = "auto") -> FloatArray:
    """Leave what scikit-learn's leading components do not explain."""
    pca = PCA(_K, svd_solver=solver)
    return np.asarray(x - pca.inverse_transform(pca.fit_transform(x)))


def whiten(x: FloatArray, *, solver: str = "auto", dtype: str = "float32") -> FloatArray:
    """Whiten by scikit-learn."""
    pca = PCA(whiten=True, svd_solver=solver)
    return np.asarray(pca.fit_transform(x.astype(dtype, copy=False)))


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


def comparisons(n_rows: int, n_features: int, *, quick: bool) -> list[Comparison]:
    """Return each closed form beside scikit-learn's."""
    size = {"n_rows": n_rows, "n_features": n_features}
    found = []
    for name, spec in _SPECS.items():
        form = name.replace("-", "_")
        title = name if n_features == 768 else f"{name}-{n_features}"
        ways = [Way(title, prepare, {"form": "calibrate", **size, "spec": spec})]
        if not quick and name != "standardize":
            full = {"form": form, **size, "solver": "full"}
            ways.append(Way(f"{title}, {_PEER}, {_FULL}", prepare, full))
        if not quick and name == "whiten":
            exact = {"form": form, **size, "dtype": "float64"}
            ways.append(Way(f"{title}, {_PEER}, float64", prepare, exact))
        peer = Way(_PEER, prepare, {"form": form, **size})
        found.append(Comparison(peer, ways, partial(_checks, name, n_rows, n_features)))
    return found


def _checks(name: str, n_rows: int, n_features: int, measured: Mapping[str, Measured]) -> Checks:
    expected = _reference(name, n_rows, n_features)
    errors = {way: _errors(m.result, expected) for way, m in measured.items()}
    peers = {f"peer_{key}": value for key, value in errors.pop(_PEER).items()}
    return {way: {**own, **peers} for way, own in errors.items()}


@cache
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
    return {
        "max_error": float(np.abs(z * signs - expected).max() / expected.std()),
        "max_cosine_error": float(np.abs(_cosines(head) - _cosines(expected_head)).max()),
    }


def _cosines(x: FloatArray) -> FloatArray:
    """Return the cosine of every pair of rows, shape (N, N), in float64."""
    unit = x / np.linalg.norm(x, axis=1, keepdims=True).astype(np.float64)
    cosines: FloatArray = unit @ unit.T
    return cosines
