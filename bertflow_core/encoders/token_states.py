"""The hidden states and the attention of every token, in all layers of one pass."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.encoders.loading import check_finite, check_tokens, model_faults
from bertflow_core.encoders.running import check_sentences, equal_lengths
from bertflow_core.encoders.transformer import TransformerEncoder
from bertflow_core.runtime import context

_BLOCK_BYTES = 64 << 20
_MOST_TOKENS = 4_096  # attention needs the square of a sentence's length besides


@dataclass(frozen=True)
class TokenStates:
    """What n sentences of T tokens each have in all L layers of an encoder."""

    rows: np.ndarray  # positions of the sentences in the list that was encoded, shape (n,)
    states: FloatArray  # hidden states, float32, (L + 1, n, T, D); layer 0 is the embedding output
    sink: FloatArray | None  # attention on the first token, (L, n); None if it cannot be read


def token_states(
    encoder: TransformerEncoder, sentences: Sequence[str], tokens: Sequence[Sequence[int]]
) -> Iterator[TokenStates]:
    """Yield the states of sentences in groups of equal length, the shortest first.

    The attention on the first token is the mean over the heads and over the other tokens of a
    sentence: in a decoder the first token can attend to nothing but itself. A sentence of one token
    has the value NaN. Nothing is padded.

    Args:
        encoder: Its network computes attention step by step meanwhile ("eager"), which differs from
            the faster kernels only by rounding errors.
        sentences: N texts.
        tokens: The ids of each, from `encoder.tokenize`.
    """
    import torch

    check_sentences(sentences)
    n_tokens = np.array([len(ids) for ids in tokens])
    per_token = 4 * encoder.dim * (encoder.n_layers + 1)
    at_most = max(1, min(_MOST_TOKENS, _BLOCK_BYTES // per_token))
    order, done = np.argsort(n_tokens, kind="stable"), 0
    context.report(done, len(order), "sentences")
    with torch.inference_mode(), model_faults(encoder.model, "show its tokens"):
        network: Any = encoder.network
        n_vectors = network.get_input_embeddings().weight.shape[0]
        for rows in equal_lengths(n_tokens, order, at_most):
            ids = torch.tensor([tokens[row] for row in rows], device=encoder.device)
            check_tokens(int(ids.max()), n_vectors, encoder.model)
            with _eager(network):
                found = network(
                    input_ids=ids,
                    attention_mask=torch.ones_like(ids),
                    output_hidden_states=True,
                    output_attentions=True,
                    return_dict=True,
                )
            states = torch.stack(found.hidden_states).float().cpu().numpy()
            check_finite(states, encoder.model)
            yield TokenStates(rows, states, _sink(found.attentions, encoder.n_layers))
            done += len(rows)
            context.report(done, len(order), "sentences")


def _sink(attentions: Any, n_layers: int) -> FloatArray | None:  # noqa: ANN401 - of transformers
    """Average attention on the first token over heads and over the other tokens, (L, n)."""
    import torch

    if not attentions or len(attentions) != n_layers or attentions[0] is None:
        return None
    found: FloatArray = (
        torch.stack([each[:, :, 1:, 0].float().mean(dim=(1, 2)) for each in attentions])
        .cpu()
        .numpy()
    )
    return found


@contextmanager
def _eager(network: Any) -> Iterator[None]:  # noqa: ANN401 - its configuration is untyped
    """Let a network return its attention, which its faster kernels do not."""
    kernel = network.config._attn_implementation
    network.set_attn_implementation("eager")
    try:
        yield
    finally:
        network.set_attn_implementation(kernel)
