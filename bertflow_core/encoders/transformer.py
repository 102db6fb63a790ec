"""A frozen Hugging Face encoder: one forward pass gives any layers with any token poolings."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.arguments import checked
from bertflow_core.encoders.catalog import resolve_model
from bertflow_core.encoders.fast_pass import HiddenStates, use_onednn
from bertflow_core.encoders.layers import LayerSet
from bertflow_core.encoders.left_out import FIRST_TOKEN, check_left_out, leave_out_mlps
from bertflow_core.encoders.loading import (
    check_finite,
    check_tokens,
    load_network,
    load_tokenizer,
    model_faults,
)
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.pooling import POOLINGS, USUAL_POOLINGS, TokenPooling, pool_tokens
from bertflow_core.encoders.running import (
    Block,
    check_sentences,
    portions,
    run_in_groups,
    to_device,
    to_host,
)
from bertflow_core.encoders.template import check_template, cut_sentence, filled
from bertflow_core.errors import InputError
from bertflow_core.runtime.device import DTYPES, resolve_device
from bertflow_core.runtime.files import digest_of
from bertflow_core.runtime.shipped import version_of
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

PASS_VERSION = 1
"""Increased whenever the numbers of a forward pass change, so that stored vectors never mix."""

_BLOCK_BYTES = 16 << 20
"""Largest size of a block's vectors, so that little work is lost when the process is killed."""

_LOADED = ("_tokenizer", "network", "_hidden_states", "_library")


