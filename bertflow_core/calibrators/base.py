"""The contract of a calibrator, which is scikit-learn's for a transformer.

"Calibrator" means correction of an embedding space's geometry, not of probabilities.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.catalog import calibrator_info
from bertflow_core.calibrators.estimators import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    assert_all_finite,
    available_if,
    check_array,
    check_is_fitted,
    validate_data,
)
from bertflow_core.context import Progress
from bertflow_core.errors import InputError, InputTypeError, NotInvertibleError
from bertflow_core.linalg import FloatArray, is_mapped, row_blocks
from bertflow_core.moments import Moments

__all__ = ["FLOATS", "Calibrator"]

FLOATS = (np.float32, np.float64)
_ROWS_AT_ONCE, _ROWS_MAPPED_AT_ONCE = 4096, 16_384
_AT_MOST = {"k": "k", "K": "n_components", "Q": "n_quantiles", "L": "n_layers"}
"""Letters of shapes, and the parameter that bounds each where a calibrator has it."""


def _may_have_density(calibrator: "Calibrator") -> bool:
    """Let an unfitted calibrator have a density; raise what says why a fitted one has none."""
    if hasattr(calibrator, "notes_"):
        calibrator._check_bijection("has no density")
    return True


class Calibrator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A map of embeddings, shape (N, D), to embeddings, shape (N, K), learnt without labels.

    `__init__` stores its arguments; `fit` checks them, learns, and sets attributes that end in an
    underscore; nothing else changes state. Fits are in float64; float32 in gives float32 out.

    Subclasses give `_fit`, `_transform`, and where they can `_inverse_transform` and
    `_log_abs_det_jacobian`, on validated arrays, and list their fitted arrays in `_fitted`.

    Attributes:
        n_features_in_: D.
        feature_names_in_: Names of the features, shape (D,), where `fit` was given a DataFrame.
        notes_: What the user should know about the fit, one sentence each.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import Calibrator, Standardize
        >>> issubclass(Standardize, Calibrator)
        True
        >>> Standardize().fit(np.array([[0.0, 1.0], [2.0, 5.0]])).transform(np.array([[1.0, 7.0]]))
        array([[0., 2.]])
    """

    name: ClassVar[str]
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {}
    """Each fitted array and the letters of its shape; D is `n_features_in_`."""

    n_features_in_: int
    notes_: tuple[str, ...]

    @context.reports
    def fit(self, X: FloatArray, y: None = None, *, progress: Progress | None = None) -> Self:
        """Learn the map from embeddings `X`, shape (N, D), N >= 2; `y` is ignored.

        `progress` is called with `(done, total, unit)` meanwhile; None is who listens already.

        Raises:
            InputError: Values that are not finite, N < 2, or a parameter out of its range.
            Cancelled: `progress` asked to stop; the calibrator is as it was.
        """
        self._check_parameters()
        checked: FloatArray = self._refusing(check_array, X, dtype=FLOATS, ensure_min_samples=2)
        self.notes_ = self._fit(checked)
        validate_data(self, X, skip_check_array=True)  # keeps the number and names of features
        return self

    @property
    def fits_moments(self) -> bool:
        """Whether mean and covariance decide the map, so that `fit_moments` can fit it."""
        return False

    def fit_moments(self, moments: Moments) -> Self:
        """Learn the map from the moments of embeddings, gathered in chunks or on many machines.

        Raises:
            InputError: The map needs the embeddings themselves.
        """
        raise InputError(f"{self} cannot be fitted on moments: fit it on the embeddings themselves")

    def transform(self, X: FloatArray) -> FloatArray:
        """Map embeddings `X`, shape (N, D), to shape (N, K)."""
        check_is_fitted(self, "notes_")
        X = self._validated(X)
        return self._transform(X).astype(X.dtype, copy=False)

    def transform_blocks(self, X: FloatArray) -> Iterator[FloatArray]:
        """Yield what `transform` makes of `X`, shape (N, D), some thousands of rows at a time.

        Neither a memory-mapped `X` nor the result is ever whole in memory. All rows are checked
        before the first are mapped.
        """
        check_is_fitted(self, "notes_")
        X, done = self._validated(X), 0
        for rows in row_blocks(X, _ROWS_MAPPED_AT_ONCE):
            yield self._transform(rows).astype(X.dtype, copy=False)
            done += len(rows)
            context.report(done, len(X), "vectors")

    def inverse_transform(self, Z: FloatArray) -> FloatArray:
        """Map `Z`, shape (N, K), back to shape (N, D); exact up to rounding.

        Raises:
            NotInvertibleError: Information was discarded; the text says which.
        """
        check_is_fitted(self, "notes_")
        self._check_bijection("cannot be inverted")
        Z = self._refusing(check_array, Z, dtype=FLOATS)
        if Z.shape[1] != self.n_features_in_:  # which an invertible map keeps
            raise InputError(f"{self} gives {self.n_features_in_} features, got {Z.shape[1]}")
        return self._inverse_transform(Z).astype(Z.dtype, copy=False)

    def log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        """Return log|det dz/dx| in nats at each row of `X` (N, D), shape (N,).

        Raises:
            NotInvertibleError: The map is not a bijection.
        """
        check_is_fitted(self, "notes_")
        self._check_bijection("has no Jacobian determinant")
        return self._log_abs_det_jacobian(self._validated(X))

    @available_if(_may_have_density)  # type: ignore[untyped-decorator]
    def score_samples(self, X: FloatArray) -> FloatArray:
        """Return the log-density in nats of each row of `X` (N, D), shape (N,).

        It is that of a standard normal seen through the map: log N(z; 0, I) + log|det dz/dx|. A
        fitted map that is not a bijection has no such method.
        """
        ladj = self.log_abs_det_jacobian(X)
        z = self.transform(X)
        squares: FloatArray = np.einsum("nd,nd->n", z, z, dtype=np.float64)
        log_density: FloatArray = ladj - 0.5 * (squares + z.shape[1] * np.log(2 * np.pi))
        return log_density

    @property
    def has_density(self) -> bool:
        """Whether it is fitted, invertible and learns a density, which `score_samples` gives."""
        return self._learns_density and self.why_not_invertible() is None

    @property
    def _learns_density(self) -> bool:
        return calibrator_info(self.name).has_density

    def why_not_invertible(self) -> str | None:
        """Say what the fitted map discards, or return None where it is a bijection."""
        return None

    @property
    def spec(self) -> str:
        """The spec that builds it: its name, and the parameters that are not the defaults."""
        options = ",".join(
            f"{parameter.name}={'none' if value is None else value}"
            for parameter in calibrator_info(self.name).parameters
            if (value := getattr(self, parameter.name)) != parameter.default
        )
        return f"{self.name}:{options}" if options else self.name

    def resolved_parameters(self) -> dict[str, Any]:
        """Return the parameters that decide the result, JSON-able."""
        known = {parameter.name for parameter in calibrator_info(self.name).parameters}
        return {k: v for k, v in self.get_params(deep=False).items() if k in known}

    def get_state(self) -> dict[str, FloatArray]:
        """Return the fitted arrays by name, for saving."""
        check_is_fitted(self, "notes_")
        return {name: np.asarray(getattr(self, name)) for name in self._fitted}

    def set_state(self, arrays: Mapping[str, FloatArray], n_features: int) -> None:
        """Restore fitted arrays that `get_state` gave.

        Raises:
            InputError: Names, shapes or values are not such a state's.
        """
        if set(arrays) != set(self._fitted):
            raise InputError(f"expected arrays {sorted(self._fitted)}, got {sorted(arrays)}")
        sizes = {"D": n_features}
        for name, letters in self._fitted.items():
            array = arrays[name]
            expected = tuple(sizes.setdefault(a, n) for a, n in zip(letters, array.shape))  # noqa: B905
            if array.shape != expected or array.ndim != len(letters):
                raise InputError(f"array {name} has shape {array.shape}, expected {letters}")
            if not np.isfinite(array).all():
                raise InputError(f"array {name} holds values that are not finite")
            setattr(self, name, np.array(array, np.float64))
        self._check_sizes(sizes)
        self.n_features_in_ = n_features

    def _check_sizes(self, sizes: Mapping[str, int]) -> None:
        """Refuse arrays with more of something than a parameter, or D, allows."""
        for letter, parameter in _AT_MOST.items():
            bounds = [getattr(self, parameter, None), sizes["D"] if letter in "kK" else None]
            bound = min((each for each in bounds if each is not None), default=None)
            if letter in sizes and bound is not None and sizes[letter] > bound:
                raise InputError(
                    f"its arrays have {letter} = {sizes[letter]}, expected at most {bound}"
                )

    def _check_parameters(self) -> None:
        calibrator_info(self.name).check(self.get_params(deep=False))

    def _check_bijection(self, consequence: str) -> None:
        reason = self.why_not_invertible()
        if reason is not None:
            raise NotInvertibleError(f"{self} {consequence}: {reason}")

    @property
    def _n_features_out(self) -> int:
        """K."""
        return self.n_features_in_

    def _validated(self, X: FloatArray) -> FloatArray:
        return self._refusing(partial(validate_data, self), X, dtype=FLOATS, reset=False)

    def _refusing(self, check: Callable[..., FloatArray], X: FloatArray, **how: Any) -> FloatArray:  # noqa: ANN401
        """Return what scikit-learn's check makes of `X`; what it refuses is an `InputError`."""
        try:
            if not is_mapped(X):
                return check(X, **how)
            checked = check(X, ensure_all_finite=False, **how)
            for rows in row_blocks(checked, _ROWS_AT_ONCE):
                assert_all_finite(rows, input_name="X")
            return checked
        except (TypeError, ValueError) as error:
            text = " ".join(str(error).split())
            kind = InputTypeError if isinstance(error, TypeError) else InputError
            raise kind(f"{type(self).__name__} cannot use these embeddings: {text}") from error

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        """Learn the map; return what its user should know."""
        raise NotImplementedError

    def _transform(self, X: FloatArray) -> FloatArray:
        raise NotImplementedError

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        raise NotImplementedError

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        raise NotImplementedError
