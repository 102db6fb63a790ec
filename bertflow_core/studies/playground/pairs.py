"""Every pair of typed sentences: its edit distance, and its cosine and rank per calibrator."""

from dataclasses import dataclass, field

import numpy as np

from bertflow_core.analysis.edit_distance import Unit, edit_distances
from bertflow_core.errors import check_name
from bertflow_core.evaluation.similarity import cosine_matrix
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.studies.pairs import UNITS
from bertflow_core.studies.playground.typed import Typed

__all__ = ["TypedPairs", "compare_typed", "pair_records"]

_TIE_DIGITS = 9
"""Digits to which cosines of equal rank agree: float32 vectors carry no more."""


@dataclass(frozen=True, eq=False)
class TypedPairs:
    """The P = n (n - 1) / 2 pairs of n typed sentences.

    Attributes:
        typed: The sentences.
        unit: What an edit changes.
        first: The earlier sentence of each pair, from 0, shape (P,).
        second: The later one, shape (P,).
        distances: Edit distance of each pair, shape (P,).
        cosines: Of every two sentences by spec, shape (n, n).
        ranks: Of every pair by spec, shape (n, n), 1 for the most similar of the P, equal ones
            sharing the best rank; 0 on the diagonal.
    """

    typed: Typed
    unit: str
    first: Rows = field(repr=False)
    second: Rows = field(repr=False)
    distances: Rows = field(repr=False)
    cosines: dict[str, FloatArray] = field(repr=False)
    ranks: dict[str, Rows] = field(repr=False)

    def __len__(self) -> int:
        return len(self.first)

    def remark(self) -> str:
        """Return the mean cosine of these sentences in each space, as a sentence."""
        means = [
            f"{spec} {cosine[self.first, self.second].mean():.2f}"
            for spec, cosine in self.cosines.items()
        ]
        return f"Mean cosine of the {len(self):,} pairs: {', '.join(means)}."

    def by_disagreement(self) -> Rows:
        """Return the pairs, sorted by how much their ranks differ between calibrators."""
        ranks = np.stack([rank[self.first, self.second] for rank in self.ranks.values()])
        return np.argsort(-np.ptp(ranks, axis=0), kind="stable")


def compare_typed(typed: Typed, *, unit: str = Unit.TREEBANK) -> TypedPairs:
    """Compare every two typed sentences under every calibrator.

    Args:
        typed: The sentences in every space.
        unit: What an edit changes, one of `UNITS` of tables of pairs.

    Raises:
        InputError: A unit that does not exist.
    """
    pieces = dict(zip(typed.sentences, typed.pieces, strict=True))
    check_name(unit, UNITS, "unit")
    known = unit in tuple(Unit)
    first, second = np.triu_indices(len(typed.sentences), k=1)
    cosines = {spec: cosine_matrix(z, z) for spec, z in typed.z.items()}
    return TypedPairs(
        typed=typed,
        unit=str(unit),
        first=first,
        second=second,
        distances=edit_distances(
            [typed.sentences[i] for i in first],
            [typed.sentences[i] for i in second],
            unit=Unit(unit) if known else pieces.__getitem__,
        ),
        cosines=cosines,
        ranks={spec: _ranks(cosine, first, second) for spec, cosine in cosines.items()},
    )


def pair_records(pairs: TypedPairs, rows: Rows) -> list[dict[str, int | float | str]]:
    """Return one record per pair; sentences are numbered from 1.

    Args:
        pairs: The pairs.
        rows: Which of them, in the order of the records.
    """
    sentences = pairs.typed.sentences
    records: list[dict[str, int | float | str]] = []
    for i, j, distance in zip(
        pairs.first[rows], pairs.second[rows], pairs.distances[rows], strict=True
    ):
        record: dict[str, int | float | str] = {"a": int(i) + 1, "b": int(j) + 1}
        record["edit_distance"] = int(distance)
        for spec, cosine in pairs.cosines.items():
            record[f"cosine {spec}"] = float(cosine[i, j])
            record[f"rank {spec}"] = int(pairs.ranks[spec][i, j])
        records.append(record | {"sentence_a": sentences[i], "sentence_b": sentences[j]})
    return records


def _ranks(cosine: FloatArray, first: Rows, second: Rows) -> Rows:
    from scipy.stats import rankdata

    of_pairs = rankdata(-cosine[first, second].round(_TIE_DIGITS), method="min")
    ranks = np.zeros(cosine.shape, np.int64)
    ranks[first, second] = ranks[second, first] = of_pairs
    return ranks
