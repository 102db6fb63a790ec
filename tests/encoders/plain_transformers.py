"""The reference: token vectors by plain transformers, from one padded batch."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

from bertflow_core.encoders import TransformerEncoder


def token_vectors(
    folder: Path, texts: Sequence[str], side: str = "right"
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return ids, (T,), and vectors, (L + 1, T, D), in float64, of each text; pad on one side."""
    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side=side)
    network = AutoModel.from_pretrained(folder).eval()
    batch = tokenizer(list(texts), padding=True, return_tensors="pt")
    mask = batch["attention_mask"]
    assert not mask.all(), "no text is padded"
    inputs = {"input_ids": batch["input_ids"], "attention_mask": mask}
    if side == "left":
        inputs["position_ids"] = (mask.cumsum(1) - 1).clamp(min=0)
    with torch.no_grad():
        hidden = network(**inputs, output_hidden_states=True).hidden_states
    every, ids = torch.stack(hidden).double().numpy(), batch["input_ids"].numpy()
    real = mask.numpy().astype(bool)
    return [(ids[row][kept], every[:, row, kept]) for row, kept in enumerate(real)]


def of_kinds(
    encoder: TransformerEncoder, sentences: Sequence[str], kinds: Sequence[str] | None
) -> np.ndarray:
    """Return our vectors of some kinds in the order of the sentences, shape (K, N, D)."""
    blocks = list(encoder.encode_blocks(sentences, kinds=kinds))
    order = np.argsort(np.concatenate([block.rows for block in blocks]))
    return np.concatenate([block.vectors for block in blocks], axis=1)[:, order]
