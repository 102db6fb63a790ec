"""Calibrators that make features normal one by one, as they are or after rotations."""

from typing import ClassVar

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.estimators import OneToOneFeatureMixin
from bertflow_core.calibrators.marginal import MarginalMaps, fit_marginals
from bertflow_core.calibrators.notes import left_unscaled
from bertflow_core.calibrators.options import GaussianizeOptions, RBIGOptions
from bertflow_core.linalg import FloatArray, principal_directions
from bertflow_core.moments import covariance

__all__ = ["RBIG", "Gaussianize"]


class Gaussianize(GaussianizeOptions, OneToOneFeatureMixin, Calibrator):  # type: ignore[misc]
    """Map each feature to a standard normal through its empirical quantiles.

    The map is increasing and piecewise linear between the quantiles' knots, with Gaussian tails
    beyond them (see `MarginalMaps`), and so invertible on the whole line. A constant feature is
    centred and left unscaled.

    Attributes:
        knots_: Where the pieces meet, rising, shape (Q, D).
        scale_: Standard deviation (1 for a constant feature), shape (D,).

    References:
        Gaussianization (Chen and Gopinath, 2000),
        https://papers.nips.cc/paper/2000/hash/3c947bc2f7ff007b86a9428b74654de5-Abstract.html.

    Example:
        >>> import numpy as np
        >>> from scipy.stats import skew
        >>> from bertflow_core.calibrators import Gaussianize
        >>> x = np.random.default_rng(0).exponential(size=(1000, 2))
        >>> z = Gaussianize().fit_transform(x)
        >>> bool(skew(x).min() > 1.5), bool(np.abs(skew(z)).max() < 0.3)
        (True, True)
    """

    name = "gaussianize"
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {"knots_": ("Q", "D"), "scale_": ("D",)}

    knots_: FloatArray
    scale_: FloatArray

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        maps, n_constant = fit_marginals(X, self.n_quantiles)
        self.knots_, self.scale_ = maps.knots, maps.scale
        return (left_unscaled(n_constant),) if n_constant else ()

    @property
    def _maps(self) -> MarginalMaps:
        return MarginalMaps(self.knots_, self.scale_)

    def _transform(self, X: FloatArray) -> FloatArray:
        return self._maps.forward(X)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return self._maps.inverse(Z)

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return self._maps.log_abs_det_jacobian(X)


class RBIG(RBIGOptions, Calibrator):
    """Make features normal one by one, rotate, and repeat: iterative Gaussianization.

    Each layer is `Gaussianize`'s map, then a rotation R: z = R g(x). With more layers the
    embeddings approach a standard normal, without any gradient. A direction without variance is
    left unscaled in its layer.

    Attributes:
        knots_: Where the pieces meet, rising, shape (L, Q, D).
        scale_: Standard deviation (1 for a constant feature), shape (L, D).
        rotations_: Orthonormal columns, shape (L, D, D).

    References:
        Iterative Gaussianization: From ICA to Random Rotations (Laparra et al., 2011),
        https://arxiv.org/abs/1602.00229.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import RBIG
        >>> x = np.random.default_rng(0).exponential(size=(500, 2))
        >>> rbig = RBIG(n_layers=3).fit(x)
        >>> bool(np.allclose(rbig.inverse_transform(rbig.transform(x)), x))
        True
    """

    name = "rbig"
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {
        "knots_": ("L", "Q", "D"),
        "scale_": ("L", "D"),
        "rotations_": ("L", "D", "D"),
    }

    knots_: FloatArray
    scale_: FloatArray
    rotations_: FloatArray

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        draws = np.random.default_rng(self.seed or 0)
        layers: list[MarginalMaps] = []
        rotations: list[FloatArray] = []
        n_constant = 0
        for number in range(self.n_layers):
            maps, n_empty = fit_marginals(X, self.n_quantiles)
            Z = maps.forward(X)
            rotation = self._rotation(Z, draws)
            X = Z @ rotation
            layers.append(maps)
            rotations.append(rotation)
            n_constant = max(n_constant, n_empty)
            context.report(number + 1, self.n_layers, "layers")
        self.knots_ = np.stack([maps.knots for maps in layers])
        self.scale_ = np.stack([maps.scale for maps in layers])
        self.rotations_ = np.stack(rotations)
        return (f"up to {n_constant} directions have no variance",) if n_constant else ()

    def _rotation(self, Z: FloatArray, draws: np.random.Generator) -> FloatArray:
        """Return an orthogonal matrix, shape (D, D), for rows `Z`, shape (N, D)."""
        if self.rotation == "pca":
            return principal_directions(covariance(Z)[1])[1]
        q, r = np.linalg.qr(draws.standard_normal((Z.shape[1], Z.shape[1])))
        uniform: FloatArray = q * np.sign(np.diag(r))  # Mezzadri (2007): else QR prefers some
        return uniform

    @property
    def _layers(self) -> list[tuple[MarginalMaps, FloatArray]]:
        fitted = zip(self.knots_, self.scale_, self.rotations_, strict=True)
        return [(MarginalMaps(knots, scale), rotation) for knots, scale, rotation in fitted]

    def _transform(self, X: FloatArray) -> FloatArray:
        for maps, rotation in self._layers:
            X = maps.forward(X) @ rotation
        return X

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        for maps, rotation in reversed(self._layers):
            Z = maps.inverse(Z @ rotation.T)
        return Z

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        total = np.zeros(len(X))
        for maps, rotation in self._layers:
            total += maps.log_abs_det_jacobian(X)
            X = maps.forward(X) @ rotation
        return total
