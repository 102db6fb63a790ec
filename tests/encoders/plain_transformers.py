"""The reference: token vectors by plain transformers, from one padded batch."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

from bertflow_core.encoders import TransformerEncoder


def token_vectors(folder: Path, texts: Sequence[str]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return ids, shape (T,), and vectors, (L + 1, T, D), in float64, of each text."""
    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="right")
    network = AutoModel.from_pretrained(folder).eval()
    batch = tokenizer(list(texts), padding=True, return_tensors="pt")
    inputs = {name: batch[name] for name in ("input_ids", "attention_mask")}
    with torch.no_grad():
        hidden = network(**inputs, output_hidden_states=True).hidden_states
    every, ids = torch.stack(hidden).double().numpy(), batch["input_ids"].numpy()
    real = batch["attention_mask"].numpy().astype(bool)
    assert not real.all(), "no text is padded"
    return [(ids[row][kept], every[:, row, kept]) for row, kept in enumerate(real)]


def of_kinds(
    encoder: TransformerEncoder, sentences: Sequence[str], kinds: Sequence[str] | None
) -> np.ndarray:
    """Return our vectors of some kinds in the order of the sentences, shape (K, N, D)."""
    blocks = list(encoder.encode_blocks(sentences, kinds=kinds))
    order = np.argsort(np.concatenate([block.rows for block in blocks]))
    return np.concatenate([block.vectors for block in blocks], axis=1)[:, order]
