"""All measures of a space of sentences, declared once: function, rows, formula, text, source.

A measure is a function of the rows of its group. `measure_group` computes all of a group; tables,
figures, pages and the tour read `IDEAS`. `judged` has the verdicts on values.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from bertflow_core.analysis import isotropy
from bertflow_core.analysis.gaussianity import N_GAUSSIAN_DRAWS, energy_distance, energy_floor
from bertflow_core.analysis.neighbours import knn
from bertflow_core.analysis.space_rows import ENERGY_ROWS, K_HUBS, Cloud, Near, Pairs, Unseen
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.types import FloatArray

Values = dict[str, float | None]


class Group(StrEnum):
    """Measures that use the same rows."""

    CLOUD = "cloud"
    PAIRS = "pairs"
    NEIGHBOURS = "neighbours"
    HELD_OUT = "held-out"


@dataclass(frozen=True)
class Measure:
    """One number that describes a space."""

    name: str  # its key in records
    label: str  # its name for people, with its unit or range
    value: Callable[[Any], float | None] = field(repr=False)  # function of the rows of its group
    format: str = ".4g"

    def text(self, value: float | None) -> str:
        """Return a value as text; a dash if it is undefined."""
        return "-" if value is None else format(value, self.format)


@dataclass(frozen=True)
class Idea:
    """The explanation of measures that belong together."""

    title: str
    measures: tuple[Measure, ...]
    formula: str  # LaTeX
    higher: str  # meaning of a higher value
    words: str  # symbols, scaling and range
    source: str  # author and year, in Markdown

    @property
    def text(self) -> str:
        """The explanation, the meaning of a higher value, and the source, in Markdown."""
        return f"{self.words} Higher: {self.higher}. Source: {self.source}."


def _idea(
    title: str, formula: str, higher: str, words: str, source: str, *measures: Measure
) -> Idea:
    return Idea(title, measures, formula, higher, words, source)


def _of(function: Callable[[FloatArray], float | None]) -> Callable[[Any], float | None]:
    """Return a measure that applies a function to the rows `z` of its group."""
    return lambda part: function(part.z)


def _spread(function: Callable[[FloatArray], float]) -> Callable[[Cloud], float | None]:
    """Return a measure of the variances, which is undefined if nothing varies."""
    return lambda c: function(c.singular_values**2) if c.singular_values[0] > 0 else None


def _share(k: int) -> Measure:
    label = f"variance share of {k} direction{'s' * (k > 1)}"
    return Measure(f"top_{k}_share", label, _spread(lambda v: isotropy.top_share(v, k)))


def _density(name: str, group: str, of: str) -> Measure:
    def mean(unseen: Unseen) -> float | None:
        densities = unseen.likelihoods
        return None if densities is None else float(densities[group].mean())

    return Measure(f"log_density_{name}", f"log-density of {of}, nats", mean, "z.1f")


_RUDMAN = "[Rudman et al. (2022), Algorithm 1](https://arxiv.org/abs/2108.07344)"
_MU = "[Mu and Viswanath (2018)](https://arxiv.org/abs/1702.01417)"
_WANG = "[Wang and Isola (2020)](https://arxiv.org/abs/2005.10242)"
_LI = "[Li et al. (2020)](https://aclanthology.org/2020.emnlp-main.733)"
_HOLES = _LI.replace("[Li", "[Defined here, for the holes of Li")

_CLOUD = (
    _idea(
        "Mean cosine of all pairs",
        r"\frac{\lVert \sum_i u_i \rVert^2 - N}{N (N - 1)}, \quad u_i = x_i / \lVert x_i \rVert",
        "a narrower cone",
        "Computed over all pairs of rows; the rows are the sentences of every split, with "
        "duplicates. (Random cosine on other pages is the mean over random pairs of the scored "
        "sentences.) It is at most 1, and 0 for a centred isotropic cloud. For the mean "
        "cosine with features permuted, each feature's values are shuffled over the rows. A mean "
        "cosine near that value comes from the features' means alone, as in a cone.",
        "[Ethayarajh (2019)](https://aclanthology.org/D19-1006)",
        Measure("mean_cosine", "mean cosine of all pairs", _of(isotropy.mean_cosine)),
        Measure(
            "permuted_cosine",
            "mean cosine, features permuted",
            lambda c: isotropy.permuted_cosine(c.z, seed=c.seed),
        ),
    ),
    _idea(
        "IsoScore",
        r"\frac{(\sum_j v_j)^2 / \sum_j v_j^2 - 1}{D - 1}",
        "variance spread more evenly",
        "v: the D eigenvalues of the covariance. 0 means all variance along one direction, 1 "
        "equal variance along all. Mean, scale and rotation do not matter.",
        _RUDMAN,
        Measure("iso_score", "IsoScore, 0 to 1", _of(isotropy.iso_score)),
    ),
    _idea(
        "Partition isotropy",
        r"\frac{\min_c Z(c)}{\max_c Z(c)}, \quad Z(c) = \sum_i \exp(c \cdot x_i)",
        "no direction is preferred",
        "c: both signs of the unit eigenvectors of the rows' second moments. Z depends on scale, "
        "so the rows are first divided by their root mean square norm; they are not centred. The "
        "maximum 1 means no preferred direction; equal rows give about exp(-2).",
        _MU,
        Measure(
            "partition_isotropy",
            "partition isotropy, root mean square norm 1",
            _of(isotropy.partition_isotropy),
        ),
    ),
    _idea(
        "Rank",
        r"\#\{j : v_j > \varepsilon_j\}",
        "more directions are used",
        "Number of principal directions whose variance exceeds rounding error.",
        "Numerical rank",
        Measure(
            "rank", "directions with variance", _spread(lambda v: int(np.count_nonzero(v))), ",.0f"
        ),
    ),
    _idea(
        "Effective rank",
        r"\exp\Bigl(-\sum_j p_j \log p_j\Bigr), \quad p_j = v_j / \sum_k v_k",
        "more directions are used",
        "From 1 to D directions. The source uses shares of singular values; here they are shares "
        "of the variance.",
        "Roy and Vetterli (2007)",
        Measure("effective_rank", "effective rank", _spread(isotropy.effective_rank)),
    ),
    _idea(
        "Participation ratio",
        r"\frac{(\sum_j v_j)^2}{\sum_j v_j^2}",
        "more directions are used",
        "From 1 to D directions; IsoScore is this number rescaled to 0 to 1.",
        _RUDMAN,
        Measure(
            "participation_ratio", "participation ratio", _spread(isotropy.participation_ratio)
        ),
    ),
    _idea(
        "Variance share of k directions",
        r"\frac{\sum_{j \le k} v_j}{\sum_j v_j}",
        "fewer directions dominate",
        "v: the variances in descending order. The share ranges from k / D to 1.",
        _MU,
        *map(_share, (1, 3, 10, 50)),
    ),
)
_PAIRS = (
    _idea(
        "Alignment",
        r"\operatorname{mean}_{(i, j)} \lVert u_i - u_j \rVert^2",
        "similar sentences are further apart",
        "Computed over pairs with a gold score of at least 4/5 of the scale. Vectors are scaled "
        "to length 1 and not centred. It ranges from 0 (best) to 4.",
        _WANG,
        Measure(
            "alignment",
            "alignment of unit vectors, gold score at least 4/5 of the scale",
            lambda p: isotropy.alignment(p.first, p.second),
        ),
    ),
    _idea(
        "Uniformity",
        r"\log \operatorname{mean}_{i \ne j} \exp(-2 \lVert u_i - u_j \rVert^2)",
        "sentences are more crowded",
        "Computed over all pairs of distinct sentences, with vectors scaled to length 1. It ranges "
        "from 0 (all in one direction) to nearly -4 (evenly over the sphere).",
        _WANG,
        Measure("uniformity", "uniformity of unit vectors", _of(isotropy.uniformity)),
    ),
)
_NEIGHBOURS = (
    _idea(
        "Intrinsic dimension, TwoNN",
        r"-\log(1 - F(\mu)) = d \log \mu, \quad \mu = T_2 / T_1",
        "more coordinates are needed near each point",
        "T: distances to a row's nearest neighbours. d is the slope of a line through the "
        "origin; the largest tenth of the ratios is left out. It underestimates high dimensions. "
        "If both sides of pairs are included, the nearest neighbour of many rows is the other side "
        "of their pair. Then d reflects how the pairs were collected.",
        "[Facco et al. (2017)](https://doi.org/10.1038/s41598-017-11873-y)",
        Measure("two_nn", "dimension, TwoNN", lambda n: isotropy.two_nn(n.distances)),
        Measure(
            "two_nn_both_sides",
            "dimension, TwoNN, both sides of pairs",
            lambda n: n.dimension_with_partners(),
        ),
    ),
    _idea(
        "Hubness",
        r"\operatorname{mean}_i (N_i - \bar N)^3 / \operatorname{sd}(N)^3",
        "a few sentences are neighbours of very many others",
        f"N: how often a row is among the {K_HUBS} nearest neighbours of other rows, by cosine. "
        "The skewness is about 0 without hubs.",
        "[Radovanović et al. (2010), equation 1](https://jmlr.org/papers/v11/radovanovic10a.html)",
        Measure(
            "hubness",
            f"skewness of {K_HUBS}-occurrence by cosine",
            lambda n: isotropy.hubness(knn(unit_rows(n.z), K_HUBS)[1]),
        ),
    ),
    _idea(
        "Distance to neighbours against a Gaussian's",
        r"\frac{\operatorname{median}_i T_k(x_i)}{\operatorname{median}_i T_k(g_i)}",
        "sentences are further apart",
        f"k = {K_HUBS}; g: as many Gaussian rows of the same mean and covariance. It is 1 for a "
        "Gaussian, and below 1 if rows form clumps with empty space (holes) in between.",
        _HOLES,
        Measure(
            "gaussian_distance_ratio",
            f"distance to the {K_HUBS}th neighbour, divided by that in a Gaussian sample",
            lambda n: n.distance_ratio(),
        ),
    ),
)
_HELD_OUT = (
    _idea(
        "Isotropy of held-out rows",
        r"\mathrm{E}\, \text{IsoScore} \approx "
        r"\frac{1}{D - 1} \Bigl(\frac{(N - 1) D + 2}{N + D} - 1\Bigr)",
        "as for the same measures of all sentences",
        "On its own fit corpus whitening has an IsoScore of 1 by construction, for any data. In "
        "few rows the variances differ by chance. The formula is the expected IsoScore of N rows "
        "of N(0, I); the measure is divided by it.",
        _RUDMAN,
        Measure(
            "held_out_mean_cosine",
            "mean cosine of all pairs, held-out rows",
            _of(isotropy.mean_cosine),
        ),
        Measure("held_out_iso_score", "IsoScore, held-out rows", _of(isotropy.iso_score)),
        Measure(
            "held_out_iso_score_expected",
            "IsoScore of as many Gaussian rows",
            lambda u: isotropy.expected_iso_score(*u.z.shape),
        ),
        Measure(
            "held_out_iso_ratio",
            "IsoScore of held-out rows, divided by that of Gaussian rows",
            lambda u: u.iso_ratio(),
        ),
        Measure(
            "held_out_partition_isotropy",
            "partition isotropy, held-out rows",
            _of(isotropy.partition_isotropy),
        ),
    ),
    _idea(
        "Energy distance to N(0, I)",
        r"2\, \mathrm{E} \lVert z - g \rVert - \mathrm{E} \lVert z - z' \rVert "
        r"- \mathrm{E} \lVert g - g' \rVert",
        "further from a Gaussian",
        "g: a row of N(0, I). The distance is 0 in expectation for N(0, I) and detects a wrong "
        f"mean, scale, correlation or shape. It uses at most {ENERGY_ROWS:,} rows. The floor is "
        f"the largest value of {N_GAUSSIAN_DRAWS} Gaussian samples of as many rows.",
        "[Székely and Rizzo (2005), equation 3](https://doi.org/10.1016/j.jmva.2003.12.002)",
        Measure("energy", "energy distance to N(0, I)", lambda u: energy_distance(u.few)),
        Measure(
            "energy_floor",
            f"largest energy distance of {N_GAUSSIAN_DRAWS} Gaussian samples",
            lambda u: energy_floor(*u.few.shape, seed=u.seed),
        ),
    ),
    _idea(
        "Norms against chi",
        r"\sup_t \lvert F_N(t) - F_{\chi(D)}(t) \rvert, \quad \mathrm{E}\, \chi(D) = "
        r"\sqrt 2\, \Gamma(\tfrac{D + 1}{2}) / \Gamma(\tfrac{D}{2}) \approx \sqrt D",
        "lengths are less like those of a Gaussian",
        "The length of a row of N(0, I) in D dimensions follows the chi distribution. The gap is "
        "from 0 to 1; p is the probability of a gap at least this large for N(0, I). Rows are not "
        "rescaled.",
        "Kolmogorov and Smirnov's test",
        Measure("norm_ks", "norms against chi, Kolmogorov-Smirnov", lambda u: u.norms.statistic),
        Measure("norm_p_value", "norms against chi, p-value", lambda u: u.norms.p_value),
        Measure("norm_mean", "mean norm", lambda u: u.norms.mean),
        Measure("norm_mean_expected", "mean of chi", lambda u: u.norms.mean_expected),
    ),
    _idea(
        "Distance of samples to real rows",
        r"\frac{\operatorname{median}_s T_k(s)}{\operatorname{median}_x T_k(x)}",
        "samples are further from sentences",
        f"T: distance of a row to its {K_HUBS}th nearest row in one half of the real rows; s are "
        "samples, x are the rows of the other half. If the calibrator is a bijection with a "
        "density, samples are drawn from N(0, I). Otherwise they are Gaussian with the rows' mean "
        "and covariance.",
        _HOLES,
        Measure(
            "sample_distance_ratio",
            f"distance to the {K_HUBS}th nearest sentence: samples relative to held-out rows",
            lambda u: u.sample_distance(),
        ),
    ),
    _idea(
        "Log-density",
        r"\log p(x) = \log \mathcal{N}(f(x); 0, I) + \log \lvert \det \partial f / \partial x "
        r"\rvert",
        "more likely under the density",
        "In nats, for held-out embeddings, samples of the density, and midpoints of two "
        "embeddings or of two samples. Defined only for a bijection with a density.",
        _LI,
        _density("real", "real", "real rows"),
        _density("samples", "samples", "samples"),
        _density("real_midpoints", "midpoints of real", "midpoints of real rows"),
        _density("sample_midpoints", "midpoints of samples", "midpoints of samples"),
    ),
)

IDEAS = dict(zip(Group, (_CLOUD, _PAIRS, _NEIGHBOURS, _HELD_OUT), strict=True))
"""Every measure once, by group, in the order of a table."""

MEASURES = {m.name: m for ideas in IDEAS.values() for idea in ideas for m in idea.measures}
"""All measures by name, in the same order."""

HIGHER = {m.name: idea.higher for ideas in IDEAS.values() for idea in ideas for m in idea.measures}
"""Meanings of a higher value, by name."""

BY_LAYER = (
    *("mean_cosine", "iso_score", "partition_isotropy", "effective_rank", "alignment"),
    *("uniformity", "two_nn", "hubness", "held_out_iso_ratio", "energy", "sample_distance_ratio"),
)
"""Measures in a table by layer; records have all measures."""


def names_of(group: Group) -> tuple[str, ...]:
    """Return the names of the measures of a group."""
    return tuple(measure.name for idea in IDEAS[group] for measure in idea.measures)


def measure_group(group: Group, rows: Cloud | Pairs | Near | Unseen) -> Values:
    """Return every measure of a group by name, with None for an undefined one."""
    return {name: MEASURES[name].value(rows) for name in names_of(group)}
