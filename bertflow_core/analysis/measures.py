"""The measures of a space of sentences, declared once: function, formula, meaning, source.

A measure is a function of the rows of its group. `measure_group` computes all of a group; tables,
figures, pages and the tour read `MEASURES`. `judged` has the verdicts on values.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bertflow_core.analysis import isotropy
from bertflow_core.analysis.neighbours import knn
from bertflow_core.analysis.space_rows import K_HUBS, Cloud, Near, PositivePairs, Unseen
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.types import FloatArray

Values = dict[str, float | None]
Function = Callable[[Any], float | None]
"""A function of the rows of a group."""


class Group(StrEnum):
    """Measures that use the same rows."""

    CLOUD = "cloud"
    PAIRS = "pairs"
    NEIGHBOURS = "neighbours"
    HELD_OUT = "held-out"


@dataclass(frozen=True)
class Reference:
    """A value beside which a measure is read: the same of other or permuted rows."""

    words: str
    group: Group
    value: Function = field(repr=False)


@dataclass(frozen=True)
class Measure:
    """One number that describes a space, and its explanation."""

    name: str  # its key in records
    label: str  # its name for people, with its unit or range
    group: Group
    value: Function = field(repr=False)
    formula: str  # LaTeX
    higher: str  # meaning of a higher value
    words: str  # symbols, scaling and range
    source: str  # author and year, in Markdown
    reference: Reference | None = None
    format: str = ".4g"

    @property
    def reference_name(self) -> str:
        """The key of the reference in records."""
        return f"{self.name}_reference"

    @property
    def explanation(self) -> str:
        """The words, the meaning of a higher value, and the source, in Markdown."""
        return f"{self.words} Higher: {self.higher}. Source: {self.source}."

    def text(self, row: Mapping[str, Any]) -> str:
        """Return the value in a record, then its reference, as text; a dash if undefined."""
        value, beside = row.get(self.name), row.get(self.reference_name)
        text = "-" if value is None else format(value, self.format)
        if self.reference is None or beside is None:
            return text
        return f"{text} ({self.reference.words}: {format(beside, self.format)})"


def _of(function: Callable[[FloatArray], float | None]) -> Function:
    """Return a measure that applies a function to the rows `z` of its group."""
    return lambda part: function(part.z)


def _spread(function: Callable[[FloatArray], float]) -> Callable[[Cloud], float | None]:
    """Return a measure of the variances, which is undefined if nothing varies."""
    return lambda c: function(c.singular_values**2) if c.singular_values[0] > 0 else None


def _held_out(function: Callable[[FloatArray], float | None]) -> Reference:
    return Reference("held-out sentences", Group.HELD_OUT, _of(function))


def _log_density(group: str) -> Callable[[Unseen], float | None]:
    def mean(unseen: Unseen) -> float | None:
        known = unseen.likelihoods
        return None if known is None else float(known[group].mean())

    return mean


_RUDMAN = "[Rudman et al. (2022), Algorithm 1](https://arxiv.org/abs/2108.07344)"
_MU = "[Mu and Viswanath (2018)](https://arxiv.org/abs/1702.01417)"
_TIMKEY = "[Timkey and van Schijndel (2021)](https://aclanthology.org/2021.emnlp-main.372)"
_WANG = "[Wang and Isola (2020)](https://arxiv.org/abs/2005.10242)"
_LI = "[Li et al. (2020)](https://aclanthology.org/2020.emnlp-main.733)"

_MEASURES = (
    Measure(
        "mean_cosine",
        "mean cosine of all pairs",
        Group.CLOUD,
        _of(isotropy.mean_cosine),
        r"\frac{\lVert \sum_i u_i \rVert^2 - N}{N (N - 1)}, \quad u_i = x_i / \lVert x_i \rVert",
        "a narrower cone",
        "Computed over all pairs of rows; the rows are the sentences of every split, with "
        "duplicates. (Random cosine elsewhere is the mean over random pairs of the scored "
        "sentences.) It is at most 1, and 0 for a centred isotropic cloud. Beside it stands the "
        "mean cosine after the values of each feature are permuted over the rows. A mean cosine "
        "near that value comes from the features' means alone, as in a cone.",
        "[Ethayarajh (2019)](https://aclanthology.org/D19-1006)",
        Reference(
            *("features permuted", Group.CLOUD),
            lambda c: isotropy.permuted_cosine(c.z, seed=c.seed),
        ),
    ),
    Measure(
        "mean_share",
        "share of the mean, 0 to 1",
        Group.CLOUD,
        _of(isotropy.mean_share),
        r"\frac{\lVert \bar x \rVert}{\operatorname{mean}_i \lVert x_i \rVert}",
        "the vectors have more in common",
        "The norm of the mean vector divided by the mean norm: 0 for centred rows, 1 if all rows "
        "have the same direction.",
        _MU,
        format=".3f",
    ),
    Measure(
        "coordinate_share",
        "share of the largest coordinate",
        Group.CLOUD,
        _of(isotropy.coordinate_share),
        r"\max_d \frac{\sum_i x_{id}^2}{\sum_i \lVert x_i \rVert^2}",
        "one number decides more of every cosine",
        "The largest part that one coordinate has in the squared norms of the rows, which are not "
        "centred. It ranges from 1 / D to 1, and depends on the axes.",
        _TIMKEY,
        format=".3f",
    ),
    Measure(
        "top_1_share",
        "variance share of the largest direction",
        Group.CLOUD,
        _spread(isotropy.top_share),
        r"\frac{v_1}{\sum_j v_j}",
        "one direction dominates",
        "v: the variances along the principal directions, in descending order. The share ranges "
        "from 1 / D to 1.",
        _MU,
        format=".3f",
    ),
    Measure(
        "iso_score",
        "IsoScore, 0 to 1",
        Group.CLOUD,
        _of(isotropy.iso_score),
        r"\frac{(\sum_j v_j)^2 / \sum_j v_j^2 - 1}{D - 1}",
        "variance spread more evenly",
        "v: the D eigenvalues of the covariance. 0 means all variance along one direction, 1 "
        "equal variance along all. Mean, scale and rotation do not matter. On its own fit corpus "
        "whitening has an IsoScore of 1 for any data, so that the score of held-out sentences "
        "stands beside it. In few rows variances differ by chance: N rows of N(0, I) have a score "
        "of about N / (N + D).",
        _RUDMAN,
        _held_out(isotropy.iso_score),
    ),
    Measure(
        "partition_isotropy",
        "partition isotropy, root mean square norm 1",
        Group.CLOUD,
        _of(isotropy.partition_isotropy),
        r"\frac{\min_c Z(c)}{\max_c Z(c)}, \quad Z(c) = \sum_i \exp(c \cdot x_i)",
        "no direction is preferred",
        "c: both signs of the unit eigenvectors of the rows' second moments. Z depends on scale, "
        "so the rows are first divided by their root mean square norm; they are not centred. The "
        "maximum 1 means no preferred direction; equal rows give about exp(-2).",
        _MU,
        _held_out(isotropy.partition_isotropy),
    ),
    Measure(
        "effective_rank",
        "effective rank",
        Group.CLOUD,
        _spread(isotropy.effective_rank),
        r"\exp\Bigl(-\sum_j p_j \log p_j\Bigr), \quad p_j = v_j / \sum_k v_k",
        "more directions are used",
        "From 1 to D directions. The source uses shares of singular values; here they are shares "
        "of the variance.",
        "Roy and Vetterli (2007)",
    ),
    Measure(
        "alignment",
        "alignment of unit vectors, gold score at least 4/5 of the scale",
        Group.PAIRS,
        lambda p: isotropy.alignment(p.first, p.second),
        r"\operatorname{mean}_{(i, j)} \lVert u_i - u_j \rVert^2",
        "similar sentences are further apart",
        "Computed over pairs with a gold score of at least 4/5 of the scale. Vectors are scaled "
        "to length 1 and not centred. It ranges from 0 (best) to 4.",
        _WANG,
    ),
    Measure(
        "uniformity",
        "uniformity of unit vectors",
        Group.PAIRS,
        _of(isotropy.uniformity),
        r"\log \operatorname{mean}_{i \ne j} \exp(-2 \lVert u_i - u_j \rVert^2)",
        "sentences are more crowded",
        "Computed over all pairs of distinct sentences, with vectors scaled to length 1. It ranges "
        "from 0 (all in one direction) to nearly -4 (evenly over the sphere).",
        _WANG,
    ),
    Measure(
        "two_nn",
        "dimension, TwoNN",
        Group.NEIGHBOURS,
        lambda n: isotropy.two_nn(n.distances),
        r"-\log(1 - F(\mu)) = d \log \mu, \quad \mu = T_2 / T_1",
        "more coordinates are needed near each point",
        "T: distances to a row's nearest neighbours. d is the slope of a line through the "
        "origin; the largest tenth of the ratios is left out. It underestimates high dimensions. "
        "One side of each pair is measured: with both sides, d would reflect how the pairs were "
        "collected.",
        "[Facco et al. (2017)](https://doi.org/10.1038/s41598-017-11873-y)",
    ),
    Measure(
        "hubness",
        f"skewness of {K_HUBS}-occurrence by cosine",
        Group.NEIGHBOURS,
        lambda n: isotropy.hubness(knn(unit_rows(n.z), K_HUBS)[1]),
        r"\operatorname{mean}_i (N_i - \bar N)^3 / \operatorname{sd}(N)^3",
        "a few sentences are neighbours of very many others",
        f"N: how often a row is among the {K_HUBS} nearest neighbours of other rows, by cosine. "
        "The skewness is about 0 without hubs.",
        "[Radovanović et al. (2010), equation 1](https://jmlr.org/papers/v11/radovanovic10a.html)",
    ),
    Measure(
        "gaussian_distance_ratio",
        f"distance to the {K_HUBS}th neighbour, divided by that in a Gaussian sample",
        Group.NEIGHBOURS,
        lambda n: n.distance_ratio(),
        r"\frac{\operatorname{median}_i T_k(x_i)}{\operatorname{median}_i T_k(g_i)}",
        "sentences are further apart",
        f"k = {K_HUBS}; g: as many Gaussian rows of the same mean and covariance. It is 1 for a "
        "Gaussian, and below 1 if rows form clumps with empty space (holes) in between.",
        _LI.replace("[Li", "[Defined here, for the holes of Li"),
    ),
    Measure(
        "log_density_real",
        "log-density of held-out sentences, nats",
        Group.HELD_OUT,
        _log_density("real"),
        r"\log p(x) = \log \mathcal{N}(f(x); 0, I) + \log \lvert \det \partial f / \partial x "
        r"\rvert",
        "more likely under the density",
        "Sentences that the calibrator was not fitted to, beside as many samples of its density: "
        "equal values mean that the density fits. Defined only for a bijection with a density.",
        _LI,
        Reference("samples of the density", Group.HELD_OUT, _log_density("samples")),
        "z.1f",
    ),
)

MEASURES = {m.name: m for m in _MEASURES}
"""All measures by name, in the order of a table."""


def functions_of(group: Group) -> dict[str, Function]:
    """Return the functions of a group's rows, by the name of the measure or the reference."""
    beside = {m.reference_name: m.reference for m in _MEASURES if m.reference is not None}
    return {m.name: m.value for m in _MEASURES if m.group is group} | {
        name: each.value for name, each in beside.items() if each.group is group
    }


def measure_group(group: Group, rows: Cloud | PositivePairs | Near | Unseen) -> Values:
    """Return every measure and reference of a group by name, with None for an undefined one."""
    return {name: function(rows) for name, function in functions_of(group).items()}
