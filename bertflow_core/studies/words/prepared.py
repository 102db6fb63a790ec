"""The words that every calibrator of a comparison shares, and their neighbours in a given space."""

from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np

from bertflow_core.analysis.frequency import coordinate_rhos, window_means
from bertflow_core.analysis.neighbours import Neighbours, nearest_neighbours
from bertflow_core.arrays.correlation import spearman
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.datasets.word_counts import SPELLED_DIGITS, WordCounts, load_word_counts
from bertflow_core.encoders.catalog import resolve_model
from bertflow_core.encoders.word_table import WordTable, read_word_table
from bertflow_core.errors import InputError
from bertflow_core.runtime import context
from bertflow_core.studies.words.recipe import WordRecipe

_MADE_BY = ("bertflow-lab", "numpy", "scipy", "safetensors", "tokenizers")


@dataclass(frozen=True)
class PreparedWords:
    """The words that every calibrator of a comparison shares."""

    recipe: WordRecipe  # with the resolved hub commit; `recipe.calibrator` is ignored
    table: WordTable = field(repr=False)  # the model's word vectors
    counts: WordCounts = field(repr=False)  # the list of frequencies
    x: FloatArray = field(repr=False)  # vectors of every row, raw or after LayerNorm, shape (V, D)
    rows: Rows = field(repr=False)  # of the words in the bins, the most frequent first, shape (n,)
    ranks: Rows = field(repr=False)  # ranks of these words from 0, shape (n,)
    log_frequency: FloatArray = field(repr=False)  # log10 of counts or frequencies, shape (n,)
    candidates: Rows = field(repr=False)  # rows that can be neighbours, ascending, shape (M,)
    n_covered: int  # words of the model that are in the list, inside the bins or not

    @property
    def words(self) -> tuple[str, ...]:
        """The words in the bins, the most frequent first."""
        return tuple(self.table.words[row] for row in self.rows)

    def nearest(self, z: FloatArray, rows: Rows, k: int, *, metric: str = "l2") -> Neighbours:
        """Return the nearest candidates of some rows, as rows of the table.

        `z` holds vectors of every row, calibrated or not, shape (V, K); the metric is l2 or dot.
        """
        candidates = self.candidates
        own = None
        if self.recipe.itself == "exclude":
            places = np.full(len(z), -1)
            places[candidates] = np.arange(len(candidates))
            own = places[rows]
        among = z if len(candidates) == len(z) else z[candidates]
        with context.renamed("words"):
            found = nearest_neighbours(among, z[rows], k, metric=metric, own=own)
        return Neighbours(found.metric, candidates[found.rows], found.values)

    def provenance(self) -> dict[str, Any]:
        """Return the sources of the vectors, the words and their ranks, JSON-able."""
        table, model = self.table, self.table.model
        return {
            "model": {"name": model.name, "revision": model.revision, "digest": model.digest},
            "table": {
                "tensor": table.tensor,
                "shape": list(table.x.shape),
                "special": int(table.special.sum()),
                "pieces": int(table.piece.sum()),
                "whole": int(table.whole.sum()),
            },
            "counts": self.counts.to_dict() | {"n_covered": self.n_covered},
            "n_neighbours": len(self.candidates),
            "versions": {name: version(name) for name in _MADE_BY},
        }


@dataclass(frozen=True)
class WordSpace:
    """The words under one calibrator."""

    calibrator: str  # its spec
    prepared: PreparedWords = field(repr=False)
    z: FloatArray = field(repr=False)  # calibrated vectors of every row, shape (V, K)
    norms: FloatArray = field(repr=False)  # L2, of the words, shape (n,)

    @cached_property
    def coordinate_rhos(self) -> tuple[float | None, ...]:
        """|Spearman| of leading singular coordinates with log frequency; empty below 3 words."""
        own = self.z[self.prepared.rows]
        return coordinate_rhos(own, self.prepared.log_frequency) if len(own) >= 3 else ()

    @property
    def norm_rho(self) -> float | None:
        """Rank correlation of norm and frequency over all words; None if either is constant."""
        return spearman(self.norms, self.prepared.log_frequency)

    def norm_trend(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the mean norm by rank: ranks from 0, means, and both ends of 95 % intervals.

        Each mean is over a window; all windows have the same width in log rank.
        """
        at, mean, low, high = window_means(np.log10(self.prepared.ranks + 1.0), self.norms)
        return 10**at - 1, mean, low, high

    def neighbours_of(
        self, row: int, k: int = 10, *, metric: str = "l2"
    ) -> list[tuple[int, str, float]]:
        """Return row, token and distance (or inner product) of the neighbours of a row."""
        found = self.prepared.nearest(self.z, np.array([row], np.int64), k, metric=metric)
        near = zip(found.rows[0].tolist(), found.values[0].tolist(), strict=True)
        return [(each, self.prepared.table.tokens[each], value) for each, value in near]


def prepare_words(recipe: WordRecipe) -> PreparedWords:
    """Read word vectors and frequencies; choose the words and their possible neighbours."""
    table = read_word_table(resolve_model(recipe.model, revision=recipe.revision))
    every = np.arange(len(table.x))
    looked_up = every[table.whole]
    counts = load_word_counts(recipe.counts, table.words, looked_up)
    if recipe.digits == "drop":
        counts = counts.without(SPELLED_DIGITS)
    if recipe.words == "any":
        looked_up = np.concatenate([looked_up, every[table.piece]])
    covered = counts.cover(table.words, looked_up)
    ranks = covered.ranks if recipe.ranks == "list" else np.arange(len(covered.rows))
    inside = (ranks >= recipe.bins[0]) & (ranks < recipe.bins[-1])
    if not inside.any():
        raise InputError(
            f"no word lies in the bins: {counts.source} covers {len(ranks):,} of the model's words"
        )
    allowed = {"all": every >= 0, "no-special": ~table.special, "whole": table.whole}
    return PreparedWords(
        recipe=recipe.with_(revision=table.model.revision),
        table=table,
        counts=counts,
        x=table.x if recipe.table == "raw" else table.after_layer_norm(),
        rows=covered.rows[inside],
        ranks=ranks[inside],
        log_frequency=np.log10(covered.frequencies[inside]),
        candidates=every[allowed[recipe.neighbours]],
        n_covered=len(ranks),
    )
