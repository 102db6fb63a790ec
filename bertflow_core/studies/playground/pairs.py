"""Every pair of typed sentences: its edit distance, and its cosine and rank per calibrator."""

from dataclasses import dataclass, field

import numpy as np

from bertflow_core.analysis.edit_distance import Unit, edit_distances
from bertflow_core.errors import check_name
from bertflow_core.evaluation.similarity import cosine_matrix
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.report import Column, Report, Row
from bertflow_core.studies.pairs import UNITS
from bertflow_core.studies.playground.spaces import Playground
from bertflow_core.studies.playground.typed import Typed

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

    def remark(self) -> str:
        """Return the mean cosine of these sentences in each space, as a sentence."""
        means = [
            f"{spec} {cosine[self.first, self.second].mean():.2f}"
            for spec, cosine in self.cosines.items()
        ]
        return f"Mean cosine of the {len(self.first):,} pairs: {', '.join(means)}."

    def records(self) -> list[Row]:
        """Return a row per pair; those that the calibrators rank most unlike come first.

        Sentences are numbered from 1.
        """
        texts = self.typed.sentences
        spread = np.ptp([rank[self.first, self.second] for rank in self.ranks.values()], axis=0)
        order = np.argsort(-spread, kind="stable")
        pairs = zip(self.first[order].tolist(), self.second[order].tolist(), strict=True)
        return [
            {
                "a": i + 1,
                "b": j + 1,
                "edit_distance": distance,
                **{
                    key: value
                    for spec, cosine in self.cosines.items()
                    for key, value in (
                        (f"cosine {spec}", float(cosine[i, j])),
                        (f"rank {spec}", int(self.ranks[spec][i, j])),
                    )
                },
                "sentence_a": texts[i],
                "sentence_b": texts[j],
            }
            for (i, j), distance in zip(pairs, self.distances[order].tolist(), strict=True)
        ]


def compare_typed(typed: Typed, *, unit: str = Unit.TREEBANK) -> TypedPairs:
    """Compare every two typed sentences under every calibrator; an edit changes one `unit`."""
    check_name(unit, UNITS, "unit")
    texts, pieces = typed.sentences, dict(zip(typed.sentences, typed.pieces, strict=True))
    first, second = np.triu_indices(len(texts), k=1)
    cosines = {spec: cosine_matrix(z, z) for spec, z in typed.z.items()}
    distances = edit_distances(
        [texts[i] for i in first],
        [texts[i] for i in second],
        unit=Unit(unit) if unit in tuple(Unit) else pieces.__getitem__,
    )
    ranks = {spec: _ranks(cosine, first, second) for spec, cosine in cosines.items()}
    return TypedPairs(typed, str(unit), first, second, distances, cosines, ranks)


def _ranks(cosine: FloatArray, first: Rows, second: Rows) -> Rows:
    from scipy.stats import rankdata

    of_pairs = rankdata(-cosine[first, second].round(_TIE_DIGITS), method="min")
    ranks = np.zeros(cosine.shape, np.int64)
    ranks[first, second] = ranks[second, first] = of_pairs
    return ranks


def pairs_report(playground: Playground, pairs: TypedPairs) -> Report:
    """Report every pair of typed sentences."""
    specs = list(playground.specs)
    of_specs = [
        column
        for spec in specs
        for column in (Column(f"cosine {spec}", format=".3f"), Column(f"rank {spec}"))
    ]
    return Report(
        name="typed-pairs",
        params=playground.recipe.without("aggregation", "calibrator"),
        columns=[
            Column("a", "No. A"),
            Column("b", "No. B"),
            Column("edit_distance"),
            *of_specs,
            Column("sentence_a"),
            Column("sentence_b"),
        ],
        rows=[{**record, "unit": pairs.unit} for record in pairs.records()],
        remarks=(
            playground.caption(),
            "The command fits the same calibrators on the same sentences.",
        ),
        command=playground.recipe.to_command(playground.specs),
        facts={"calibrators": specs, "unit": pairs.unit, "sentences": playground.rows},
    )
