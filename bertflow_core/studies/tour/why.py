"""Steps 1 to 4, why plain cosine disappoints: shared words, the cone, frequency."""

from collections.abc import Mapping

import numpy as np

from bertflow_core.analysis.frequency import frequency_bins
from bertflow_core.analysis.spectrum import singular_spectrum
from bertflow_core.errors import InputError
from bertflow_core.figures import (
    Figure,
    cosine_by_group,
    cosine_histograms,
    measure_by_bin,
    singular_spectra,
)
from bertflow_core.linalg import FloatArray, Rows, sample_rows
from bertflow_core.progress import Progress
from bertflow_core.studies.lexical.measure import Fooled, LexicalBias
from bertflow_core.studies.tour.material import RAW, Material
from bertflow_core.studies.tour.step import Content, origin, origin_of_words
from bertflow_core.studies.words.measure import prepare_words
from bertflow_core.studies.words.paper_table1 import measure_name, published_table1
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["cone_step", "frequency_step", "random_step", "sharing_step"]


_MOST_POINTS = 500
_MOST_ROWS = 10_000
_COSINES = (0.0, 0.3, 0.6, 0.9)
_NO_CONE = 0.15
"""Mean cosine, or share of the mean vector, nearer to 0 than to the next choice."""

_PARTS = (2, 8, 32)
"""The choices for the directions that hold half of the variance: D over each."""

_SAME_LENGTH = 0.02

_SHARING_MEANS = (
    "For these two pairs, cosine ranks shared words above meaning.",
    "For these two pairs, cosine ranks meaning above shared words.",
    "The two cosines are equal to the digits shown.",
)
"""What follows from each answer to the first step."""


def sharing_step(material: Material, progress: Progress) -> Content:
    """Ask which is more similar to cosine: shared words, or shared meaning.

    Raises:
        InputError: No gold scores, or no pairs of one of the two kinds.
    """
    bias, gold = material.lexical, material.grades()
    rows = {kind: bias.fooled(kind) for kind in Fooled}
    if not all(map(len, rows.values())):
        raise InputError(
            f"this step needs pairs that are {Fooled.NEAR_WORDS}, and pairs that are the reverse: "
            "the data lack one of the two"
        )
    cosine, pairs = bias.similarities[RAW], bias.pairs
    a = _middle(_least(rows[Fooled.NEAR_WORDS], gold), cosine)
    b = _middle(_least(rows[Fooled.FAR_WORDS], -gold), cosine)
    right = _nearer(cosine[a], cosine[b])
    drawn = {kind: _some(of, material.recipe.seed) for kind, of in rows.items()}
    return Content(
        text=_sharing_intro(bias),
        exhibits=tuple(
            (f"Pair {name}", f"{pairs.first[row]}\n{pairs.second[row]}")
            for name, row in (("A", a), ("B", b))
        ),
        question="Which pair has the higher cosine?",
        choices=("Pair A: similar words", "Pair B: similar meaning", "Neither"),
        right=right,
        explanation=_sharing_text(bias, rows, (a, b), gold[[a, b]]) + _SHARING_MEANS[right],
        figure=cosine_by_group(
            cosine[np.concatenate(list(drawn.values()))],
            [str(kind) for kind, of in drawn.items() for _ in of],
            spec=RAW,
        ),
        alt="Cosines of pairs that share words but not meaning, and of pairs the other way round",
        origin=origin(material.recipe, also=[f"edits of {bias.unit} units"]),
    )


def _sharing_intro(bias: LexicalBias) -> str:
    middle, edits = sum(bias.pairs.scale) / 2, np.median(bias.distances)
    return (
        "An encoder turns a sentence into a vector; the cosine of two vectors is their similarity. "
        f"Pair A shares words but not meaning: at most {bias.threshold} edits apart, and graded "
        f"below {middle:g}, the middle of the scale. Pair B is the reverse: more than {edits:g} "
        f"edits apart, the median here, and graded above {middle:g}. Each is chosen among such "
        "pairs: of the half with the clearest grades (the lowest for A, the highest for B), the "
        "one with the median cosine."
    )


