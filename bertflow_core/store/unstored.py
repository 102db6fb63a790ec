"""Embedding without a disk, for a corpus that is used once."""

from collections.abc import Sequence

import numpy as np

from bertflow_core.store.blocks import sentence_key
from bertflow_core.store.reading import Embeddings
from bertflow_core.store.request import Encoder, check_encoder, request_of

__all__ = ["Unstored"]


class Unstored:
    """Gives what an `EmbeddingStore` gives, but computes it anew each time and keeps nothing.

    Example:
        >>> from bertflow_core import Lab
        >>> from bertflow_core.store import Unstored
        >>> Lab(store=Unstored()).embed("minilm", ["A dog runs."], layers="layer:1").shape
        (1, 384)
    """

    def embed(
        self,
        encoder: Encoder,
        sentences: Sequence[str],
        *,
        layers: str = "layer:4",
        tokens: str = "mean",
        ahead: Sequence[tuple[str, str]] = (),  # nothing is kept for later
    ) -> Embeddings:
        """Return the embeddings of `sentences`, each distinct one computed once.

        Raises:
            InputError: A layer set or pooling that the encoder lacks, or a sentence it refuses.
        """
        check_encoder(encoder)
        request = request_of(encoder, sentences, encoder.chosen(layers, tokens))
        places = {key: place for place, key in enumerate(request.texts)}
        n = len(places)
        x = np.empty((n, encoder.dim), np.float32)
        n_tokens, cut = np.empty(n, np.int32), np.empty(n, bool)
        for block in encoder.encode_blocks(list(request.texts.values()), kinds=request.kinds):
            x[block.rows] = block.vectors.mean(axis=0, dtype=np.float64)
            n_tokens[block.rows], cut[block.rows] = block.n_tokens, block.cut
        order = [places[sentence_key(sentence)] for sentence in sentences]
        return Embeddings(x[order], n_tokens[order], cut[order])
