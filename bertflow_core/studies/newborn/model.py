"""A newborn model at some moment: vectors of sentences, and states at masked places."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from bertflow_core.linalg import FloatArray
from bertflow_core.studies.newborn.network import MaskedLanguageModel
from bertflow_core.studies.newborn.recipe import NewbornRecipe
from bertflow_core.studies.newborn.vocabulary import MASK, N_SPECIAL, PAD, Ids, Vocabulary

__all__ = ["NewbornModel", "newborn"]

_ROWS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class NewbornModel:
    """A network with the words that its rows stand for.

    Attributes:
        vocabulary: Of the rows.
        network: Trained so far.
        max_words: Longest sentence in words.
    """

    vocabulary: Vocabulary
    network: MaskedLanguageModel
    max_words: int

    def encode(self, sentences: Sequence[str]) -> Ids:
        """Return sentences as rows of numbers, shape (N, T)."""
        return self.vocabulary.encode(sentences, self.max_words)

    def word_vectors(self) -> FloatArray:
        """Return a copy of the words' vectors, the most frequent first, shape (W, D)."""
        return self.table()[N_SPECIAL : N_SPECIAL + len(self.vocabulary.words)]

    def unused_vectors(self) -> FloatArray:
        """Return a copy of the vectors of rows that no sentence has, shape (n_unused, D)."""
        return self.table()[N_SPECIAL + len(self.vocabulary.words) :]

    def table(self) -> FloatArray:
        """Return a copy of all rows, shape (V, D)."""
        rows: FloatArray = self.network.words.weight.detach().numpy().copy()
        return rows

    def sentence_vectors(self, ids: Ids) -> FloatArray:
        """Return the mean context embedding of each encoded sentence, shape (N, D)."""
        parts = []
        for rows in _portions(ids):
            kept = (rows != PAD).unsqueeze(-1)
            with torch.no_grad():
                parts.append((self.network(rows) * kept).sum(dim=1) / kept.sum(dim=1))
        vectors: FloatArray = torch.cat(parts).numpy()
        return vectors

    def masked_states(self, ids: Ids, places: Ids) -> FloatArray:
        """Return the context embedding at one place of each sentence, masked there, (N, D).

        Args:
            ids: Encoded sentences, shape (N, T); not written to.
            places: A place of each, shape (N,).
        """
        masked = ids.copy()
        every = np.arange(len(ids))
        masked[every, places] = MASK
        states = []
        for rows, at in zip(_portions(masked), _portions(places), strict=True):
            with torch.no_grad():
                states.append(self.network(rows)[torch.arange(len(rows)), at])
        found: FloatArray = torch.cat(states).numpy()
        return found


def _portions(ids: Ids) -> tuple[torch.Tensor, ...]:
    return torch.split(torch.from_numpy(ids), _ROWS_AT_ONCE)


def newborn(vocabulary: Vocabulary, recipe: NewbornRecipe) -> NewbornModel:
    """Return the model of a recipe before its first step."""
    network = MaskedLanguageModel(
        len(vocabulary),
        width=recipe.width,
        n_layers=recipe.n_layers,
        max_words=recipe.max_words,
        generator=torch.Generator().manual_seed(recipe.seed),
    )
    return NewbornModel(vocabulary, network, recipe.max_words)