def _sharing_text(
    bias: LexicalBias, rows: Mapping[Fooled, Rows], pair: tuple[int, int], grades: FloatArray
) -> str:
    cosine, (low, high) = bias.similarities[RAW], bias.pairs.scale
    a, b = cosine[list(pair)]
    like_a, like_b = rows.values()
    return (
        f"Pair A has a cosine of {a:.2f} and pair B of {b:.2f}; people grade them "
        f"{grades[0]:g} and {grades[1]:g} on a scale from {low:g} to {high:g}. The median cosine "
        f"is {np.median(cosine[like_a]):.2f} over {len(like_a):,} pairs like A and "
        f"{np.median(cosine[like_b]):.2f} over {len(like_b):,} pairs like B. "
    )


def _nearer(a: float, b: float) -> int:
    """Return which cosine is larger as it is printed, 0 or 1; 2 where neither is."""
    shown = round(float(a), 2), round(float(b), 2)
    return 2 if shown[0] == shown[1] else int(shown[0] < shown[1])


def _middle(rows: Rows, values: FloatArray) -> int:
    """Return the row whose value is the middle one of those rows."""
    return int(rows[np.argsort(values[rows], kind="stable")[len(rows) // 2]])


def _least(rows: Rows, values: FloatArray) -> Rows:
    """Return the half of the rows, or one more, whose values are the lowest."""
    return rows[np.argsort(values[rows], kind="stable")[: (len(rows) + 1) // 2]]


def _some(rows: Rows, seed: int) -> Rows:
    """Return as many of the rows as a picture bears."""
    return rows[sample_rows(len(rows), _MOST_POINTS, seed=seed)]


def random_step(material: Material, progress: Progress) -> Content:
    """Ask how similar two random sentences are."""
    cosines = material.cosines(RAW)
    mean = float(cosines.mean())
    low, high = np.quantile(cosines, (0.025, 0.975))
    return Content(
        text="Two random sentences usually have nothing in common. If vectors pointed in all "
        "directions equally often, their mean cosine would be 0.",
        question="What is the mean cosine of two random sentences here, without calibration?",
        choices=tuple(f"About {each:g}" for each in _COSINES),
        right=int(np.argmin(np.abs(np.array(_COSINES) - mean))),
        explanation=f"It is {mean:z.2f}, over the {len(cosines):,} pairs of "
        f"{len(material.sample):,} different sentences; 95 % of them lie between {low:z.2f} and "
        f"{high:z.2f}. {_random_text(mean, high)}",
        figure=cosine_histograms({RAW: cosines}),
        alt="The cosines of random pairs of sentences, straight from the encoder",
        origin=origin(material.recipe),
    )


def _random_text(mean: float, high: float) -> str:
    if mean <= _NO_CONE:
        cone = f"A mean of at most {_NO_CONE:g} is no cone"
    else:
        cone = f"So a cosine of {mean:.2f} does not mean that two sentences are similar"
    return f"{cone}; a cosine above {high:z.2f} is rare among random pairs."


def cone_step(material: Material, progress: Progress) -> Content:
    """Ask how many directions hold half of the variance.

    Raises:
        InputError: No more sentences than directions.
    """
    material.check_sentences()
    x = np.asarray(material.rows(_MOST_ROWS), np.float64)
    spectrum = singular_spectrum(x)
    shares = np.cumsum(spectrum.variances) / spectrum.variances.sum()
    n_features, n_half = x.shape[1], int(np.searchsorted(shares, 0.5)) + 1
    offered = tuple(dict.fromkeys(-(-n_features // part) for part in _PARTS))
    axis = float(np.square(x.mean(axis=0)).sum() / np.square(x).sum(axis=1).mean())
    return Content(
        text=f"Each vector has {n_features:,} coordinates. The first principal direction is the "
        "one in which the sentences differ most, the second the one in which they differ most "
        "among those orthogonal to it, and so on. If all were used equally, half of them would "
        "hold half of the variance.",
        question=f"How many of the {n_features:,} principal directions hold half of the variance?",
        choices=tuple(f"About {number:,}" for number in offered),
        right=int(np.argmin(np.abs(np.log(offered) - np.log(n_half)))),
        explanation=f"It takes {n_half:,}, over {len(x):,} sentences; the first alone holds "
        f"{100 * shares[0]:.0f} %. This is the spread around the mean. {_axis_text(axis)}",
        figure=singular_spectra({RAW: spectrum.singular_values}, [RAW]),
        alt="The standard deviation along each principal direction, from the largest down: the "
        f"first {n_half:,} of {n_features:,} hold half of the variance",
        origin=origin(material.recipe),
    )


def _axis_text(axis: float) -> str:
    is_cone = axis > _NO_CONE
    return (
        f"The mean vector holds {100 * axis:.0f} % of the mean squared norm: "
        f"{'more' if is_cone else 'no more'} than the {100 * _NO_CONE:.0f} % from which this tour "
        f"speaks of a cone{', a component that all sentences share' if is_cone else ''}."
    )


def frequency_step(material: Material, progress: Progress) -> Content:
    """Ask whether rare words have longer vectors than frequent ones.

    Raises:
        InputError: The encoder has too few words, or words that cannot be read.
    """
    recipe = material.recipe
    of_words = WordRecipe(model=recipe.model, revision=recipe.revision, seed=recipe.seed)
    words = prepare_words(of_words)
    norms = np.linalg.norm(np.asarray(words.x[words.rows], np.float64), axis=1)
    bins = frequency_bins(words.ranks, norms, {}, {}, of_words.bins)
    means = {(each.low, each.high): each.mean_norm for each in bins if each.mean_norm is not None}
    if len(means) < 2:
        raise InputError(f"the encoder knows only {len(norms):,} words: too few to compare")
    first, *_, last = means
    longer = means[last] / means[first] - 1
    return Content(
        text="Sentence vectors are built from word vectors, and training updates frequent words "
        "far more often than rare ones. An encoder's vocabulary is sorted roughly from frequent to "
        "rare; the rank here is the place in it.",
        question=f"Are the vectors of words of rank {last[0] + 1:,} to {last[1]:,} longer than "
        f"those of rank {first[0] + 1:,} to {first[1]:,}?",
        choices=("Longer", "Shorter", f"Equally long, within {100 * _SAME_LENGTH:.0f} %"),
        right=2 if abs(longer) <= _SAME_LENGTH else int(longer < 0),
        explanation=_frequency_text(means, longer),
        figure=_norm_by_bin(means),
        alt="Mean norm of the encoder's word vectors by rank of frequency, beside the paper's",
        origin=origin_of_words(of_words),
    )


def _norm_by_bin(means: Mapping[tuple[int, int], float]) -> Figure:
    published = [published_table1().value("mean_norm", None, each) for each in means]
    label = measure_name("mean_norm", None)
    values = {RAW: list(means.values())}
    return measure_by_bin(list(means), values, label=label, published=published)


def _frequency_text(means: Mapping[tuple[int, int], float], longer: float) -> str:
    first, *_, last = means.values()
    if abs(longer) <= _SAME_LENGTH:
        meaning = "so the norm does not separate rare words from frequent ones"
    else:
        meaning = "so a word's frequency can be read from the norm of its vector"
    return (
        f"The mean norm is {first:.2f} for the frequent and {last:.2f} for the rare words, "
        f"{100 * longer:+.1f} %, {meaning}. {_turn_text(means)}"
        f"The dashed line is BERT's, as printed in {published_table1().citation}."
    )


def _turn_text(means: Mapping[tuple[int, int], float]) -> str:
    """Say where the mean norm turns between the first bin and the last; nothing if it does not."""
    first, *inner, last = means.values()
    norms = [first, *inner, last]
    if norms in (sorted(norms), sorted(norms, reverse=True)):
        return ""
    where = ""
    for extreme, turn in ((max(norms), "peak"), (min(norms), "are lowest")):
        if extreme not in (first, last):
            low, high = list(means)[norms.index(extreme)]
            where = where or f": norms {turn} at ranks {low:,} to {high:,}"
    return f"The trend is not monotonic{where}. "
