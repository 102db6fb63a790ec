"""The measures of one space of sentences, raw or calibrated, in four parts: their names."""

from dataclasses import dataclass
from enum import StrEnum

from bertflow_core.analysis.gaussianity import N_DRAWS

__all__ = [
    "BY_LAYER",
    "ENERGY_ROWS",
    "K_HUBS",
    "MEASURES",
    "NATS_DIGITS",
    "Measure",
    "Part",
    "Values",
    "value_text",
]

K_HUBS = 10
"""Number of neighbours for hubs and for the distances against Gaussian rows."""

ENERGY_ROWS = 1_000
"""Most rows for the energy distance and its simulated floor."""

NATS_DIGITS = 1
"""Decimals of a log-density in nats, wherever one is shown."""

Values = dict[str, float | None]


def value_text(value: float | None) -> str:
    """Write a measure with four digits; a dash where it is undefined."""
    return "-" if value is None else f"{value:.4g}"


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

    @property
    def is_log_density(self) -> bool:
        """Whether it is a mean log-density, in nats."""
        return self.name.startswith("log_density")

    def text(self, value: float | None) -> str:
        """Write a value of it: a log-density with `NATS_DIGITS`, others as `value_text` does."""
        if value is None or not self.is_log_density:
            return value_text(value)
        return f"{value:z.{NATS_DIGITS}f}"


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
        "two_nn_both_sides": "dimension, TwoNN, both sides of pairs",
        "hubness": f"skewness of {K_HUBS}-occurrence by cosine",
        "gaussian_distance_ratio": f"distance to neighbour {K_HUBS} over a Gaussian's",
    },
    Part.HELD_OUT: {
        "held_out_mean_cosine": "mean cosine of all pairs, held-out rows",
        "held_out_iso_score": "IsoScore, held-out rows",
        "held_out_iso_score_expected": "IsoScore of as many Gaussian rows",
        "held_out_iso_ratio": "IsoScore, held-out rows over Gaussian rows",
        "held_out_partition_isotropy": "partition isotropy, held-out rows",
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
    "held_out_iso_ratio",
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
