"""The newborn network: word vectors, a few transformer layers, and a softmax over the vectors."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from bertflow_core.studies.newborn.vocabulary import PAD

__all__ = ["MaskedLanguageModel"]

N_HEADS = 4
INITIAL_DEVIATION = 0.02
"""Standard deviation of the initial weights, which is BERT's."""


class MaskedLanguageModel(nn.Module):
    """BERT without all that is not needed here.

    Words are predicted by p(x|c) = softmax(h_c . w_x), Eq. 1 of Li et al. (2020): `scores` is tied
    to the input vectors and has no bias. There is no dropout, no token type and no dense layer
    before the softmax.

    Args:
        n_rows: Rows of the table, V.
        width: Features, D.
        n_layers: Transformer layers.
        max_words: Longest input.
        generator: Draws the initial weights: normal, with deviation 0.02 as BERT's; biases are 0.
    """

    def __init__(
        self, n_rows: int, *, width: int, n_layers: int, max_words: int, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(n_rows, width)
        self.places = nn.Embedding(max_words, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                width, N_HEADS, 4 * width, dropout=0.0, activation="gelu", batch_first=True
            )
            for _ in range(n_layers)
        )
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=INITIAL_DEVIATION, generator=generator)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the context embeddings h of words, shape (N, T) to (N, T, D)."""
        h: Tensor = self.norm(self.words(ids) + self.places.weight[: ids.shape[1]])
        for layer in self.layers:
            h = layer(h, src_key_padding_mask=ids == PAD)
        return h

    def scores(self, h: Tensor) -> Tensor:
        """Return h . w of context embeddings (n, D) with every word vector, shape (n, V)."""
        return functional.linear(h, self.words.weight)
