"""An encoder with the head that it was trained with: states at masked places, and the softmax."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bertflow_core.encoders.checks import check_finite, check_sentences
from bertflow_core.encoders.faults import model_faults
from bertflow_core.encoders.groups import equal_lengths
from bertflow_core.encoders.loading import load_network
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.tokenizer_file import read_tokenizer
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress, silent
from bertflow_core.wording import quoted

__all__ = ["MaskedLanguageEncoder"]

_MASKS = ("[MASK]", "<mask>")
_TOKENS_AT_ONCE = 2_048


class MaskedLanguageEncoder:
    """A frozen masked language model on the CPU, in float32.

    Its probabilities are p(x|c) = softmax(h_c . w_x + b_x), where h_c is what the softmax reads at
    the masked place: in BERT the last layer after one more dense layer and a LayerNorm.

    Args:
        model: The model's folder, from `resolve_model`.
        max_length: Longest input in tokens; what is longer is cut.

    Raises:
        InputError: The folder has no such head, no tokenizer or no token for a mask.
    """

    def __init__(self, model: ModelFolder, *, max_length: int = 64) -> None:
        self.model = model
        self._network, made_up = load_network(model, "AutoModelForMaskedLM")
        network: Any = self._network  # transformers has no common typed base
        self._softmax: Any = network.get_output_embeddings()
        if made_up or self._softmax is None:
            lacks = f" (it lacks {min(made_up)})" if made_up else ""
            raise InputError(
                f"model {quoted(model.name)} has no head that predicts masked words{lacks}: take "
                "one as it was pretrained, such as bert-base"
            )
        self._tokenizer = read_tokenizer(model)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(min(max_length, model.max_positions or max_length))
        masks = [self._tokenizer.token_to_id(mask) for mask in _MASKS]
        known = [mask for mask in masks if mask is not None]
        if not known:
            raise InputError(
                f"the tokenizer of model {quoted(model.name)} has none of the tokens "
                f"{', '.join(_MASKS)}: save it again"
            )
        self._mask = known[0]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The token of each row of the softmax; empty where a row has none."""
        found = [self._tokenizer.id_to_token(i) or "" for i in range(len(self.table))]
        return tuple(found)

    @cached_property
    def table(self) -> FloatArray:
        """The word vectors w of the softmax, shape (V, D)."""
        rows: FloatArray = self._softmax.weight.detach().numpy()
        return rows

    @cached_property
    def bias(self) -> FloatArray | None:
        """The bias b of the softmax, shape (V,); None where it has none."""
        found = self._softmax.bias
        return None if found is None else found.detach().numpy()

    def tokenize(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return the token ids of sentences, special tokens at both ends."""
        check_sentences(sentences)
        with model_faults(self.model, "divide these sentences into tokens"):
            return [each.ids for each in self._tokenizer.encode_batch(list(sentences))]

    def masked_states(
        self,
        rows: Sequence[Sequence[int]],
        places: npt.NDArray[np.int64],
        *,
        progress: Progress = silent,
    ) -> FloatArray:
        """Return what the softmax reads at one masked place of each row, shape (N, D).

        Args:
            rows: Token ids, N lists.
            places: The place of each that is masked, shape (N,).
            progress: Called with `(done, total, unit)`; may raise `Cancelled`.
        """
        import torch

        masked = [[*row] for row in rows]
        for row, place in zip(masked, places, strict=True):
            row[place] = self._mask
        n_tokens = np.array([len(row) for row in masked])
        order = np.argsort(n_tokens, kind="stable")
        states = np.empty((len(masked), self.table.shape[1]), np.float32)
        done = 0
        for chosen in equal_lengths(n_tokens, order, _TOKENS_AT_ONCE):
            with torch.inference_mode(), model_faults(self.model, "predict masked words"):
                h = self._read(torch.tensor([masked[row] for row in chosen]))
                at = torch.from_numpy(places[chosen])
                states[chosen] = h[torch.arange(len(h)), at].numpy()
            done += len(chosen)
            progress(done, len(masked), "masked words")
        check_finite(states, self.model)
        return states

    def _read(self, ids: Any) -> Any:  # noqa: ANN401 - tensors; torch is imported late
        """Return what the softmax reads, shape (N, T, D)."""
        read = []
        hook = self._softmax.register_forward_pre_hook(lambda _, given: read.append(given[0]))
        try:
            self._network(input_ids=ids)
        finally:
            hook.remove()
        return read[0]
