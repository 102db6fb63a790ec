"""What encoders take, sentences with text, and what they give: vectors of some of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bertflow_core.errors import InputError, check_list, check_type
from bertflow_core.files import MAX_SENTENCE


@dataclass(frozen=True)
class Block:
    """Some sentences' vectors from one forward pass.

    Attributes:
        rows: Positions of the sentences in the list that was encoded, shape (n,).
        vectors: Float32, shape (..., n, D): the kinds of vectors in the order in which they were
            asked for, by default that of the encoder's `tensors`.
        n_tokens: Tokens of each sentence after cutting, shape (n,).
        cut: Whether a sentence was longer than the maximum length, shape (n,).
    """

    rows: np.ndarray
    vectors: np.ndarray
    n_tokens: np.ndarray
    cut: np.ndarray

    def named(self, kinds: Sequence[str]) -> dict[str, np.ndarray]:
        """Return each kind of vectors, shape (n, D), by its name."""
        vectors = self.vectors.reshape(-1, *self.vectors.shape[-2:])
        return dict(zip(kinds, vectors, strict=True))


def whole_block(shape: tuple[int, ...], blocks: Iterable[Block]) -> Block:
    """Join blocks in the sentences' own order; `shape` is that of no vectors, (..., 0, D)."""
    nothing = np.empty(0, np.int32)
    parts = [Block(nothing, np.empty(shape, np.float32), nothing, nothing > 0), *blocks]
    rows = np.concatenate([np.asarray(part.rows) for part in parts])
    order = np.argsort(rows)
    return Block(
        rows[order],
        np.concatenate([part.vectors for part in parts], axis=-2)[..., order, :],
        np.concatenate([part.n_tokens for part in parts])[order],
        np.concatenate([part.cut for part in parts])[order],
    )


def check_sentences(sentences: Sequence[str]) -> None:
    """Refuse what no tokenizer should read: a blank, far too long or half a surrogate pair."""
    check_list(sentences, "sentences")
    for number, sentence in enumerate(sentences, start=1):
        check_type(sentence, str, f"sentence {number}", "text")
        if not sentence.strip():
            raise InputError(f"sentence {number} is blank: every sentence needs text")
        if len(sentence) > MAX_SENTENCE:
            raise InputError(
                f"sentence {number} has {len(sentence):,} characters: expected at most "
                f"{MAX_SENTENCE:,}, divide it"
            )
        try:
            sentence.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(
                f"sentence {number} holds {sentence[error.start]!a}, half a surrogate pair and no "
                "character: read its file as UTF-8 again"
            ) from None
