"""What each measure of a space means: its formula, how to read it, and its source."""

from dataclasses import dataclass

from bertflow_core.analysis.gaussianity import N_DRAWS
from bertflow_core.evaluation import RANDOM_COSINE
from bertflow_core.studies.sentences.measures import ENERGY_ROWS, K_HUBS, Part

__all__ = ["MEANINGS", "Meaning"]


@dataclass(frozen=True)
class Meaning:
    """One idea, and the measures that are numbers of it.

    Attributes:
        title: Its name.
        part: Names the rows that it uses.
        names: The measures, as `measures.MEASURES` names them.
        formula: LaTeX.
        text: Symbols, scaling and range, in plain words.
        source: Author and year.
        url: Where to read it; empty where there is no open address.
    """

    title: str
    part: Part
    names: tuple[str, ...]
    formula: str
    text: str
    source: str
    url: str = ""


_MU = ("Mu and Viswanath (2018)", "https://arxiv.org/abs/1702.01417")
_RUDMAN = ("Rudman et al. (2022), Algorithm 1", "https://arxiv.org/abs/2108.07344")
_WANG = ("Wang and Isola (2020)", "https://arxiv.org/abs/2005.10242")
_LI = ("Li et al. (2020)", "https://aclanthology.org/2020.emnlp-main.733")

