"""What an analysis of words gives: the words and vectors it shares, and a calibrator's numbers."""

from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.courses import runs
from bertflow_core.analysis.frequency import Bin
from bertflow_core.analysis.neighbours import Neighbours, nearest_neighbours
from bertflow_core.analysis.trends import Line, window_means
from bertflow_core.datasets.word_counts import WordCounts
from bertflow_core.encoders.word_table import WordTable
from bertflow_core.linalg import FloatArray, Rows, spearman
from bertflow_core.studies.words.paper_table1 import departures
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["PreparedWords", "WordResult"]

_MADE_BY = ("bertflow-lab", "numpy", "scipy", "safetensors", "tokenizers")


@dataclass(frozen=True)
class PreparedWords:
    """The words that every calibrator of a comparison shares.

    Attributes:
        recipe: With the hub commit that was found; `recipe.calibrator` is ignored.
        table: The model's rows.
        counts: The list of frequencies.
        x: Vectors of every row, float32, shape (V, D), raw or after LayerNorm.
        rows: Rows of the words in the bins, the most frequent first, shape (n,).
        ranks: Their ranks from 0, shape (n,).
        log_frequency: log10 of their counts or frequencies, shape (n,).
        candidates: Rows that can be neighbours, rising, shape (M,).
        n_covered: Words of the model that the list knows, in the bins or not.
    """

    recipe: WordRecipe
    table: WordTable = field(repr=False)
    counts: WordCounts = field(repr=False)
    x: FloatArray = field(repr=False)
    rows: Rows = field(repr=False)
    ranks: Rows = field(repr=False)
    log_frequency: FloatArray = field(repr=False)
    candidates: Rows = field(repr=False)
    n_covered: int

    @property
    def words(self) -> tuple[str, ...]:
        """The words in the bins, the most frequent first."""
        return tuple(self.table.words[row] for row in self.rows)

    def nearest(self, z: FloatArray, rows: Rows, k: int, *, metric: str = "l2") -> Neighbours:
        """Return the nearest candidates of some rows, named by their rows in the table.

        Args:
            z: Vectors of every row, calibrated or not, shape (V, K).
            rows: Whose neighbours, shape (m,).
            k: How many.
            metric: `l2` or `dot`.
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
        """Return what the vectors, the words and their ranks were made from, JSON-able."""
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
class WordResult:
    """One calibrator's numbers.

    Attributes:
        recipe: What decides them.
        prepared: The words.
        z: Calibrated vectors of every row, shape (V, K).
        norms: L2 norms of the words, shape (n,).
        knn_l2: By k, mean L2 distance to the k nearest, each (n,).
        knn_dot: By k, mean dot product with the k of largest product, each (n,).
        bins: Their means by rank.
        norm_slope: Of the norm against log10 of frequency; None where undefined.
        knn_slopes: By k, of the k-NN L2 distance.
        coordinate_rhos: |Spearman| of the leading singular coordinates with log frequency.
        notes: What the calibrator met, a sentence each.
        seconds: Time to fit, to map, and to find neighbours.
    """

    recipe: WordRecipe
    prepared: PreparedWords = field(repr=False)
    z: FloatArray = field(repr=False)
    norms: FloatArray = field(repr=False)
    knn_l2: dict[int, FloatArray] = field(repr=False)
    knn_dot: dict[int, FloatArray] = field(repr=False)
    bins: tuple[Bin, ...]
    norm_slope: Line | None
    knn_slopes: dict[int, Line | None]
    coordinate_rhos: tuple[float | None, ...]
    notes: tuple[str, ...]
    seconds: dict[str, float]

    def departures(self) -> tuple[str, ...]:
        """Say where the bins go another way than the published ones, which are uncalibrated."""
        return departures(self.bins) if self.recipe.calibrator == "identity" else ()

    def measures(self) -> list[tuple[str, int | None]]:
        """List the rows of Table 1: measures, each with its number of neighbours, if any."""
        ks = self.recipe.k
        return [("mean_norm", None), *(("knn_l2", k) for k in ks), *(("knn_dot", k) for k in ks)]

    def turns(self) -> bool:
        """Tell whether the mean norm rises between some bins and falls between others."""
        return len(runs([each.mean_norm for each in self.bins if each.mean_norm is not None])) > 1

    @property
    def norms_by_rank(self) -> dict[tuple[int, int], float]:
        """The mean norm of each bin that has words, by its first rank and the first beyond."""
        means = {(each.low, each.high): each.mean_norm for each in self.bins}
        return {place: mean for place, mean in means.items() if mean is not None}

    @property
    def norm_rho(self) -> float | None:
        """Rank correlation of norm and frequency over all words; None where one does not vary."""
        return spearman(self.norms, self.prepared.log_frequency)

    def norm_trend(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the mean norm over rank, a smooth line to be drawn over the words.

        Returns:
            Ranks from 0 of windows of equal width in log rank, the mean norm there, and the ends
            of its 95 % interval, each (m,).
        """
        found = window_means(np.log10(self.prepared.ranks + 1.0), self.norms)
        return 10**found.x - 1, found.mean, found.low, found.high

    def neighbours_of(
        self, row: int, k: int = 10, *, metric: str = "l2"
    ) -> list[tuple[int, str, float]]:
        """Return row, token and distance or product of a row's nearest, in the full space."""
        found = self.prepared.nearest(self.z, np.array([row], np.int64), k, metric=metric)
        tokens = self.prepared.table.tokens
        return [
            (int(each), tokens[each], float(value))
            for each, value in zip(found.rows[0], found.values[0], strict=True)
        ]
