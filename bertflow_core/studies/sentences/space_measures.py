"""Every measure of one space of sentences, raw or calibrated, in four parts."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bertflow_core.analysis.gaussianity import (
    Likelihoods,
    QuantilePoints,
    coordinate_quantiles,
    energy_distance,
    energy_floor,
    gaussian_distance_ratio,
    likelihoods,
    matched_gaussian,
    norm_quantiles,
    norms_test,
    sample_distance_ratio,
)
from bertflow_core.analysis.isotropy import (
    effective_rank,
    expected_iso_score,
    hubness,
    iso_score,
    mean_cosine,
    participation_ratio,
    partition_isotropy,
    permuted_cosine,
    singular_values,
    top_share,
    two_nn,
)
from bertflow_core.analysis.neighbours import knn
from bertflow_core.linalg import FloatArray, sample_rows, unit_rows
from bertflow_core.studies.sentences.measures import (
    ENERGY_ROWS,
    K_HUBS,
    MEASURES,
    Values,
)

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = [
    "SpaceCurves",
    "measure_cloud",
    "measure_dimension",
    "measure_held_out_rows",
    "measure_neighbours",
]


@dataclass(frozen=True, eq=False)
class SpaceCurves:
    """The curves of a space that figures draw; None where not measured.

    Attributes:
        singular_values: Standard deviations along the principal directions, falling, shape (K,).
        norms: Of held-out rows, shape (N,).
        coordinate_quantiles: All coordinates of held-out rows against N(0, 1).
        norm_quantiles: Their norms against chi(K).
        likelihoods: Log-densities of held-out rows, samples and midpoints.
    """

    singular_values: FloatArray | None = field(default=None, repr=False)
    norms: FloatArray | None = field(default=None, repr=False)
    coordinate_quantiles: QuantilePoints | None = None
    norm_quantiles: QuantilePoints | None = None
    likelihoods: Likelihoods | None = None


def measure_cloud(z: FloatArray, *, seed: int) -> tuple[Values, FloatArray]:
    """Return isotropy and spectrum of rows, shape (N, K), and the singular values, shape (K,)."""
    spectrum = singular_values(z)
    variances = np.square(spectrum)
    values: Values = {
        "mean_cosine": mean_cosine(z),
        "permuted_cosine": permuted_cosine(z, seed=seed),
        "iso_score": iso_score(z),
        "partition_isotropy": partition_isotropy(z),
    }
    if variances[0] > 0:
        values |= {
            "effective_rank": effective_rank(variances),
            "participation_ratio": participation_ratio(variances),
            "top_1_share": top_share(variances, 1),
            "top_10_share": top_share(variances, 10),
        }
    return values, spectrum


def measure_neighbours(z: FloatArray, *, seed: int) -> Values:
    """Return dimension, hubs and clumps of rows of which no two are a pair, shape (N, K).

    Dimensions and the distance ratio use Euclidean neighbours. Hubs use neighbours by cosine, which
    are those that a search returns.
    """
    if len(z) <= K_HUBS:
        return {}
    distances, _ = knn(z, K_HUBS)
    _, by_cosine = knn(unit_rows(z), K_HUBS)
    return {
        "two_nn": two_nn(distances),
        "hubness": hubness(by_cosine),
        "gaussian_distance_ratio": gaussian_distance_ratio(distances, z, seed=seed),
    }


def measure_dimension(z: FloatArray) -> Values:
    """Return the dimension of rows of both sides of pairs, shape (N, K), under names of its own."""
    return {"two_nn_both_sides": two_nn(knn(z, 2)[0])} if len(z) > K_HUBS else {}


def measure_held_out_rows(
    calibrator: "Calibrator", x: FloatArray, *, seed: int
) -> tuple[Values, SpaceCurves]:
    """Return isotropy, Gaussianity and holes of embeddings, shape (N, D), not fitted on.

    Where the calibrator has a density, samples are N(0, I), mapped back. Otherwise they are
    Gaussian with the latent rows' mean and covariance, and there are no likelihoods.

    Args:
        calibrator: Fitted on other rows.
        x: Embeddings, shape (N, D), N >= 2.
        seed: Random seed.
    """
    z = np.asarray(calibrator.transform(x), np.float64)
    samples = matched_gaussian(z, len(z), seed=seed)
    densities = None
    if calibrator.has_density:
        samples = np.random.default_rng([seed, 1]).standard_normal(z.shape)
        back = calibrator.inverse_transform(samples)
        densities = likelihoods(calibrator.score_samples, x, back, seed=seed)
    values = _isotropy(z) | _gaussianity(z, seed)
    if densities is not None:
        groups = densities.groups().values()
        values |= {name: float(each.mean()) for name, each in zip(_DENSITIES, groups, strict=True)}
    half = np.random.default_rng(seed).permutation(len(z)) % 2 == 0
    if half.sum() > K_HUBS:
        ratio = sample_distance_ratio(z[half], z[~half], samples, K_HUBS)
        values["sample_distance_ratio"] = ratio
    norms = np.linalg.norm(z, axis=1)
    return values, SpaceCurves(None, norms, coordinate_quantiles(z), norm_quantiles(z), densities)


def _isotropy(z: FloatArray) -> Values:
    found, expected = iso_score(z), expected_iso_score(*z.shape)
    return {
        "held_out_mean_cosine": mean_cosine(z),
        "held_out_iso_score": found,
        "held_out_iso_score_expected": expected,
        "held_out_iso_ratio": None if found is None or expected is None else found / expected,
        "held_out_partition_isotropy": partition_isotropy(z),
    }


def _gaussianity(z: FloatArray, seed: int) -> Values:
    few = z[sample_rows(len(z), ENERGY_ROWS, seed=seed)]
    test = norms_test(z)
    return {
        "energy": energy_distance(few),
        "energy_floor": energy_floor(len(few), z.shape[1], seed=seed),
        "norm_ks": test.statistic,
        "norm_p_value": test.p_value,
        "norm_mean": test.mean,
        "norm_mean_expected": test.mean_expected,
    }


_DENSITIES = tuple(each.name for each in MEASURES if each.is_log_density)
