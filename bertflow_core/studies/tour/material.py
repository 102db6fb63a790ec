"""What the questions share: the data, embedded once, five calibrators, the learner's sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bertflow_core.datasets.corpus import one_side
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, cosine_matrix
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, distinct_rows, sample_rows
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import FEW_PAIRS, few_pairs
from bertflow_core.space import Prepared, Space
from bertflow_core.studies.tour.own_sentences import OwnSentences
from bertflow_core.wording import quoted

__all__ = [
    "CENTRED",
    "DRAWS",
    "FLOW",
    "NO_CONE",
    "RAW",
    "REMOVED",
    "SPECS",
    "WHITE",
    "Material",
    "cosines_of_all",
]

RAW, CENTRED, REMOVED = "identity", "null-top-k:k=0", "null-top-k:k=6"
WHITE, FLOW = "whiten", "flow"
SPECS = (RAW, CENTRED, REMOVED, WHITE, FLOW)
"""Of the tour, the simplest first: none, less the mean, less directions too, whitening, a flow."""

NO_CONE = 0.15
"""Mean cosine, or share of the mean vector, up to which this tour speaks of no cone."""

DRAWS = N_DRAWS
"""Resamples of the pairs behind every interval, those of all pages."""

_SAMPLE = 400


@dataclass(frozen=True, eq=False)
class Material:
    """The data of a tour, embedded and calibrated.

    Attributes:
        prepared: The embeddings.
        results: Of each of `SPECS`, fitted and scored.
        lab: Where data and vectors are found.
        own: The learner's sentences.
    """

    prepared: Prepared = field(repr=False)
    results: Mapping[str, Space] = field(repr=False)
    lab: Lab = field(repr=False)
    own: OwnSentences = field(default_factory=lambda: OwnSentences((), np.empty((0, 0))))

    @property
    def recipe(self) -> Recipe:
        """What was embedded."""
        return self.prepared.recipe

    def grades(self) -> FloatArray:
        """Return people's grades of the pairs, shape (N,).

        Raises:
            InputError: There are none.
        """
        pairs = self.prepared.pairs
        if pairs.gold is None:
            raise InputError(
                f"this step compares with people's grades: {quoted(pairs.name)} {pairs.ungraded}"
            )
        return pairs.gold

    def check_pairs(self) -> None:
        """Refuse so few pairs that their rho is mostly chance.

        Raises:
            InputError: Fewer than 30.
        """
        n = len(self.prepared.pairs)
        if n < FEW_PAIRS:
            raise InputError(few_pairs(n))

    def check_sentences(self, rows: FloatArray | None = None) -> None:
        """Refuse no more sentences than features: they do not span the space.

        Directions without variance would then be due to their number, not to the encoder.

        Args:
            rows: What a step measures, shape (N, D); None takes the whole fit corpus.

        Raises:
            InputError: No more different sentences than features.
        """
        n, n_features = (self.corpus if rows is None else rows).shape
        if n <= n_features:
            raise InputError(
                f"{n:,} sentences in {n_features:,} dimensions: this step needs more than "
                f"{n_features:,} different ones"
            )

    @cached_property
    def corpus(self) -> FloatArray:
        """Embeddings of the different sentences of the fit corpus, shape (N, D)."""
        prepared = self.prepared
        rows: FloatArray = prepared.x_fit[distinct_rows(prepared.corpus.sentences)]
        return rows

    @cached_property
    def apart(self) -> FloatArray:
        """Embeddings of one side of each pair of the fit corpus, all different, shape (M, D).

        The other side is often nearly the same sentence.
        """
        prepared = self.prepared
        rows: FloatArray = prepared.x_fit[one_side(prepared.corpus)]
        return rows

    @cached_property
    def sample(self) -> FloatArray:
        """Embeddings of at most 400 different scored sentences, shape (M, D)."""
        prepared, pairs = self.prepared, self.prepared.pairs
        x = prepared.x_first
        if pairs.is_paired:
            x = np.concatenate([x, prepared.x_second])
        places = distinct_rows((*pairs.first, *pairs.second))
        rows: FloatArray = x[places[sample_rows(len(places), _SAMPLE, seed=self.recipe.seed)]]
        return rows

    def cosines(self, spec: str) -> FloatArray:
        """Return the cosine of every two sentences of the sample under a calibrator, (M (M-1)/2,).

        Args:
            spec: One of `SPECS`.
        """
        return cosines_of_all(self.results[spec].calibrator.transform(self.sample))

    def own_change(self, *specs: str) -> str:
        """Tell the cosines of the learner's sentences under calibrators; nothing where none are."""
        return self.own.change({spec: self.results[spec].calibrator.transform for spec in specs})


def cosines_of_all(x: FloatArray) -> FloatArray:
    """Return the cosine of every two different rows of `x`, shape (M, D), M >= 2."""
    cosines: FloatArray = cosine_matrix(x, x)[np.triu_indices(len(x), 1)]
    return cosines