@checked
class TransformerEncoder:
    """A frozen encoder: weights fixed, dropout off, inference mode.

    Sentences run in groups of equal token length, so nothing is padded or masked. A sentence's
    vector does not depend on its batch beyond float error. On the CPU each core has one Python
    thread with one torch thread, which is faster than one group on all cores.

    Nothing is loaded before the first sentence is encoded.

    Args:
        model: The folder from `resolve_model`, or a name of the catalogue, a local folder or a hub
            id.
        max_length: Longest input in tokens, special tokens included; the paper's is 64. Longer
            input is cut and reported.
        device: `cpu`, `cuda`, `cuda:N` or `mps`; None chooses the best of this machine.
        dtype: Precision of the arithmetic: `float32`, `bfloat16` or `float16`. A processor with
            instructions for `bfloat16` runs it faster than `float32`; for the embedded model, the
            cosine between the two is above 0.9999.
        batch_tokens: Largest number of tokens in a group; None chooses it for the device.
        template: Text with `{text}` in place of the sentence. If the text is too long, the sentence
            is cut and the template stays whole.
        without: What is left out, to see its effect (see `left_out`); None leaves out nothing.

    Raises:
        InputError: A model without layers, or an option outside the model's range.

    Example:
        >>> from bertflow_core import TransformerEncoder
        >>> block = TransformerEncoder("minilm").encode(["A dog runs.", "Rain falls."])
        >>> block.vectors.shape  # layers 0 to 6, four token poolings, sentences, features
        (7, 4, 2, 384)
    """

    prompt = ""
    without: str | None = None

    def __init__(
        self,
        model: ModelFolder | Path | str,
        *,
        max_length: int = 64,
        device: str | None = None,
        dtype: str = "float32",
        batch_tokens: int | None = None,
        template: str | None = None,
        without: str | None = None,
    ) -> None:
        if not isinstance(model, ModelFolder):
            model = resolve_model(str(model))
        if model.n_layers == 0:
            raise InputError(
                f"{model} has word embeddings and no transformer: choose the layer set 'model'"
            )
        longest = model.max_positions or 1 << 20
        if not 3 <= max_length <= longest:
            raise InputError(
                f"max_length must be from 3 to {longest} tokens for {model}, got {max_length}"
            )
        self._open(model, device, dtype, batch_tokens, template)
        if without is not None:
            check_left_out(without, model.n_layers)
        self.without = without
        self.max_length = max_length
        self.dim = model.dim
        self._kinds: dict[str, tuple[int, str]] = {
            f"layer.{layer}.{pooling}": (layer, pooling)
            for layer in range(self.n_layers + 1)
            for pooling in POOLINGS
        }
        self.tensors: tuple[str, ...] = tuple(
            kind for kind, (_, pooling) in self._kinds.items() if pooling in USUAL_POOLINGS
        )
        self._shape: tuple[int, ...] = (self.n_layers + 1, len(USUAL_POOLINGS))

    def _open(
        self,
        model: ModelFolder,
        device: str | None,
        dtype: str,
        batch_tokens: int | None,
        template: str | None,
    ) -> None:
        if template is not None:
            check_template(template)
        if batch_tokens is not None and batch_tokens < 1:
            raise InputError(f"batch size must be at least 1, got {batch_tokens}")
        if dtype not in DTYPES:
            raise InputError(f"unknown dtype {quoted(dtype)}: expected one of {', '.join(DTYPES)}")
        self.model = model
        self.dtype = dtype
        self.template = template
        self.n_layers = model.n_layers
        self._device_name, self._batch_tokens = device, batch_tokens

    def take_network(self, other: "TransformerEncoder") -> None:
        """Take over what another encoder has loaded, if both load the same."""
        if self._loads == other._loads:
            vars(self).update({k: v for k, v in vars(other).items() if k in _LOADED})

    @property
    def _loads(self) -> tuple[Hashable, ...]:
        """What determines the loaded network and tokenizer."""
        return self.model, self.dtype, self._device_name, self.without

    @property
    def description(self) -> dict[str, Any]:
        """What determines the vectors, as values for JSON."""
        return {
            "model": self.model.name,
            "revision": self.model.revision,
            "digest": self.model.digest,
            **self._choices,
            **({} if self.template is None else {"template": self.template}),
            **({} if self.without is None else {"without": self.without}),
            "dtype": self.dtype,
            # Half precision rounds differently on each kind of device.
            **({} if self.dtype == "float32" else {"device": self.device.type}),
            "pass_version": PASS_VERSION,
            **{name: version_of(name) for name in ("torch", "transformers")},
        }

    @property
    def _choices(self) -> dict[str, Any]:
        return {"n_layers": self.n_layers, "dim": self.dim, "max_length": self.max_length}

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what determines the vectors; it does not depend on the model's name."""
        names = ("model", "revision")
        return digest_of({k: v for k, v in self.description.items() if k not in names})

    @cached_property
    def added_tokens(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The special tokens that the model reads before and after every text.

        Gemma's tokenizer adds `<bos>`, BERT's adds `[CLS]` and `[SEP]`, and GPT-2's adds none.
        """
        with model_faults(self.model, "split these sentences into tokens"):
            (encoding,) = self._tokenizer(["a"]).encodings
        mask, tokens = encoding.special_tokens_mask, encoding.tokens
        content = [place for place, is_special in enumerate(mask) if not is_special]
        first, last = (content[0], content[-1]) if content else (len(mask), len(mask))
        start = int(self.without == FIRST_TOKEN)
        if first < start:
            raise InputError(
                f"the tokenizer of {self.model} adds no token before a text, so that there is none "
                f"to leave out: choose another part than {FIRST_TOKEN}"
            )
        return tuple(tokens[start:first]), tuple(tokens[last + 1 :])

    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]:
        """Return the names of the vectors to average for a layer set and a token pooling.

        Raises:
            InputError: An unknown layer set or pooling, or no first token to leave out.
        """
        if self.without == FIRST_TOKEN:
            _ = self.added_tokens
        pooling = TokenPooling.parse(tokens)
        indices = LayerSet(layers).indices(self.n_layers, str(self.model))
        return tuple(f"layer.{k}.{pooling}" for k in indices)

    def encode(self, sentences: Sequence[str]) -> Block:
        """Encode sentences into one block of all kinds of vectors, in the order of the sentences.

        Returns:
            Vectors of shape (L + 1, 4, N, D), by layer (0 is the embedding output) and token
            pooling (mean, cls, max, last).

        Raises:
            InputError: A sentence without text, or a model that cannot be loaded as an encoder.
        """
        check_sentences(sentences)
        n = len(sentences)
        vectors = np.empty((len(self.tensors), n, self.dim), np.float32)
        n_tokens, cut = np.empty(n, np.int32), np.empty(n, bool)
        for block in self.encode_blocks(sentences):
            vectors[:, block.rows] = block.vectors
            n_tokens[block.rows], cut[block.rows] = block.n_tokens, block.cut
        return Block(np.arange(n), vectors.reshape(*self._shape, n, self.dim), n_tokens, cut)

    def encode_blocks(
        self, sentences: Sequence[str], *, kinds: Sequence[str] | None = None
    ) -> Iterator[Block]:
        """Encode sentences and yield finished blocks, longest sentences last.

        A block has at most 16 MB, and on the CPU at most 1,024 sentences. Layers above the deepest
        of `kinds` are not computed.

        Args:
            sentences: N texts.
            kinds: Names from `chosen`; None takes all of `tensors`.
        """
        wanted = [self._kinds[kind] for kind in (self.tensors if kinds is None else kinds)]
        tokens, cut = self.tokenize(sentences)
        n_tokens = np.array([len(ids) for ids in tokens], np.int32)
        if not n_tokens.all():
            raise InputError(
                f"sentence {int(np.argmin(n_tokens)) + 1} has no tokens: every sentence needs text"
            )
        n_added = (0, 0)
        if any(pooling == TokenPooling.MEAN_CONTENT for _, pooling in wanted):
            before, after = self.added_tokens
            n_added = len(before), len(after)
            if n_tokens.min(initial=1 << 30) <= sum(n_added):
                shortest = quoted(sentences[int(np.argmin(n_tokens))])
                raise InputError(
                    f"{shortest} has only special tokens, which mean-content leaves out: remove "
                    "the sentence, or choose the token pooling mean"
                )
        _ = self._hidden_states  # loaded here, by one thread
        yield from run_in_groups(
            n_tokens,
            cut,
            max(32, _BLOCK_BYTES // (4 * self.dim * len(wanted))),
            lambda rows: np.array([tokens[row] for row in rows]),
            partial(self._vectors, wanted, n_added),
            device=self.device,
            batch_tokens=self._batch_tokens,
        )

    def _longest(self) -> int:
        most = self._tokenizer.model_max_length
        if self.max_length > most:
            raise InputError(
                f"max_length must be at most {most} tokens for {self.model}, got {self.max_length}"
            )
        return self.max_length

    def tokenize(self, sentences: Sequence[str]) -> tuple[list[list[int]], np.ndarray]:
        """Return token ids, cut to the longest input, and which sentences were cut, shape (N,)."""
        tokens: list[list[int]] = []
        cut: list[bool] = []
        longest = self._longest()
        for portion in portions(sentences):
            with model_faults(self.model, "split these sentences into tokens"):
                if self.template is None:
                    texts = [self.prompt + sentence for sentence in portion]
                    batch = self._tokenizer(texts, truncation=True, max_length=longest)
                    tokens.extend(batch["input_ids"])
                    cut.extend(bool(encoding.overflowing) for encoding in batch.encodings)
                    continue
                texts = [filled(self.template, sentence) for sentence in portion]
                whole = self._tokenizer(texts, verbose=False).encodings
                is_long = [len(encoding) > longest for encoding in whole]
                tokens.extend(
                    cut_sentence(encoding, self.template, len(sentence), longest)
                    if long
                    else encoding.ids
                    for encoding, sentence, long in zip(whole, portion, is_long, strict=True)
                )
                cut.extend(is_long)
        if self.without == FIRST_TOKEN:
            tokens = [ids[1:] for ids in tokens]
        return tokens, np.array(cut, bool)

    def _vectors(
        self, wanted: Sequence[tuple[int, str]], n_added: tuple[int, int], ids: np.ndarray
    ) -> np.ndarray:
        """Return vectors (K, n, D), float32, of equally long sentences, from one pass."""
        import torch

        layers = [layer for layer, _ in wanted]
        with torch.inference_mode(), model_faults(self.model, "encode these sentences"):
            check_tokens(ids.max(), self._vocabulary_size, self.model)
            input_ids = to_device(torch.from_numpy(ids), self.device)
            hidden = self._hidden_states.of(input_ids, min(layers), max(layers))
            pooled = [pool_tokens(hidden[layer], pooling, n_added) for layer, pooling in wanted]
            found = self.finished(to_host(torch.stack(pooled)))
        check_finite(found, self.model)
        return found

    def finished(self, x: np.ndarray) -> np.ndarray:
        """Return pooled vectors, shape (..., D), unchanged."""
        return x

    @cached_property
    def _tokenizer(self) -> Any:  # noqa: ANN401 - transformers has no common typed base
        return load_tokenizer(self.model)  # not shared by threads

    @cached_property
    def device(self) -> "torch.device":
        """The device that the network runs on."""
        return resolve_device(self._device_name)

    @cached_property
    def network(self) -> "PreTrainedModel":
        """The frozen network, loaded on first use."""
        loaded: Any = load_network(self.model, self.dtype)  # its `to` is untyped
        frozen: PreTrainedModel = loaded.to(self.device)
        use_onednn(frozen)
        if self.without is not None:
            leave_out_mlps(frozen, self.n_layers, self.without)
        return frozen

    @cached_property
    def _hidden_states(self) -> HiddenStates:
        with model_faults(self.model, "encode these sentences"):
            return HiddenStates(self.network, self.n_layers)

    @cached_property
    def _vocabulary_size(self) -> int:
        embeddings: Any = self.network.get_input_embeddings()
        return int(embeddings.weight.shape[0])
