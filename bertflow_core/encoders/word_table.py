"""The input word-embedding table of an encoder, with the token and word of each row.

The table is read from the model's safetensors and its tokenizer, so that no network is built.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bertflow_core.encoders.loading import check_finite, whole_text_tokenizer
from bertflow_core.encoders.model_folder import ModelFolder, weights_files
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Mask = npt.NDArray[np.bool_]

# The endings of the tensor's name: BERT and its kin, ModernBERT, decoders' and T5's word for it.
_TABLES = ("word_embeddings.weight", "tok_embeddings.weight", "embed_tokens.weight")
_LAYER_NORMS = ("LayerNorm", "layer_norm", "norm")
_SPECIAL = re.compile(  # whether or not the tokenizer declares them
    r"\[(PAD|UNK|CLS|SEP|MASK|unused\d+)\]|</?s>|<(pad|unk|mask|unused\d+)>|madeupword\d+"
)
_WORD_STARTS = ("Ġ", "▁")  # of byte-level BPE and of SentencePiece
_MAX_VALUES = 1 << 30


@dataclass(frozen=True)
class WordTable:
    """Every row of the table: its vector before LayerNorm, its token, and what kind that is.

    Attributes:
        model: The folder it was read from.
        tensor: The tensor's name in the safetensors file.
        x: The vectors as they are stored, float32, shape (V, D).
        tokens: Each row's token as the vocabulary writes it; empty where a row has none.
        words: The same without the mark of a piece or of a word's start.
        special: Rows of special and unused tokens, and rows without a token, shape (V,).
        piece: Rows of tokens that go on within a word, such as `##ing`, shape (V,).
        scale: Weight of the LayerNorm that follows, shape (D,); None where the model has none.
        shift: Its bias, shape (D,); None likewise.
    """

    model: ModelFolder
    tensor: str
    x: FloatArray = field(repr=False)
    tokens: tuple[str, ...] = field(repr=False)
    words: tuple[str, ...] = field(repr=False)
    special: Mask = field(repr=False)
    piece: Mask = field(repr=False)
    scale: FloatArray | None = field(repr=False, default=None)
    shift: FloatArray | None = field(repr=False, default=None)

    @property
    def whole(self) -> Mask:
        """Rows of tokens that are whole words, shape (V,)."""
        return ~(self.special | self.piece)

    def after_layer_norm(self, eps: float = 1e-12) -> FloatArray:
        """Return the vectors after the LayerNorm, without position and type, shape (V, D)."""
        if self.scale is None or self.shift is None:
            raise InputError(
                f"model {quoted(self.model.name)} has no LayerNorm beside its word embeddings: "
                "take the raw table"
            )
        x = np.asarray(self.x, np.float64)
        centred = x - x.mean(axis=1, keepdims=True)
        deviation = np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + eps)
        normed: FloatArray = (centred / deviation * self.scale + self.shift).astype(np.float32)
        return normed


def read_word_table(model: ModelFolder) -> WordTable:
    """Read the input word embeddings of a model.

    Args:
        model: Its folder, from `resolve_model`.
    """
    tensors = _tensors(model)
    names = [name for name in tensors if name.endswith(_TABLES)]
    if len(names) != 1:
        raise InputError(
            f"model {quoted(model.name)} has {len(names)} tensors that look like word embeddings: "
            f"expected one whose name ends in {', '.join(_TABLES)}"
        )
    x = _read(model, tensors[names[0]], names[0])
    if x.ndim != 2:
        raise InputError(f"the word embeddings of model {quoted(model.name)} have shape {x.shape}")
    check_finite(x, model)
    tokens, words, special, piece = _vocabulary(model, len(x))
    scale, shift = (_layer_norm(model, tensors, names[0], kind) for kind in ("weight", "bias"))
    return WordTable(model, names[0], x, tokens, words, special, piece, scale, shift)


def _tensors(model: ModelFolder) -> dict[str, Path]:
    """Return the file of each tensor of the folder."""
    from safetensors import SafetensorError, safe_open

    files = {}
    for file in weights_files(model.name, model.path):
        try:
            with safe_open(file, "pt") as opened:
                files.update(dict.fromkeys(opened.keys(), file))
        except (SafetensorError, OSError) as error:
            raise InputError(
                f"{file.name} of model {quoted(model.name)} is damaged ({reason(error)})"
            ) from error
    return files


def _read(model: ModelFolder, file: Path, name: str) -> FloatArray:
    """Return a tensor of any precision as float32."""
    from safetensors import safe_open

    with safe_open(file, "pt") as opened:
        shape = opened.get_slice(name).get_shape()
        if int(np.prod(shape, dtype=np.float64)) > _MAX_VALUES:
            raise InputError(f"{name} of model {quoted(model.name)} has shape {shape}: too large")
        tensor: FloatArray = opened.get_tensor(name).float().numpy()
    return tensor


def _layer_norm(
    model: ModelFolder, tensors: dict[str, Path], table: str, kind: str
) -> FloatArray | None:
    """Return the LayerNorm's weight or bias that lies beside the table, if one does."""
    beside = table.rpartition(".")[0].rpartition(".")[0]
    names = [f"{beside}.{name}.{kind}".lstrip(".") for name in _LAYER_NORMS]
    name = next((name for name in names if name in tensors), None)
    return None if name is None else _read(model, tensors[name], name)


def _vocabulary(
    model: ModelFolder, n_rows: int
) -> tuple[tuple[str, ...], tuple[str, ...], Mask, Mask]:
    """Return each row's token and word, and whether it is special and whether a piece."""
    tokenizer = whole_text_tokenizer(model)
    ids = {i: token for token, i in tokenizer.get_vocab(with_added_tokens=True).items()}
    if max(ids, default=-1) >= n_rows:
        raise InputError(
            f"the tokenizer of model {quoted(model.name)} has tokens that its weights have no "
            f"vectors for ({n_rows} vectors): save both again together"
        )
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
    """Return what marks a piece, and what marks a word's start; one of the two is empty."""
    if kind.get("type") == "WordPiece":
        return str(kind.get("continuing_subword_prefix") or "##"), ""
    counts = {mark: sum(token.startswith(mark) for token in tokens) for mark in _WORD_STARTS}
    mark = max(counts, key=lambda each: counts[each])
    return "", mark if counts[mark] else ""


def _word(tokenizer: "Tokenizer", token: str, prefix: str, start: str) -> str:
    if start == "Ġ" and tokenizer.decoder is not None:  # bytes stand as other letters there
        return str(tokenizer.decoder.decode([token])).strip()
    return token.removeprefix(prefix or start)