MEANINGS = (
    Meaning(
        "Mean cosine of all pairs",
        Part.CLOUD,
        ("mean_cosine", "permuted_cosine"),
        r"\frac{\lVert \sum_i u_i \rVert^2 - N}{N (N - 1)}, \quad u_i = x_i / \lVert x_i \rVert",
        "Over all pairs of rows, none sampled; the rows are the sentences of every split, with "
        f"duplicates. (The random cosine of other pages is the {RANDOM_COSINE}.) At most 1, and 0 "
        "for a centred isotropic cloud. With features permuted, each feature's values are shuffled "
        "over the rows: a cosine near this floor comes from the features' means alone, as in a "
        "cone.",
        "Ethayarajh (2019)",
        "https://aclanthology.org/D19-1006",
    ),
    Meaning(
        "IsoScore",
        Part.CLOUD,
        ("iso_score",),
        r"\frac{(\sum_j v_j)^2 / \sum_j v_j^2 - 1}{D - 1}",
        "v: the D eigenvalues of the covariance. From 0, all variance along one direction, to 1, "
        "one variance along all. Mean, scale and rotation do not matter.",
        *_RUDMAN,
    ),
    Meaning(
        "Partition isotropy",
        Part.CLOUD,
        ("partition_isotropy",),
        r"\frac{\min_c Z(c)}{\max_c Z(c)}, \quad Z(c) = \sum_i \exp(c \cdot x_i)",
        "c: both signs of the unit eigenvectors of the rows' second moments. Z depends on scale, "
        "so the rows are first divided by their root mean square norm; they are not centred. At "
        "most 1, which means no preferred direction; about exp(-2) where all rows are equal.",
        *_MU,
    ),
    Meaning(
        "Effective rank",
        Part.CLOUD,
        ("effective_rank",),
        r"\exp\Bigl(-\sum_j p_j \log p_j\Bigr), \quad p_j = v_j / \sum_k v_k",
        "From 1 to D directions. The source takes shares of singular values; these are shares of "
        "the variance.",
        "Roy and Vetterli (2007)",
    ),
    Meaning(
        "Participation ratio",
        Part.CLOUD,
        ("participation_ratio",),
        r"\frac{(\sum_j v_j)^2}{\sum_j v_j^2}",
        "From 1 to D directions; IsoScore is this number scaled to the range from 0 to 1.",
        *_RUDMAN,
    ),
    Meaning(
        "Variance share of k directions",
        Part.CLOUD,
        ("top_1_share", "top_10_share"),
        r"\frac{\sum_{j \le k} v_j}{\sum_j v_j}",
        "v in falling order; from k / D to 1.",
        *_MU,
    ),
    Meaning(
        "Alignment",
        Part.PAIRS,
        ("alignment",),
        r"\operatorname{mean}_{(i, j)} \lVert u_i - u_j \rVert^2",
        "Over pairs whose gold score is at or above 4/5 of the scale. Each vector is divided by "
        "its length and nothing is centred. From 0, which is best, to 4.",
        *_WANG,
    ),
    Meaning(
        "Uniformity",
        Part.PAIRS,
        ("uniformity",),
        r"\log \operatorname{mean}_{i \ne j} \exp(-2 \lVert u_i - u_j \rVert^2)",
        "Over all pairs of distinct sentences at length 1. From 0, all in one direction, to "
        "nearly -4, evenly over the sphere: lower is more uniform.",
        *_WANG,
    ),
    Meaning(
        "Intrinsic dimension, TwoNN",
        Part.NEIGHBOURS,
        ("two_nn", "two_nn_both_sides"),
        r"-\log(1 - F(\mu)) = d \log \mu, \quad \mu = T_2 / T_1",
        "T: distances to a row's nearest neighbours. d is the slope of a line through the origin; "
        "the largest tenth is left out. It underestimates high dimensions. With both sides of "
        "pairs the nearest neighbour of many rows is the other side of their pair, nearly the same "
        "sentence: such a number tells how pairs were collected.",
        "Facco et al. (2017)",
        "https://doi.org/10.1038/s41598-017-11873-y",
    ),
    Meaning(
        "Hubness",
        Part.NEIGHBOURS,
        ("hubness",),
        r"\operatorname{mean}_i (N_i - \bar N)^3 / \operatorname{sd}(N)^3",
        f"N: how often a row is among the {K_HUBS} nearest of the others, by cosine. About 0 "
        "without hubs; above 1 a few sentences are neighbours of very many others.",
        "Radovanović et al. (2010), equation 1",
        "https://jmlr.org/papers/v11/radovanovic10a.html",
    ),
    Meaning(
        "Distance to neighbours against a Gaussian's",
        Part.NEIGHBOURS,
        ("gaussian_distance_ratio",),
        r"\frac{\operatorname{median}_i T_k(x_i)}{\operatorname{median}_i T_k(g_i)}",
        f"k = {K_HUBS}; g: as many Gaussian rows of the same mean and covariance. 1 for a "
        "Gaussian; below 1 where rows form clumps with empty space between them.",
        "Defined here, for the holes of Li et al. (2020)",
        _LI[1],
    ),
    Meaning(
        "Isotropy of held-out rows",
        Part.HELD_OUT,
        (
            "held_out_mean_cosine",
            "held_out_iso_score",
            "held_out_iso_score_expected",
            "held_out_iso_ratio",
            "held_out_partition_isotropy",
        ),
        r"\mathrm{E}\, \text{IsoScore} \approx "
        r"\frac{1}{D - 1} \Bigl(\frac{(N - 1) D + 2}{N + D} - 1\Bigr)",
        "As above, of sentences that the fit did not see. On the rows that it was fitted on, "
        "whitening has an IsoScore of 1 by construction, whatever the data. Few rows vary unevenly "
        "by chance: the formula is for N rows of N(0, I), and the ratio compares with it.",
        *_RUDMAN,
    ),
    Meaning(
        "Energy distance to N(0, I)",
        Part.HELD_OUT,
        ("energy", "energy_floor"),
        r"2\, \mathrm{E} \lVert z - g \rVert - \mathrm{E} \lVert z - z' \rVert "
        r"- \mathrm{E} \lVert g - g' \rVert",
        "g of N(0, I). 0 in expectation for N(0, I); it detects a wrong mean, scale, correlation "
        f"or shape. At most {ENERGY_ROWS:,} rows. The floor is the largest of {N_DRAWS} "
        "Gaussian samples of as many rows.",
        "Székely and Rizzo (2005), equation 3",
        "https://doi.org/10.1016/j.jmva.2003.12.002",
    ),
    Meaning(
        "Norms against chi",
        Part.HELD_OUT,
        ("norm_ks", "norm_p_value", "norm_mean", "norm_mean_expected"),
        r"\sup_t \lvert F_N(t) - F_{\chi(D)}(t) \rvert, \quad \mathrm{E}\, \chi(D) = "
        r"\sqrt 2\, \Gamma(\tfrac{D + 1}{2}) / \Gamma(\tfrac{D}{2}) \approx \sqrt D",
        "The length of a row of N(0, I) in D dimensions follows the chi distribution. The gap is "
        "from 0 to 1; p is the probability of a gap at least this large for N(0, I). Rows are not "
        "rescaled.",
        "Kolmogorov and Smirnov's test",
    ),
    Meaning(
        "Distance of samples to real rows",
        Part.HELD_OUT,
        ("sample_distance_ratio",),
        r"\frac{\operatorname{median}_s T_k(s)}{\operatorname{median}_x T_k(x)}",
        f"T: distance to the {K_HUBS}th nearest row of one half of the real rows, of samples s "
        "and of the other half x. Samples are N(0, I), mapped back where a bijection has a "
        "density; otherwise Gaussian of the same mean and covariance. 1 without holes; above 1 "
        "samples lie where no sentence is.",
        "Defined here, for the holes of Li et al. (2020)",
        _LI[1],
    ),
    Meaning(
        "Log-density",
        Part.HELD_OUT,
        (
            "log_density_real",
            "log_density_samples",
            "log_density_real_midpoints",
            "log_density_sample_midpoints",
        ),
        r"\log p(x) = \log \mathcal{N}(f(x); 0, I) + \log \lvert \det \partial f / \partial x "
        r"\rvert",
        "In nats, of embeddings that the fit did not see, of samples of the density, and of points "
        "halfway between two of either. Only for a bijection with a density.",
        *_LI,
    ),
)
"""Every measure once, in the order of a table."""
