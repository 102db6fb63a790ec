"""Question 4: does a word's vector tell how frequent the word is?"""

from collections.abc import Mapping

import numpy as np

from bertflow_core.analysis.frequency import course_by_rank, frequency_bins
from bertflow_core.errors import InputError
from bertflow_core.figures import Figure, measure_by_bin
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import RAW, Material
from bertflow_core.studies.tour.origin import origin_of_words
from bertflow_core.studies.words.prepared import prepare_words
from bertflow_core.studies.words.published import measure_name, published_table1
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["ask"]

_SAME_LENGTH = 0.02


def ask(material: Material) -> Content:
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
        takeaway=_takeaway(means, longer),
        explanation=_explanation(means, longer),
        notes="Why it matters: two rare words can be far apart, and two frequent ones near, for no "
        "reason of meaning. The paper traces it to the softmax: a word's score holds its log "
        "frequency. Usual mistake: to think that a rare word is far out because it is special.",
        figure=_norm_by_bin(means),
        alt="Mean norm of the encoder's word vectors by rank of frequency, beside the paper's",
        origin=origin_of_words(of_words),
    )


def _takeaway(means: Mapping[tuple[int, int], float], longer: float) -> str:
    if abs(longer) <= _SAME_LENGTH:
        return "The norm of a word's vector does not separate rare words from frequent ones here."
    side = "longer" if longer > 0 else "shorter"
    (low, high), *_, last = means
    return (
        f"Vectors of words of rank {last[0] + 1:,} to {last[1]:,} are {100 * abs(longer):.0f} % "
        f"{side} than those of rank {low + 1:,} to {high:,}: part of a vector tells frequency, not "
        "meaning."
    )


def _norm_by_bin(means: Mapping[tuple[int, int], float]) -> Figure:
    published = [published_table1().value("mean_norm", each) for each in means]
    label = measure_name("mean_norm")
    values = {RAW: list(means.values())}
    return measure_by_bin(list(means), values, label=label, published=published)


def _explanation(means: Mapping[tuple[int, int], float], longer: float) -> str:
    return (
        f"From frequent to rare words, the mean norm {course_by_rank(means)}: "
        f"{100 * longer:+.0f} % from end to end. The dashed line is BERT's, as printed in "
        f"{published_table1().citation}."
    )
