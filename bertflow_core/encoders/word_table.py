"""The input word-embedding table of an encoder, with the token and word of each row.

The table is read from the safetensors file and the tokenizer; no network is built.
"""

import json
import re
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bertflow_core.arrays.types import FloatArray
from bertflow_core.encoders.loading import (
    check_finite,
    check_tokens,
    model_faults,
    whole_text_tokenizer,
)
from bertflow_core.encoders.model_folder import ModelFolder, weights_files
from bertflow_core.errors import InputError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Mask = npt.NDArray[np.bool_]

# Suffixes of the tensor's name in BERT and its kin, ModernBERT, decoders and T5.
_TABLES = ("word_embeddings.weight", "tok_embeddings.weight", "embed_tokens.weight")
_NORMS = ("LayerNorm", "layer_norm", "norm")
_SPECIAL = re.compile(  # counted as special even if the tokenizer does not declare them
    r"\[(PAD|UNK|CLS|SEP|MASK|unused\d+)\]|</?s>|<(pad|unk|mask|unused\d+)>|madeupword\d+"
)
_WORD_STARTS = ("Ġ", "▁")  # in byte-level BPE and SentencePiece


@dataclass(frozen=True)
class WordTable:
    """The word-embedding table: each row's vector before LayerNorm, its token and its kind."""

    model: ModelFolder
    tensor: str  # its name in the safetensors file
    x: FloatArray = field(repr=False)  # as stored, float32, shape (V, D)
    tokens: tuple[str, ...] = field(repr=False)  # as in the vocabulary; empty for a row without one
    words: tuple[str, ...] = field(repr=False)  # tokens without word-piece marks
    special: Mask = field(repr=False)  # special or unused token, or no token, shape (V,)
    piece: Mask = field(repr=False)  # continues a word, such as `##ing`, shape (V,)
    scale: FloatArray | None = field(repr=False, default=None)  # of the LayerNorm, shape (D,)
    shift: FloatArray | None = field(repr=False, default=None)

    @property
    def whole(self) -> Mask:
        """Rows of tokens that are whole words, shape (V,)."""
        return ~(self.special | self.piece)

    def after_layer_norm(self) -> FloatArray:
        """Return the vectors after LayerNorm, without position and type embeddings, (V, D)."""
        if self.scale is None or self.shift is None:
            raise InputError(
                f"{self.model} has no LayerNorm after its word embeddings: choose the raw table"
            )
        x = np.asarray(self.x, np.float64)
        centred = x - x.mean(axis=1, keepdims=True)
        deviation = np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + 1e-12)
        normed: FloatArray = (centred / deviation * self.scale + self.shift).astype(np.float32)
        return normed


def read_word_table(model: ModelFolder) -> WordTable:
    """Read the input word embeddings of a model, and their LayerNorm if there is one."""
    from safetensors import safe_open

    with ExitStack() as stack, model_faults(model, "show its word embeddings"):
        tensors: dict[str, Any] = {}
        for file in weights_files(model):
            opened = stack.enter_context(safe_open(file, "pt"))
            tensors.update(dict.fromkeys(opened.keys(), opened))
        names = [name for name in tensors if name.endswith(_TABLES)]
        if len(names) != 1 or len(tensors[names[0]].get_slice(names[0]).get_shape()) != 2:
            raise InputError(
                f"{model} has {len(names)} tensors that look like word embeddings: expected one "
                f"whose name ends in {', '.join(_TABLES)}"
            )
        beside = names[0].rpartition(".")[0].rpartition(".")[0]
        norms = [[f"{beside}.{n}.{k}".lstrip(".") for k in ("weight", "bias")] for n in _NORMS]
        norm = next((norm for norm in norms if all(name in tensors for name in norm)), [])
        read = [tensors[name].get_tensor(name).float().numpy() for name in (*names, *norm)]
    x, scale, shift = (*read, None, None)[:3]
    check_finite(x, model)
    return WordTable(model, names[0], x, *_vocabulary(model, len(x)), scale, shift)


def _vocabulary(
    model: ModelFolder, n_rows: int
) -> tuple[tuple[str, ...], tuple[str, ...], Mask, Mask]:
    """Return each row's token and word, whether it is special, and whether it continues a word."""
    tokenizer = whole_text_tokenizer(model)
    ids = {i: token for token, i in tokenizer.get_vocab(with_added_tokens=True).items()}
    check_tokens(max(ids, default=-1), n_rows, model)
    added = tokenizer.get_added_tokens_decoder()
    marked = {i for i, token in added.items() if token.special}
    tokens = tuple(ids.get(i, "") for i in range(n_rows))
    special = [i in marked or not t or bool(_SPECIAL.fullmatch(t)) for i, t in enumerate(tokens)]
    prefix, starts = _marks(json.loads(tokenizer.to_str())["model"], tokens)
    words, piece = [], []
    for token, is_special in zip(tokens, special, strict=True):
        goes_on = token.startswith(prefix) if prefix else not token.startswith(starts)
        piece.append(bool(starts or prefix) and goes_on and not is_special and token != prefix)
        words.append(_word(tokenizer, token, prefix, starts))
    return tokens, tuple(words), np.array(special, bool), np.array(piece, bool)


def _marks(kind: dict[str, Any], tokens: tuple[str, ...]) -> tuple[str, str]:
    """Return the prefix of a continuation, such as ##, and the mark of a word's start, such as Ġ.

    At least one of the two is empty.
    """
    if kind.get("type") == "WordPiece":
        return str(kind.get("continuing_subword_prefix") or "##"), ""
    counts = {mark: sum(token.startswith(mark) for token in tokens) for mark in _WORD_STARTS}
    mark = max(counts, key=lambda each: counts[each])
    return "", mark if counts[mark] else ""


def _word(tokenizer: "Tokenizer", token: str, prefix: str, start: str) -> str:
    if start == "Ġ" and tokenizer.decoder is not None:  # a byte-level token, to be decoded
        return str(tokenizer.decoder.decode([token])).strip()
    return token.removeprefix(prefix or start)
