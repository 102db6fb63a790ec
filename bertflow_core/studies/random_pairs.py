"""Random pairs of a data set's sentences, and its scored pairs, by fits that did not see them."""

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.sampling import distinct_rows, sample_rows
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import Pairs, RawFile, read_sentences
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.evaluation.thresholds import RandomPairs, ScoredPairs
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.runtime.shipped import resource
from bertflow_core.wording import DOCUMENT, quoted

_MAX_SENTENCES, _MIN_SENTENCES = 3_000, 20
N_GENERIC = 1_000
"""The number of generic captions."""

WITHIN, ACROSS = "within one subset", "across subsets"


class Sample(NamedTuple):
    """A sample of the distinct scored sentences."""

    n: int  # number of all distinct sentences
    sentences: list[str]
    subsets: npt.NDArray[np.str_]
    x: FloatArray
    together: npt.NDArray[np.bool_]  # whether two sentences are a pair of the data


def sample_of(evaluation: Evaluation) -> Sample:
    """Draw at most 3,000 of the distinct scored sentences; refuse fewer than 20."""
    embedded, pairs = evaluation.embedded, evaluation.embedded.data
    every = pairs.texts
    distinct = distinct_rows(every)
    if len(distinct) < _MIN_SENTENCES:
        raise InputError(
            f"{quoted(pairs.name)} has {len(distinct)} distinct sentences: random pairs need at "
            f"least {_MIN_SENTENCES}"
        )
    rows = distinct[sample_rows(len(distinct), _MAX_SENTENCES, seed=evaluation.recipe.seed)]
    place = {every[row]: i for i, row in enumerate(rows)}
    together = np.zeros((len(rows), len(rows)), bool)
    sides = (pairs.first, pairs.second) if isinstance(pairs, Pairs) else ()
    for first, second in zip(*sides, strict=True):
        if first in place and second in place:
            together[place[first], place[second]] = True
    subsets = np.resize(pairs.subsets, len(every))[rows]  # of a pair's first and second sentence
    return Sample(len(distinct), list(place), subsets, embedded.x_texts[rows], together)


def random_pairs(
    evaluation: Evaluation, sample: Sample, lab: Lab
) -> tuple[RandomPairs, list[RandomPairs], Sequence[npt.NDArray[np.int_]]]:
    """Return all random pairs, those of each half, and the groups within which pairs are formed.

    Each half is calibrated by a fit that did not see it.
    """
    parts, calibrators = zip(*_halves([sample.sentences], evaluation, lab), strict=True)
    pairs = [
        RandomPairs.of(each.transform(sample.x[half]), sample.together[np.ix_(half, half)])
        for half, each in zip(parts, calibrators, strict=True)
    ]
    if any(each is not evaluation.calibrator for each in calibrators):
        return pairs[0] | pairs[1], pairs, parts
    every = RandomPairs.of(evaluation.calibrator.transform(sample.x), sample.together)
    return every, pairs, [np.arange(len(sample.sentences))]


def _halves(
    sides: Sequence[Sequence[str]], evaluation: Evaluation, lab: Lab
) -> Iterator[tuple[npt.NDArray[np.int_], Calibrator]]:
    """Yield two random halves of rows, each with a calibrator that did not see its sentences."""
    order = np.random.default_rng(evaluation.recipe.seed).permutation(len(sides[0]))
    for half in np.array_split(order, 2):
        yield half, _fit_without({side[i] for side in sides for i in half}, evaluation, lab)


def _fit_without(unseen: Set[str], evaluation: Evaluation, lab: Lab) -> Calibrator:
    """Fit the calibrator without some sentences; return its own fit if that never saw them."""
    spec, embedded, seed = evaluation.recipe.spec, evaluation.embedded, evaluation.recipe.seed
    kept = [i for i, text in enumerate(embedded.corpus.sentences) if text not in unseen]
    if spec == BASELINE or not 2 <= len(kept) < len(embedded.x_fit):
        return evaluation.calibrator
    new = spec.build(seed=seed, device=lab.device)
    return new.fit(embedded.x_fit[kept], precision=lab.precision(embedded.recipe))


def scored_pairs(evaluation: Evaluation, part: float, lab: Lab) -> ScoredPairs:
    """Return the pairs with gold scores or labels; each half is mapped by a fit without it."""
    embedded, pairs = evaluation.embedded, evaluation.embedded.data
    if not isinstance(pairs, Pairs) or pairs.targets is None:
        return ScoredPairs(np.empty(0), None, np.empty(0, bool))
    cosines = evaluation.similarity.copy()
    for half, calibrator in _halves((pairs.first, pairs.second), evaluation, lab):
        sides = (calibrator.transform(x[half]) for x in (embedded.x_first, embedded.x_second))
        cosines[half] = pairwise_cosine(*sides)
    low, high = pairs.scale
    return ScoredPairs(cosines, pairs.gold, pairs.targets >= low + part * (high - low))


def by_subset(
    random: RandomPairs, parts: Sequence[npt.NDArray[np.int_]], sample: Sample
) -> dict[str, RandomPairs]:
    """Return the random pairs within subsets and those across; empty if either has none."""
    subsets = [sample.subsets[part] for part in parts]
    same = [each[:, None] == each for each in subsets]
    found = {WITHIN: random.only(same), ACROSS: random.only([~each for each in same])}
    return found if all(len(each.falling) for each in found.values()) else {}


def generic_pairs(evaluation: Evaluation, lab: Lab) -> dict[str, RandomPairs]:
    """Return random pairs of the built-in captions; empty without an encoder."""
    if not evaluation.recipe.source.has_words:
        return {}
    name, seed = "captions/sentences.txt", evaluation.recipe.seed
    every = read_sentences(RawFile(name, resource(name).read_bytes()))
    drawn = [every[row] for row in sample_rows(len(every), N_GENERIC, seed=seed)]
    sides = [DOCUMENT for _ in drawn if evaluation.embedded.data.sides]
    (found,) = lab.vectors([evaluation.recipe], drawn, sides=sides)
    return {"generic": RandomPairs.of(evaluation.calibrator.transform(found.x))}
