"""The base class of calibrators, which follow scikit-learn's interface of a transformer.

Here "calibration" corrects the geometry of an embedding space, not probabilities.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from bertflow_core.arrays.blocks import is_mapped, row_blocks
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.rounding import ERRORS, precision_of
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import (
    InputError,
    InputTypeError,
    NothingLeftError,
    NotInvertibleError,
    check_name,
    nearest,
)
from bertflow_core.params import Parameter, Preset, Value, parameters_of
from bertflow_core.runtime import context
from bertflow_core.runtime.context import Progress
from bertflow_core.runtime.lazy import imported_when_used
from bertflow_core.wording import FIT_ON_MORE, counted, quoted

# scikit-learn imports these for functions that no calibrator calls; they take longer than the rest.
with imported_when_used("pandas", "scipy.stats"):
    from sklearn.base import (
        BaseEstimator,
        ClassNamePrefixFeaturesOutMixin,
        OneToOneFeatureMixin,
        TransformerMixin,
    )
    from sklearn.utils import assert_all_finite
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.validation import check_array, check_is_fitted, validate_data

_FLOATS = (np.float32, np.float64)
_ROWS_AT_ONCE, _ROWS_MAPPED_AT_ONCE = 4096, 16_384
_FEWEST = 30  # rows; with fewer, a note warns that means and variances are unreliable
_ROWS_BACK = 256  # the inverse of some maps takes D times as long as the map
# The parameter that limits the length of an array, by that length's letter in `_fitted`.
_AT_MOST = {"k": "k", "K": "n_components"}


def _may_have_density(calibrator: "Calibrator") -> bool:
    """Return True; raise an error with the reason if a fitted calibrator has no density."""
    if hasattr(calibrator, "notes_"):
        calibrator._check_bijection("has no density")
    return True


class Calibrator(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A map of embeddings, shape (N, D), to embeddings, shape (N, K), learnt without labels.

    `__init__` stores its arguments; `fit` checks them, learns, and sets attributes that end in an
    underscore; nothing else changes state. Fits use float64, except for the weights of flows;
    float32 input gives float32 output.

    To write a calibrator, derive a class; `CALIBRATORS` finds it if it defines `formula`, and in a
    new process if its package registers it as an entry point of `bertflow_lab.calibrators`. The
    class defines

    - the class attributes below, and its parameters as dataclass fields made by `param`;
    - `_fitted`, the arrays that a fit sets, with the letters of their shapes;
    - `_fit_moments` if mean and covariance determine the map, otherwise `_fit`;
    - `_transform`;
    - `_inverse_transform` and `_log_abs_det_jacobian` if the map is a bijection, otherwise
      `why_not_invertible`.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import Calibrator, Standardize
        >>> issubclass(Standardize, Calibrator), Standardize.formula
        (True, '(x - mean) / standard deviation, feature by feature')
        >>> Standardize().fit(np.array([[0.0, 1.0], [2.0, 5.0]])).transform(np.array([[1.0, 7.0]]))
        array([[0., 2.]])
    """

    name: ClassVar[str]  # its name in a spec
    plain: ClassVar[str]  # what it does in plain English; "{k}" stands for the parameter k
    # Texts in place of `plain` for special values: a parameter's name, its value, the text.
    plain_if: ClassVar[tuple[tuple[str, Value, str], ...]] = ()
    formula: ClassVar[str]  # how an embedding x is mapped
    source: ClassVar[str]  # authors and year
    url: ClassVar[str] = ""
    invertible: ClassVar[str]  # "yes", or when and why it is not
    density: ClassVar[str] = "no"  # density that `score_samples` gives; "no" if none
    presets: ClassVar[tuple[Preset, ...]] = ()
    offered: ClassVar[tuple[str, ...] | None] = None  # specs in forms; None stands for its name
    keeps_features: ClassVar[bool] = False  # whether feature j of z is feature j of x, corrected
    _fitted: ClassVar[dict[str, str]] = {}  # the arrays that a fit sets, with letters of shapes

    n_features_in_: int  # D
    notes_: tuple[str, ...]  # what users should know about the fit, one sentence each
    precision_: str  # precision in which the rows of the fit were computed

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the calibrator's parameters, in the order of a form."""
        return tuple(replace(each, owner=cls.name) for each in parameters_of(cls))

    @classmethod
    def parameter(cls, name: str) -> Parameter:
        """Return the parameter called `name`, or refuse with the nearest names."""
        known = {each.name: each for each in cls.parameters()}
        if name not in known:
            hint = nearest(name, known) if known else "it takes no parameters"
            raise InputError(
                f"calibrator {quoted(cls.name)} has no parameter {quoted(name)}: {hint}"
            )
        return known[name]

    @context.reports
    def fit(
        self,
        X: FloatArray,
        y: None = None,
        *,
        precision: str | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Learn the map from embeddings `X`, shape (N, D), N >= 2.

        Args:
            X: Embeddings.
            y: Ignored.
            precision: Precision in which they were computed, if it is coarser than their dtype:
                `float16` or `bfloat16`. Directions that vary by no more than its rounding error
                count as constant.
            progress: Called with `(done, total, unit)`; None keeps the current listener.

        Raises:
            InputError: Values that are not finite, N < 2, a parameter out of its range, or
                embeddings of which only rounding error would be left.
            Cancelled: `progress` asked to stop; the calibrator is unchanged.
        """
        self._check_parameters()
        if precision is not None:
            check_name(precision, ERRORS, "precision")
        checked: FloatArray = self._refusing(check_array, X, dtype=_FLOATS, ensure_min_samples=0)
        if len(checked) < 2:
            raise InputError(
                f"{self.name} needs at least 2 rows to be fitted, got "
                f"{counted(len(checked), 'sample')}: fit it on more sentences or vectors"
            )
        precision = precision_of(checked, precision)
        self.notes_ = self._with_few_rows(len(checked), self._fit(checked, precision))
        self.precision_ = precision
        validate_data(self, X, skip_check_array=True)  # keeps the number and names of features
        return self

    @property
    def fits_moments(self) -> bool:
        """Whether mean and covariance determine the map, so that `fit_moments` can fit it."""
        return type(self)._fit_moments is not Calibrator._fit_moments

    def fit_moments(self, moments: Moments) -> Self:
        """Learn the map from the moments of N >= 2 embeddings, as `fit` does from the rows.

        The moments may come from chunks or from many machines.

        Raises:
            InputError: The map needs the embeddings themselves, N < 2, or a parameter is out of its
                range.
        """
        if not self.fits_moments:
            raise InputError(
                f"{self} cannot be fitted on moments: fit it on the embeddings themselves"
            )
        self._check_parameters()
        if moments.n < 2:
            raise InputError(f"{self} needs moments of at least 2 rows, got {moments.n}")
        self.notes_ = self._with_few_rows(moments.n, self._fit_moments(moments))
        self.precision_ = moments.precision
        self.n_features_in_ = len(moments.mean)
        self.__dict__.pop("feature_names_in_", None)  # moments name no features
        return self

    def transform(self, X: FloatArray) -> FloatArray:
        """Map embeddings `X`, shape (N, D), to shape (N, K)."""
        X = self._validated(X)
        return self._transform(X).astype(X.dtype, copy=False)

    def transform_blocks(self, X: FloatArray) -> Iterator[FloatArray]:
        """Yield the results of `transform` for `X`, shape (N, D), some thousands of rows at a time.

        Neither a memory-mapped `X` nor the result is ever whole in memory. All rows are checked
        before the first are mapped.
        """
        X, done = self._validated(X), 0
        for rows in row_blocks(X, _ROWS_MAPPED_AT_ONCE):
            yield self._transform(rows).astype(X.dtype, copy=False)
            done += len(rows)
            context.report(done, len(X), "vectors")

    def inverse_transform(self, Z: FloatArray) -> FloatArray:
        """Map `Z`, shape (N, K), back to shape (N, D); exact up to rounding.

        Raises:
            NotInvertibleError: The map discards information; the message says which.
        """
        self._check_bijection("cannot be inverted")
        Z = self._refusing(check_array, Z, dtype=_FLOATS)
        if Z.shape[1] != self.n_features_in_:  # an invertible map keeps this number
            raise InputError(f"{self} outputs {self.n_features_in_} features, got {Z.shape[1]}")
        return self._inverse_transform(Z).astype(Z.dtype, copy=False)

    def log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        """Return log|det dz/dx| of a bijection in nats at each row of `X` (N, D), shape (N,)."""
        self._check_bijection("has no Jacobian determinant")
        return self._log_abs_det_jacobian(self._validated(X))

    @available_if(_may_have_density)  # type: ignore[untyped-decorator]
    def score_samples(self, X: FloatArray) -> FloatArray:
        """Return the log-density in nats of each row of `X` (N, D), shape (N,).

        The map turns this density into a standard normal: log N(z; 0, I) + log|det dz/dx|. A
        fitted map that is not a bijection has no such method.
        """
        X = self._validated(X)
        z, ladj = self._transform(X).astype(X.dtype, copy=False), self._log_abs_det_jacobian(X)
        squares: FloatArray = np.einsum("nd,nd->n", z, z, dtype=np.float64)
        log_density: FloatArray = ladj - 0.5 * (squares + z.shape[1] * np.log(2 * np.pi))
        return log_density

    @property
    def has_density(self) -> bool:
        """Whether the fitted map is invertible and has a density for `score_samples`."""
        return self._learns_density and self.why_not_invertible() is None

    def why_not_invertible(self) -> str | None:
        """Return what the fitted map discards, or None if it is a bijection."""
        return None

    def get_feature_names_out(self, input_features: Any = None) -> Any:  # noqa: ANN401 - its own
        """Return the names of the features of the result, shape (K,)."""
        naming = OneToOneFeatureMixin if self.keeps_features else ClassNamePrefixFeaturesOutMixin
        return naming.get_feature_names_out(self, input_features)

    @property
    def spec(self) -> str:
        """The spec that builds the calibrator: its name, and parameters other than the defaults."""
        options = ",".join(
            f"{parameter.name}={'none' if value is None else value}"
            for parameter in self.parameters()
            if (value := getattr(self, parameter.name)) != parameter.default
        )
        return f"{self.name}:{options}" if options else self.name

    def resolved_parameters(self) -> dict[str, Any]:
        """Return the parameters that determine the result, JSON-able."""
        names = sorted(parameter.name for parameter in self.parameters())
        return {name: getattr(self, name) for name in names}

    def get_state(self) -> dict[str, FloatArray]:
        """Return the fitted arrays by name, for saving."""
        check_is_fitted(self, "notes_")
        return {name: np.asarray(getattr(self, name)) for name in self._fitted}

    def set_state(self, arrays: Mapping[str, FloatArray], n_features: int) -> None:
        """Restore fitted arrays from `get_state`; refuse unsuitable ones, which a file may hold."""
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
        for letter in sizes.keys() & _AT_MOST:  # a hostile file may claim more than is allowed
            most = getattr(self, _AT_MOST[letter], None)
            most = n_features if most is None else min(most, n_features)
            if sizes[letter] > most:
                raise InputError(
                    f"its arrays have {letter} = {sizes[letter]}, expected at most {most}"
                )
        self.n_features_in_ = n_features

    def _check_parameters(self) -> None:
        for parameter in self.parameters():
            parameter.check(getattr(self, parameter.name))

    def _check_bijection(self, consequence: str) -> None:
        check_is_fitted(self, "notes_")
        reason = self.why_not_invertible()
        if reason is not None:
            raise NotInvertibleError(f"{self} {consequence}: {reason}")

    @property
    def _learns_density(self) -> bool:
        return self.density != "no"

    @property
    def _n_features_out(self) -> int:
        """K, the number of features after the map."""
        return self.n_features_in_

    def _validated(self, X: FloatArray) -> FloatArray:
        check_is_fitted(self, "notes_")
        return self._refusing(partial(validate_data, self), X, dtype=_FLOATS, reset=False)

    @np.errstate(invalid="ignore")  # scikit-learn adds up all values, whose sum may overflow
    def _refusing(self, check: Callable[..., FloatArray], X: FloatArray, **how: Any) -> FloatArray:  # noqa: ANN401
        """Return the result of scikit-learn's check of `X`; turn its errors into `InputError`."""
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

    def _with_few_rows(self, n_rows: int, notes: tuple[str, ...]) -> tuple[str, ...]:
        """Add a note on too few rows to the notes of a fit, unless they contain one."""
        is_known = any(FIT_ON_MORE in note for note in notes)
        if n_rows >= _FEWEST or is_known or not self._fitted:
            return notes
        few = f"{n_rows} sentences, repeated ones counted, are too few for means and variances"
        return (*notes, f"{few}: {FIT_ON_MORE}")

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        """Learn the map from rows computed in `precision`; return notes for the user."""
        return self._fit_moments(Moments.of(X, precision=precision))

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        """Learn the map from mean and covariance; return notes for the user."""
        raise NotImplementedError

    def _transform(self, X: FloatArray) -> FloatArray:
        raise NotImplementedError

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        raise NotImplementedError

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        raise NotImplementedError


def left_unscaled(n_constant: int) -> tuple[str, ...]:
    """Return a note that features without variance are not scaled, if there are any."""
    verb = "is" if n_constant == 1 else "are"
    return (f"{counted(n_constant, 'constant feature')} {verb} left unscaled",) * (n_constant > 0)


def too_few(n: int, n_features: int, otherwise: str = "") -> tuple[str, ...]:
    """Return a note if N <= D, since a covariance then has no variance in some directions."""
    few = f"{n} sentences, repeated ones counted, are too few for {n_features} variances"
    return (f"{few}: {FIT_ON_MORE}{otherwise}",) if n <= n_features else ()


def check_varies(name: str, rank: int, k: int = 0) -> None:
    """Refuse embeddings if removing k directions would leave only rounding error."""
    if rank == 0:
        raise NothingLeftError(
            f"all sentences have the same embedding, up to rounding: {name} needs some variance"
        )
    if k >= rank:
        raise NothingLeftError(
            f"{name}: k must be below the rank of the embeddings it is fitted on, {rank}, got {k}: "
            "only rounding error would be left; lower k or fit on more sentences"
        )


def rank_lost(calibrator: Calibrator, x: FloatArray) -> int:
    """Return by how much a fitted map lowers the rank of embeddings, shape (N, D).

    The rank counts the directions along which embeddings vary by more than rounding error. It is 0
    for a map with an inverse, and for a nonlinear map that raises the rank.
    """
    if calibrator.why_not_invertible() is None:
        return 0
    before, after = (
        Moments.of(rows, precision=calibrator.precision_) for rows in (x, calibrator.transform(x))
    )
    return max(0, before.rank - after.rank)


def round_trip_error(calibrator: Calibrator, x: FloatArray) -> float | None:
    """Return the largest ||x - inverse(z)|| / ||x|| of rows, shape (N, D); None without an inverse.

    It is measured on at most 256 evenly spaced rows. For a zero row, ||x|| counts as 1.
    """
    if calibrator.why_not_invertible() is not None:
        return None
    some = np.linspace(0, len(x) - 1, min(len(x), _ROWS_BACK)).astype(int)
    x = np.asarray(x[some], np.float64)
    back = calibrator.inverse_transform(calibrator.transform(x))
    lengths = np.linalg.norm(x, axis=1)
    errors = np.linalg.norm(x - back, axis=1) / np.where(lengths > 0, lengths, 1.0)
    return float(errors.max())
