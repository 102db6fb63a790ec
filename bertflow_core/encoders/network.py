"""A transformer that is never trained: loaded at first use, run in groups of equal length."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from numbers import Integral
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.device import DTYPES, resolve_device
from bertflow_core.encoders.block import Block
from bertflow_core.encoders.forward import EarlyExit, forward, use_onednn
from bertflow_core.encoders.loading import load_network, load_tokenizer, model_faults
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.running import portions, run_in_groups, to_device, to_host
from bertflow_core.errors import InputError, check_type
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

PASS_VERSION = 1
"""Raised whenever the numbers of a forward pass change, so that stored ones are not mixed in."""

BLOCK_BYTES = 16 << 20
"""Most that the vectors of a block take."""


class Network:
    """A model's tokenizer and network: weights frozen, dropout off, inference mode.

    Args:
        model: The model's folder.
        device: As `TransformerEncoder`.
        dtype: As `TransformerEncoder`.
        batch_tokens: As `TransformerEncoder`.
    """

    def __init__(
        self, model: ModelFolder, device: str | None, dtype: str, batch_tokens: int | None
    ) -> None:
        check_type(device, (str, NoneType), "device", "a name such as cpu, or None")
        check_type(batch_tokens, (Integral, NoneType), "batch_tokens", "a whole number, or None")
        if batch_tokens is not None and batch_tokens < 1:
            raise InputError(f"batch size must be at least 1, got {batch_tokens}")
        if dtype not in DTYPES:
            raise InputError(f"unknown dtype {quoted(dtype)}: expected one of {', '.join(DTYPES)}")
        self.model = model
        self._device_name = device
        self._dtype = dtype
        self._batch_tokens = batch_tokens

    def blocks(
        self,
        sentences: Sequence[str],
        vectors: "Callable[[torch.Tensor], torch.Tensor]",
        *,
        n_values: int,
        max_length: int,
        prompt: str = "",
    ) -> Iterator[Block]:
        """Yield finished blocks of sentences, longest sentences last.

        A block has at most 16 MB, on the CPU at most 1,024 sentences.

        Args:
            sentences: N texts, checked.
            vectors: Makes vectors (K, n, D), float32, of token ids (n, T) of equally long
                sentences; runs in several threads.
            n_values: Numbers of each sentence, K x D.
            max_length: Longest input in tokens.
            prompt: Put before each sentence.
        """
        tokens, cut = self._tokenize(sentences, max_length, prompt)
        n_tokens = np.array([len(ids) for ids in tokens], np.int32)
        if not n_tokens.all():
            raise InputError(
                f"sentence {int(np.argmin(n_tokens)) + 1} has no tokens: every sentence needs text"
            )
        _ = self._vocabulary_size  # loaded here, by one thread
        yield from run_in_groups(
            n_tokens,
            cut,
            max(32, BLOCK_BYTES // (4 * n_values)),
            lambda rows: np.array([tokens[row] for row in rows]),
            partial(self._vectors_of_group, vectors),
            device=self._device,
            batch_tokens=self._batch_tokens,
        )

    def last_layer(self, input_ids: "torch.Tensor") -> "torch.Tensor":
        """Return the last layer's token vectors, (n, T, D), of token ids (n, T)."""
        last: torch.Tensor = forward(self._network, input_ids).last_hidden_state
        return last

    @cached_property
    def layers(self) -> EarlyExit:
        """The hidden states of the network."""
        with model_faults(self.model, "encode these sentences"):
            return EarlyExit(self._network, self.model.n_layers)

    @cached_property
    def tokenizer(self) -> Any:  # noqa: ANN401 - transformers has no common typed base
        """The tokenizer, which one thread at a time may use."""
        return load_tokenizer(self.model)

    @cached_property
    def _device(self) -> "torch.device":
        return resolve_device(self._device_name)

    @cached_property
    def _network(self) -> "PreTrainedModel":
        loaded: Any = load_network(self.model, self._dtype)  # whose `to` is untyped
        frozen: PreTrainedModel = loaded.to(self._device)
        use_onednn(frozen)
        return frozen

    @cached_property
    def _vocabulary_size(self) -> int:
        embeddings: Any = self._network.get_input_embeddings()
        return int(embeddings.weight.shape[0])

    def _tokenize(
        self, sentences: Sequence[str], max_length: int, prompt: str
    ) -> tuple[list[list[int]], np.ndarray]:
        """Return token ids, cut to the maximum length, and which sentences were cut, shape (N,)."""
        tokens: list[list[int]] = []
        cut: list[bool] = []
        for portion in portions(sentences):
            texts = [prompt + sentence for sentence in portion]
            with model_faults(self.model, "divide these sentences into tokens"):
                batch = self.tokenizer(texts, truncation=True, max_length=max_length)
                tokens.extend(batch["input_ids"])
                cut.extend(bool(encoding.overflowing) for encoding in batch.encodings)
        return tokens, np.array(cut, bool)

    def _vectors_of_group(
        self, vectors: "Callable[[torch.Tensor], torch.Tensor]", ids: np.ndarray
    ) -> np.ndarray:
        import torch

        with torch.inference_mode(), model_faults(self.model, "encode these sentences"):
            if ids.max() >= self._vocabulary_size:  # which would stop a GPU for good
                raise InputError(
                    f"the tokenizer of model {quoted(self.model.name)} has tokens that its weights "
                    f"have no vectors for ({self._vocabulary_size} vectors): save both again "
                    "together"
                )
            found = to_host(vectors(to_device(torch.from_numpy(ids), self._device)))
        check_finite(found, self.model)
        return found


def check_finite(vectors: np.ndarray, model: ModelFolder) -> None:
    """Refuse vectors of any shape that hold NaN or infinity."""
    if not np.isfinite(vectors).all():
        raise InputError(
            f"model {quoted(model.name)} gives vectors that are not finite: its weights are "
            "damaged, or its numbers are too large for float16 (take another precision)"
        )
