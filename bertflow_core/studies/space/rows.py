"""Choose which sentences each measurement uses: bounded, seeded samples.

The cloud is every sentence of every split with duplicates, as a calibrator sees its corpus. All
other parts use distinct sentences and one side of each pair, because the sides are often nearly the
same sentence. A fifth of the distinct sentences is held out, in blocks of neighbouring sentences. A
second fit sees neither the held-out sentences nor their partners in pairs.
"""

from dataclasses import dataclass, field

import numpy as np

from bertflow_core.analysis.isotropy import positive_pairs
from bertflow_core.analysis.measures import Group
from bertflow_core.arrays.sampling import sample_rows, split_blocks
from bertflow_core.arrays.types import Rows
from bertflow_core.datasets import Corpus, Pairs, Texts
from bertflow_core.datasets.corpus import one_side, partners_of

FEWEST_ROWS = 20
"""Smallest number of sentences at which some of them are held out."""

_PARTS = 5

AT_MOST = {Group.CLOUD: 20_000, Group.NEIGHBOURS: 4_000, Group.HELD_OUT: 2_000}
"""Largest number of rows; the time grows as N for the cloud and as N^2 for the others."""


@dataclass(frozen=True, eq=False)
class SentenceRows:
    """A list of sentences to embed, and which of its rows each group of measures uses."""

    sentences: tuple[str, ...] = field(repr=False)  # fit corpus, measured, first and second sides
    sides: tuple[str, ...] = field(repr=False)  # of each sentence; empty for symmetric data
    fit: Rows  # the whole fit corpus
    cloud: Rows  # measured sentences with duplicates
    neighbours: Rows  # distinct measured sentences, no two of them a pair
    held_out: Rows  # distinct measured sentences, no two of them a pair, none in `fit_without`
    fit_without: Rows  # the fit corpus without the held-out fifth and its partners
    first: Rows  # sides of the positive pairs
    second: Rows
    measured: str  # what the measured sentences are, in words
    n_fitted: int  # how many rows of the cloud are sentences of the fit corpus
    share: float  # the fit corpus as a share of the corpus that it was drawn from

    def describe(self) -> dict[str, str]:
        """Return, by part, the number and a description of its rows."""
        return {
            Group.CLOUD: f"{len(self.cloud):,} sentences; the calibrators were fitted on "
            f"{self.n_fitted:,} of them; taken from {self.measured}",
            Group.PAIRS: f"alignment of {len(self.first):,} pairs with a gold score in the upper "
            f"fifth of the scale; uniformity of {len(self.neighbours):,} distinct sentences",
            Group.NEIGHBOURS: f"{len(self.neighbours):,} distinct sentences",
            Group.HELD_OUT: f"{len(self.held_out):,} distinct sentences; for these each calibrator "
            f"was fitted again, on {len(self.fit_without):,} other sentences",
        }


def choose_rows(pairs: Texts, corpus: Corpus, measured: Corpus, *, seed: int) -> SentenceRows:
    """Draw the rows of each part.

    `pairs` are those of one split and give the alignment. `corpus` is what calibrators are fitted
    on. `measured` has every sentence of every split.
    """
    partners = partners_of(measured)
    apart = one_side(measured)
    held = apart[:0]
    if len(apart) >= FEWEST_ROWS:
        held = apart[split_blocks(len(apart), _PARTS, seed=seed) == 0]
    unseen = {measured.sentences[row] for row in held}
    unseen |= {partner for sentence in unseen for partner in partners.get(sentence, ())}
    n, m = len(corpus), len(measured)
    cloud = sample_rows(m, AT_MOST[Group.CLOUD], seed=seed)
    neighbours = apart[sample_rows(len(apart), AT_MOST[Group.NEIGHBOURS], seed=seed)]
    positive = np.empty(0, np.int64)
    if isinstance(pairs, Pairs) and pairs.gold is not None:
        positive = np.flatnonzero(positive_pairs(pairs.gold, pairs.scale))
    return SentenceRows(
        sentences=(*corpus.sentences, *measured.sentences, *pairs.texts),
        sides=(*corpus.sides_beside(pairs), *measured.sides_beside(pairs), *pairs.sides),
        fit=np.arange(n),
        cloud=n + cloud,
        neighbours=n + neighbours,
        held_out=n + held[sample_rows(len(held), AT_MOST[Group.HELD_OUT], seed=seed)],
        fit_without=np.flatnonzero([sentence not in unseen for sentence in corpus.sentences]),
        first=n + m + positive,
        second=n + m + len(pairs) + positive,
        measured=measured.description.rstrip("."),
        n_fitted=corpus.n_among(measured.sentences[row] for row in cloud),
        share=corpus.share,
    )
