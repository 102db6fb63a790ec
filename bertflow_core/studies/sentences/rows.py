"""Which sentences the geometry of a data set is measured on: three sets of rows, bounded, seeded.

The cloud is every sentence of every split, duplicates kept, as a calibrator sees its corpus.
Neighbours and uniformity are of different sentences. Held-out rows are of a fifth of the different
sentences, neighbours in the list together, and of a second fit that saw none of that fifth.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.alignment import positive_pairs
from bertflow_core.datasets import Corpus, SentencePairs, load_corpus
from bertflow_core.experiment import data_options, load_data
from bertflow_core.linalg import distinct_rows, sample_rows, split_blocks
from bertflow_core.recipe import Recipe
from bertflow_core.studies.sentences.space_measures import Part

__all__ = [
    "GeometryData",
    "SampleSizes",
    "SentenceRows",
    "choose_rows",
    "load_geometry_data",
]

Rows = npt.NDArray[np.int64]

FEWEST_ROWS = 20
"""Different sentences without which none is held out."""

_PARTS = 5


@dataclass(frozen=True)
class SampleSizes:
    """Most rows of each part.

    Attributes:
        cloud: Sentences, duplicates kept; time goes with N.
        neighbours: Different sentences; time goes with N^2.
        held_out: Different sentences that the fit did not see; time goes with N^2.
    """

    cloud: int = 20_000
    neighbours: int = 4_000
    held_out: int = 2_000


@dataclass(frozen=True)
class GeometryData:
    """What is looked at and what is fitted on.

    Attributes:
        pairs: The recipe's split: its pairs are aligned.
        corpus: What calibrators are fitted on.
        measured: Every sentence of every split.
    """

    pairs: SentencePairs
    corpus: Corpus
    measured: Corpus


@dataclass(frozen=True, eq=False)
class SentenceRows:
    """A list of sentences to embed, and which of its rows each part is of.

    Attributes:
        sentences: Every sentence that is needed, by fit corpus, measured, first and second sides.
        fit: The whole fit corpus.
        cloud: Measured sentences, duplicates kept.
        neighbours: Different measured sentences.
        held_out: Different measured sentences, none of them in `fit_without`.
        fit_without: The fit corpus less the held-out fifth.
        first: First sides of the positive pairs.
        second: Their second sides.
        measured: One sentence that says what the measured sentences are.
    """

    sentences: tuple[str, ...] = field(repr=False)
    fit: Rows
    cloud: Rows
    neighbours: Rows
    held_out: Rows
    fit_without: Rows
    first: Rows
    second: Rows
    measured: str

    def describe(self) -> dict[str, str]:
        """Return, by part, how many rows there are and what they are."""
        return {
            Part.CLOUD: f"{len(self.cloud):,} rows of {self.measured}",
            Part.PAIRS: f"{len(self.first):,} pairs with gold at or above 4/5 of the scale; "
            f"uniformity: {len(self.neighbours):,} different sentences",
            Part.NEIGHBOURS: f"{len(self.neighbours):,} different sentences",
            Part.HELD_OUT: f"{len(self.held_out):,} different sentences that a second fit, on "
            f"{len(self.fit_without):,} rows, did not see; as they are, not rescaled",
        }


def load_geometry_data(recipe: Recipe, data_dir: Path | None = None) -> GeometryData:
    """Load what a recipe looks at; see `experiment.load_data`."""
    pairs, corpus = load_data(recipe, data_dir)
    target = load_corpus(recipe.dataset, "target", **data_options(recipe, data_dir))
    return GeometryData(pairs, corpus, target)


def choose_rows(data: GeometryData, sizes: SampleSizes, *, seed: int) -> SentenceRows:
    """Draw the rows of each part.

    Args:
        data: What is looked at and fitted on.
        sizes: Bounds.
        seed: Seed of the draws.
    """
    pairs, corpus, measured = data.pairs, data.corpus.sentences, data.measured.sentences
    distinct = distinct_rows(measured)
    held = distinct[_held_out(len(distinct), seed)]
    unseen = {measured[row] for row in held}
    n, m = len(corpus), len(measured)
    positive = _positive(pairs)
    return SentenceRows(
        sentences=(*corpus, *measured, *pairs.first, *pairs.second),
        fit=np.arange(n),
        cloud=n + sample_rows(m, sizes.cloud, seed=seed),
        neighbours=n + distinct[sample_rows(len(distinct), sizes.neighbours, seed=seed)],
        held_out=n + held[sample_rows(len(held), sizes.held_out, seed=seed)],
        fit_without=np.flatnonzero([sentence not in unseen for sentence in corpus]),
        first=n + m + positive,
        second=n + m + len(pairs) + positive,
        measured=data.measured.description.rstrip("."),
    )


def _held_out(n: int, seed: int) -> npt.NDArray[np.bool_]:
    """Return which of `n` different sentences are held out: a fifth, or none of too few."""
    if n < FEWEST_ROWS:
        return np.zeros(n, bool)
    held: npt.NDArray[np.bool_] = split_blocks(n, _PARTS, seed=seed) == 0
    return held


def _positive(pairs: SentencePairs) -> Rows:
    if pairs.gold is None or not pairs.is_paired:
        return np.empty(0, np.int64)
    return np.flatnonzero(positive_pairs(pairs.gold, pairs.scale))
