"""Choose which sentences each measurement uses: bounded, seeded samples.

The cloud is every sentence of every split, duplicates kept, as a calibrator sees its corpus.
Neighbours and uniformity use distinct sentences. Held-out rows are a fifth of the distinct
sentences, dealt in blocks of neighbours in the list; a second fit sees none of that fifth.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.alignment import positive_pairs
from bertflow_core.datasets import Corpus, SentencePairs
from bertflow_core.linalg import Rows, distinct_rows, sample_rows, split_blocks
from bertflow_core.studies.sentences.space_measures import Part

__all__ = ["SampleSizes", "SentenceRows", "choose_rows"]


FEWEST_ROWS = 20
"""Fewest distinct sentences of which some are held out."""

_PARTS = 5


@dataclass(frozen=True)
class SampleSizes:
    """Most rows of each part.

    Attributes:
        cloud: Sentences, duplicates kept; time goes with N.
        neighbours: Distinct sentences; time goes with N^2.
        held_out: Distinct sentences that the fit did not see; time goes with N^2.
    """

    cloud: int = 20_000
    neighbours: int = 4_000
    held_out: int = 2_000


@dataclass(frozen=True, eq=False)
class SentenceRows:
    """A list of sentences to embed, and the rows of it that each part uses.

    Attributes:
        sentences: All that are needed: fit corpus, measured, first sides, second sides.
        fit: The whole fit corpus.
        cloud: Measured sentences, duplicates kept.
        neighbours: Distinct measured sentences.
        held_out: Distinct measured sentences, none of them in `fit_without`.
        fit_without: The fit corpus without the held-out fifth.
        first: First sides of the positive pairs.
        second: Their second sides.
        measured: What the measured sentences are, in words.
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
            f"uniformity: {len(self.neighbours):,} distinct sentences",
            Part.NEIGHBOURS: f"{len(self.neighbours):,} distinct sentences",
            Part.HELD_OUT: f"{len(self.held_out):,} distinct sentences that a second fit, on "
            f"{len(self.fit_without):,} rows, did not see; as they are, not rescaled",
        }


def choose_rows(
    pairs: SentencePairs, corpus: Corpus, measured: Corpus, sizes: SampleSizes, *, seed: int
) -> SentenceRows:
    """Draw the rows of each part.

    Args:
        pairs: The recipe's split; its pairs are aligned.
        corpus: What calibrators are fitted on.
        measured: Every sentence of every split.
        sizes: Most rows of each part.
        seed: Random seed.
    """
    distinct = distinct_rows(measured.sentences)
    held = distinct[_held_out(len(distinct), seed)]
    unseen = {measured.sentences[row] for row in held}
    n, m = len(corpus), len(measured)
    positive = _positive(pairs)
    return SentenceRows(
        sentences=(*corpus.sentences, *measured.sentences, *pairs.first, *pairs.second),
        fit=np.arange(n),
        cloud=n + sample_rows(m, sizes.cloud, seed=seed),
        neighbours=n + distinct[sample_rows(len(distinct), sizes.neighbours, seed=seed)],
        held_out=n + held[sample_rows(len(held), sizes.held_out, seed=seed)],
        fit_without=np.flatnonzero([sentence not in unseen for sentence in corpus.sentences]),
        first=n + m + positive,
        second=n + m + len(pairs) + positive,
        measured=measured.description.rstrip("."),
    )


def _held_out(n: int, seed: int) -> npt.NDArray[np.bool_]:
    """Return which of `n` distinct sentences are held out: a fifth, or none of too few."""
    if n < FEWEST_ROWS:
        return np.zeros(n, bool)
    held: npt.NDArray[np.bool_] = split_blocks(n, _PARTS, seed=seed) == 0
    return held


def _positive(pairs: SentencePairs) -> Rows:
    if pairs.gold is None or not pairs.is_paired:
        return np.empty(0, np.int64)
    return np.flatnonzero(positive_pairs(pairs.gold, pairs.scale))
