"""Calibrators that mean and covariance decide: fitted on rows, chunk by chunk, or on moments."""

from functools import partial
from typing import ClassVar, Self

from bertflow_core.calibrators.base import FLOATS, Calibrator
from bertflow_core.calibrators.estimators import available_if, validate_data
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.moments import Moments

__all__ = ["FromMoments"]


class FromMoments(Calibrator):
    """A calibrator that can be fitted in one pass; a subclass gives `_fit_moments`.

    Attributes:
        moments_: Of the rows it was fitted on; a loaded calibrator has none.
    """

    _one_by_one: ClassVar[bool] = False
    """Whether features are looked at one by one, so that no product of two is needed."""

    moments_: Moments

    @property
    def fits_moments(self) -> bool:
        """Whether mean and covariance decide the map, so that `fit_moments` can fit it."""
        return True

    @property
    def _gathers_moments(self) -> bool:
        """Whether `fit` keeps the moments of its rows, which `partial_fit` adds to."""
        return self.fits_moments

    def fit_moments(self, moments: Moments) -> Self:
        """Learn the map from the moments of N >= 2 embeddings, as `fit` does from the rows.

        Raises:
            InputError: N < 2, a parameter out of its range, or moments of features one by one
                where products of features are needed.
        """
        if not self.fits_moments:
            return super().fit_moments(moments)
        self._check_parameters()
        if moments.n < 2:
            raise InputError(f"{self} needs moments of at least 2 rows, got {moments.n}")
        self.notes_ = self._fit_moments(moments)
        self.moments_ = moments
        self.n_features_in_ = len(moments.mean)
        self.__dict__.pop("feature_names_in_", None)  # moments have none
        return self

    @available_if(lambda calibrator: calibrator._gathers_moments)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: FloatArray, y: None = None) -> Self:
        """Learn the map from embeddings `X`, shape (N, D), N >= 1, and all that were given before.

        It is fitted anew each time, once two rows have been seen. To fit it once on many chunks,
        gather them with `Moments.update` and call `fit_moments`.

        Raises:
            InputError: As `fit`, another width, or no moments of the rows before, which a loaded
                calibrator does not have.
        """
        self._check_parameters()
        before = self.__dict__.get("moments_")
        if before is None and hasattr(self, "notes_"):
            raise InputError(
                f"{self} has no moments of the rows that it was fitted on: give them all to a new "
                "one's partial_fit"
            )
        checked = self._refusing(
            partial(validate_data, self), X, dtype=FLOATS, reset=before is None
        )
        moments = self._moments_of(checked)
        if before is not None:
            moments = before.merge(moments)
        if moments.n >= 2:
            self.notes_ = self._fit_moments(moments)
        self.moments_ = moments
        return self

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        moments = self._moments_of(X)
        notes = self._fit_moments(moments)
        self.moments_ = moments
        return notes

    def _moments_of(self, X: FloatArray) -> Moments:
        leading = self._needs_only_leading(X.shape[1])
        return Moments.of(X, diagonal=self._one_by_one, in_float32=leading)

    def _needs_only_leading(self, n_features: int) -> bool:
        """Whether a few leading directions are all that is used: products in float32 are enough."""
        return False

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        """Learn the map; return what its user should know."""
        raise NotImplementedError
