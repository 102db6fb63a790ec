"""Every measure of one space of sentences, raw or calibrated, in four parts; and their names."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from bertflow_core.analysis.dimension import levina_bickel, two_nn
from bertflow_core.analysis.energy import N_DRAWS, energy_distance, energy_floor
from bertflow_core.analysis.gaussianity import (
    QuantilePoints,
    coordinate_quantiles,
    norm_quantiles,
    norms_test,
)
from bertflow_core.analysis.holes import (
    Likelihoods,
    gaussian_distance_ratio,
    likelihoods,
    matched_gaussian,
    sample_distance_ratio,
)
from bertflow_core.analysis.hubness import k_occurrence, occurrence_skewness
from bertflow_core.analysis.isotropy import (
    iso_score,
    mean_cosine,
    partition_isotropy,
    permuted_cosine,
)
from bertflow_core.analysis.mardia import mardia
from bertflow_core.analysis.neighbours import knn
from bertflow_core.analysis.spectrum import (
    effective_rank,
    participation_ratio,
    singular_spectrum,
    top_share,
)
from bertflow_core.linalg import FloatArray, sample_rows, unit_rows

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = [
    "BY_LAYER",
    "ENERGY_ROWS",
    "K_DIMENSION",
    "K_HUBS",
    "MEASURES",
    "Measure",
    "Part",
    "SpaceCurves",
    "Values",
    "measure_cloud",
    "measure_held_out_rows",
    "measure_neighbours",
]

K_HUBS = 10
"""Number of neighbours for hubs and for the distances against Gaussian rows."""

K_DIMENSION = 20
"""Number of neighbours for the maximum-likelihood dimension."""

ENERGY_ROWS = 1_000
"""Most rows for the energy distance and its simulated floor."""

Values = dict[str, float | None]


class Part(StrEnum):
    """Measures that use the same rows."""

    CLOUD = "cloud"
    PAIRS = "pairs"
    NEIGHBOURS = "neighbours"
    HELD_OUT = "held-out"


@dataclass(frozen=True)
class Measure:
    """One number of a space.

    Attributes:
        name: Its key in records.
        label: Its name for people, with its unit or range.
        part: Which rows it is of.
    """

    name: str
    label: str
    part: Part


_LABELS = {
    Part.CLOUD: {
        "mean_cosine": "mean cosine of all pairs",
        "permuted_cosine": "mean cosine, features permuted",
        "iso_score": "IsoScore, 0 to 1",
        "partition_isotropy": "partition isotropy, root mean square norm 1",
        "effective_rank": "effective rank",
        "participation_ratio": "participation ratio",
        "top_1_share": "variance share of 1 direction",
        "top_10_share": "variance share of 10 directions",
    },
    Part.PAIRS: {
        "alignment": "alignment of unit vectors, gold from 4/5",
        "uniformity": "uniformity of unit vectors",
    },
    Part.NEIGHBOURS: {
        "two_nn": "dimension, TwoNN",
        "levina_bickel": f"dimension, Levina-Bickel, k = {K_DIMENSION}",
        "hubness": f"skewness of {K_HUBS}-occurrence by cosine",
        "gaussian_distance_ratio": f"distance to neighbour {K_HUBS} over a Gaussian's",
    },
    Part.HELD_OUT: {
        "mardia_skewness": "Mardia skewness",
        "mardia_skewness_expected": "Mardia skewness of Gaussian rows",
        "mardia_kurtosis": "Mardia kurtosis",
        "mardia_kurtosis_expected": "Mardia kurtosis of Gaussian rows",
        "mardia_kurtosis_sd": "standard deviation of the kurtosis of Gaussian rows",
        "energy": "energy distance to N(0, I)",
        "energy_floor": f"largest energy distance of {N_DRAWS} Gaussian samples",
        "norm_ks": "norms against chi, Kolmogorov-Smirnov",
        "norm_p_value": "p of the norms' distance",
        "norm_mean": "mean norm",
        "norm_mean_expected": "mean of chi",
        "sample_distance_ratio": f"distance of samples to real row {K_HUBS} over real rows'",
        "log_density_real": "log-density of real rows, nats",
        "log_density_samples": "log-density of samples, nats",
        "log_density_real_midpoints": "log-density of midpoints of real rows, nats",
        "log_density_sample_midpoints": "log-density of midpoints of samples, nats",
    },
}
MEASURES = tuple(
    Measure(name, label, part) for part, labels in _LABELS.items() for name, label in labels.items()
)
"""All of them, in the order of a table."""

BY_LAYER = (
    "mean_cosine",
    "iso_score",
    "partition_isotropy",
    "effective_rank",
    "alignment",
    "uniformity",
    "two_nn",
    "hubness",
    "energy",
    "sample_distance_ratio",
)
"""Names of the measures in a table by layer; records have all of them."""


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
    spectrum = singular_spectrum(z)
    variances = spectrum.variances
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
    return values, spectrum.singular_values


def measure_neighbours(z: FloatArray, *, seed: int) -> Values:
    """Return dimension, hubs and clumps of the rows of distinct sentences, shape (N, K).

    Dimensions and the distance ratio use Euclidean neighbours. Hubs use neighbours by cosine, which
    are those that a search returns.
    """
    if len(z) <= K_DIMENSION:
        return {}
    distances, _ = knn(z, K_DIMENSION)
    _, by_cosine = knn(unit_rows(z), K_HUBS)
    return {
        "two_nn": two_nn(distances),
        "levina_bickel": levina_bickel(distances),
        "hubness": occurrence_skewness(k_occurrence(by_cosine, len(z))),
        "gaussian_distance_ratio": gaussian_distance_ratio(distances[:, :K_HUBS], z, seed=seed),
    }


def measure_held_out_rows(
    calibrator: "Calibrator", x: FloatArray, *, seed: int
) -> tuple[Values, SpaceCurves]:
    """Return Gaussianity and holes of embeddings, shape (N, D), that were not fitted on.

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
    values = _gaussianity(z, seed)
    if densities is not None:
        groups = densities.groups().values()
        values |= {name: float(each.mean()) for name, each in zip(_DENSITIES, groups, strict=True)}
    half = np.random.default_rng(seed).permutation(len(z)) % 2 == 0
    if half.sum() > K_HUBS:
        ratio = sample_distance_ratio(z[half], z[~half], samples, K_HUBS)
        values["sample_distance_ratio"] = ratio
    norms = np.linalg.norm(z, axis=1)
    return values, SpaceCurves(None, norms, coordinate_quantiles(z), norm_quantiles(z), densities)


def _gaussianity(z: FloatArray, seed: int) -> Values:
    few = z[sample_rows(len(z), ENERGY_ROWS, seed=seed)]
    test, shape = norms_test(z), mardia(z)
    values: Values = {
        "energy": energy_distance(few),
        "energy_floor": energy_floor(len(few), z.shape[1], seed=seed),
        "norm_ks": test.statistic,
        "norm_p_value": test.p_value,
        "norm_mean": test.mean,
        "norm_mean_expected": test.mean_expected,
    }
    if shape is not None:
        names = ("skewness", "skewness_expected", "kurtosis", "kurtosis_expected", "kurtosis_sd")
        values |= {f"mardia_{name}": getattr(shape, name) for name in names}
    return values


_DENSITIES = tuple(name for name in _LABELS[Part.HELD_OUT] if name.startswith("log_density"))
