"""Calibrators that even out the variances along principal directions: z = L^(-1/2) U^T (x - m)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bertflow_core.calibrators.affine import AffineCalibrator, Rotation
from bertflow_core.errors import InputError
from bertflow_core.linalg import VARIANCE_FLOOR, FloatArray, row_blocks
from bertflow_core.moments import Moments
from bertflow_core.params import param
from bertflow_core.wording import FIT_ON_MORE, TooFew

__all__ = ["LedoitWolf", "SoftWhiten", "Whiten"]

_ROWS_AT_ONCE = 2048

_NOTED_SHARE = 0.01
"""Share of directions without variance from which a fit notes them: a LayerNorm alone takes one."""


class _Whitening(AffineCalibrator):
    """Rotate to principal directions and scale each; those without variance are dropped."""

    density = "Gaussian, where no direction is dropped"
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {
        "mean_": ("D",),
        "directions_": ("D", "K"),
        "variances_": ("K",),
    }

    def _keep(
        self,
        mean: FloatArray,
        directions: FloatArray,
        variances: FloatArray,
        at_most: int | None = None,
    ) -> tuple[str, ...]:
        """Keep the leading directions with variance; say how many have none where it matters."""
        if variances[0] <= 0:
            raise InputError("all sentences have one embedding: whitening needs some variance")
        rank = int((variances > VARIANCE_FLOOR * variances[0]).sum())
        kept = min(rank, at_most or rank)
        self.mean_, self.directions_ = mean, directions[:, :kept]
        self.variances_ = variances[:kept]
        n_features, n_flat = len(mean), len(mean) - rank
        if n_flat < _NOTED_SHARE * n_features:
            return ()
        return (f"{n_flat} of {n_features} directions have no variance",)

    @property
    def affine(self) -> Rotation:
        """The fitted map."""
        return Rotation(self.mean_, self.directions_, np.sqrt(self.variances_))

    @property
    def _n_features_out(self) -> int:
        return len(self.variances_)


@dataclass(eq=False, repr=False)
class Whiten(_Whitening):
    """Rotate to principal directions and give each variance 1.

    With shrinkage s the covariance is (1 - s) C + s (trace C / D) I, which makes one from fewer
    sentences than features usable. Directions whose variance is below 1e-6 of the largest carry
    rounding noise: they are dropped, which `why_not_invertible()` counts; `notes_` does so from 1 %
    of all on, since a LayerNorm alone takes one. To keep all, set shrinkage above D / 10^6.

    Attributes:
        mean_: shape (D,).
        directions_: U_n, orthonormal columns, shape (D, K).
        variances_: L_n, the variance along each after shrinkage, shape (K,).

    References:
        Whitening Sentence Representations for Better Semantics and Faster Retrieval (Su et al.,
        2021), Algorithm 1, https://arxiv.org/abs/2103.15316.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import Whiten
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> z = Whiten(n_components=2).fit_transform(x)
        >>> np.abs(np.cov(z.T)).round(6).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """

    name = "whiten"
    plain = "whitening to {n_components} dimensions"
    plain_if = (
        ("n_components", None, "whitening"),
        ("n_components", 1, "whitening to 1 dimension"),
    )
    formula = "L_n^(-1/2) U_n^T (x - mean)"
    source = "Su et al. 2021"
    url = "https://arxiv.org/abs/2103.15316"
    invertible = "only where no direction is dropped"
    offered = ("whiten", "whiten:n_components=256")

    n_components: int | None = param(
        None, "Leading directions to keep; none keeps all that have variance.", low=1, high=100_000
    )
    shrinkage: float = param(
        0.0, "Weight of the identity in the covariance; above 0 where N < D.", low=0, high=1
    )

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        n_features, wanted = len(moments.mean), self.n_components
        if wanted is not None and wanted > n_features:
            raise InputError(
                f"{self.name}: n_components must be at most the number of features ({n_features}), "
                f"got {wanted}"
            )
        variances, directions = moments.principal
        variances = _shrunk(variances, self.shrinkage)
        remarks = [*self._keep(moments.mean, directions, variances, wanted)]
        kept = len(self.variances_)
        if kept < (wanted or 0):
            remarks.append(f"{kept} of the {wanted} directions asked for are kept")
        if moments.n <= n_features and self.shrinkage == 0:
            few = f"{moments.n} sentences, repeated ones counted, are too few for {n_features}"
            remarks.append(TooFew(f"{few} variances: {FIT_ON_MORE} or set shrinkage above 0"))
        return tuple(remarks)


@dataclass(eq=False, repr=False)
class SoftWhiten(_Whitening):
    """Even out the variances in part: (L + e I)^(-p/2) in the principal directions.

    With power 1 and eps 0 it is full whitening, by PCA or, turned back to the features, by ZCA;
    with power 0 it only centres (and rotates). e is `eps` times the mean eigenvalue. A direction
    whose variance plus e is below 1e-6 of the largest is dropped; with `eps` above D / 10^6 none
    is. No cosine or distance depends on the rotation.

    Attributes:
        mean_: shape (D,).
        directions_: U, orthonormal columns, shape (D, K).
        variances_: L + e along each direction, shape (K,).

    References:
        Isotropy Matters: Soft-ZCA Whitening of Embeddings for Semantic Code Search (Diera et al.,
        2024), https://arxiv.org/abs/2411.17538.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import SoftWhiten
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> spread = np.cov(SoftWhiten(eps=0.1).fit_transform(x).T)
        >>> bool(0.5 < np.linalg.eigvalsh(spread).min() and np.linalg.eigvalsh(spread).max() < 1)
        True
    """

    name = "soft-whiten"
    plain = "soft whitening"
    formula = "U (L + e I)^(-p/2) U^T (x - mean); without the first U for rotation pca"
    source = "Diera et al. 2024"
    url = "https://arxiv.org/abs/2411.17538"
    invertible = "only where no direction is dropped; with eps above D / 10^6 none is"

    rotation: str = param(
        "zca",
        "Whether to rotate back to the features (zca) or not (pca).",
        choices=("pca", "zca"),
    )
    eps: float = param(0.1, "Added to each eigenvalue, as a share of their mean.", low=0, high=1e6)
    power: float = param(
        1.0, "p: 0 leaves the variances as they are, 1 makes them equal.", low=0, high=1
    )

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        variances, directions = moments.principal
        return self._keep(moments.mean, directions, variances + self.eps * variances.mean())

    @property
    def affine(self) -> Rotation:
        """The fitted map."""
        scale = self.variances_ ** (self.power / 2)
        return Rotation(self.mean_, self.directions_, scale, self.rotation == "zca")

    @property
    def _n_features_out(self) -> int:
        return self.n_features_in_ if self.rotation == "zca" else super()._n_features_out


class LedoitWolf(_Whitening):
    """Whiten with the covariance shrunk to (trace S / D) I as far as the data themselves say.

    The shrinkage s minimises the expected squared error of (1 - s) S + s (trace S / D) I, where S
    is the covariance over N; it falls as sentences are added.

    Attributes:
        mean_: shape (D,).
        directions_: U, orthonormal columns, shape (D, K).
        variances_: The variance along each after shrinkage, shape (K,).
        shrinkage_: s, from 0 to 1, shape ().

    References:
        A Well-Conditioned Estimator for Large-Dimensional Covariance Matrices (Ledoit and Wolf,
        2004), https://doi.org/10.1016/S0047-259X(03)00096-4.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import LedoitWolf
        >>> x = np.random.default_rng(0).normal(5, [1, 2, 3, 4], size=(500, 4))
        >>> few, many = (float(LedoitWolf().fit(x[:n]).shrinkage_) for n in (10, 500))
        >>> many < few  # more sentences need less
        True
    """

    name = "ledoit-wolf"
    plain = "whitening with Ledoit-Wolf shrinkage"
    formula = "L^(-1/2) U^T (x - mean) of (1 - s) C + s (trace C / D) I, s from the data"
    source = "Ledoit and Wolf 2004"
    url = "https://doi.org/10.1016/S0047-259X(03)00096-4"
    invertible = "only where no direction is dropped; with s above D / 10^6 none is"
    _fitted: ClassVar[dict[str, tuple[str, ...]]] = {**_Whitening._fitted, "shrinkage_": ()}

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        moments = Moments.of(X)
        variances, directions = moments.principal
        variances = variances * (moments.n - 1) / moments.n
        lengths = np.concatenate(
            [np.square(rows - moments.mean).sum(axis=1) for rows in row_blocks(X, _ROWS_AT_ONCE)]
        )
        shrinkage = _ledoit_wolf_shrinkage(variances, lengths)
        self.shrinkage_ = np.asarray(shrinkage)
        return self._keep(moments.mean, directions, _shrunk(variances, shrinkage))


def _shrunk(variances: FloatArray, shrinkage: float) -> FloatArray:
    """Return the eigenvalues of (1 - s) C + s (trace C / D) I, shape (D,), from those of C."""
    shrunk: FloatArray = (1 - shrinkage) * variances + shrinkage * variances.mean()
    return shrunk


def _ledoit_wolf_shrinkage(variances: FloatArray, lengths: FloatArray) -> float:
    """Return b^2 / d^2 of Ledoit and Wolf (2004).

    d^2 is the squared distance of S to its target and b^2 the mean one of the rows' own x x^T to S,
    over N: by ||x x^T||^2 = ||x||^4 it needs no product of the rows.

    Args:
        variances: Eigenvalues of S, shape (D,).
        lengths: ||x||^2 of each centred row, shape (N,).
    """
    distance = float(np.square(variances - variances.mean()).sum())
    if distance == 0:
        return 0.0
    noise = float(np.square(lengths).mean() - np.square(variances).sum()) / len(lengths)
    return min(max(noise, 0.0), distance) / distance
