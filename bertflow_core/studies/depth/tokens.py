"""Measures of the tokens of sentences, layer by layer, from one pass over a sample."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bertflow_core.analysis.tokens import (
    draw_occurrences,
    first_norm,
    intra_similarity,
    token_entropy,
    words_in_context,
)
from bertflow_core.arrays.sampling import sample_rows
from bertflow_core.encoders import TransformerEncoder
from bertflow_core.encoders.token_states import token_states

MOST_SENTENCES = 500


def token_measures(
    encoder: TransformerEncoder, texts: Sequence[str], *, seed: int
) -> list[dict[str, float | None]]:
    """Return the measures of each layer, from 0 to L, as means over at most 500 sentences.

    Only the tokens of one group of sentences, and at most 1,000 tokens for the words, are in memory
    at a time. A sentence of one token has no entropy and no other tokens, and does not count there.
    """
    sentences = [texts[row] for row in sample_rows(len(texts), MOST_SENTENCES, seed=seed)]
    tokens, _ = encoder.tokenize(sentences)
    before, after = map(len, encoder.added_tokens)
    drawn = draw_occurrences(tokens, (before, after), seed=seed)
    n_layers = encoder.n_layers + 1
    kept = np.empty((n_layers, len(drawn.sentences), encoder.dim), np.float32)
    found: list[dict[str, list[Any]]] = [
        {name: [] for name in ("token_entropy", "first_norm", "intra_similarity", "sink")}
        for _ in range(n_layers)
    ]
    for block in token_states(encoder, sentences, tokens):
        for column, row in enumerate(block.rows):
            own = np.flatnonzero(drawn.sentences == row)
            kept[:, own] = block.states[:, column, drawn.places[own]]
            for layer, values in enumerate(found):
                x = block.states[layer, column]
                values["token_entropy"].append(token_entropy(x))
                values["first_norm"].append(first_norm(x))
                values["intra_similarity"].append(intra_similarity(x[before : len(x) - after]))
                if layer and block.sink is not None and len(x) > 1:
                    values["sink"].append(block.sink[layer - 1, column])
    rows = []
    for layer, values in enumerate(found):
        row = {name: _mean(each) for name, each in values.items()}
        words = words_in_context(kept[layer], drawn)
        base, intra = words["token_cosine"], row["intra_similarity"]
        row["intra_similarity"] = None if base is None or intra is None else intra - base
        rows.append(row | words)
    return rows


def _mean(values: Sequence[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return float(np.mean(known)) if known else None
