"""What is asked of a store: some kinds of vectors of some sentences, from an encoder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

from bertflow_core.encoders.block import Block, check_sentences
from bertflow_core.errors import InputError, wrong_type
from bertflow_core.store.blocks import sentence_key
from bertflow_core.wording import size_text

__all__ = ["Encoder", "Request", "check_encoder", "request_of"]

_WORTH_SAYING = 1_000_000


class Encoder(Protocol):
    """What a store needs of an encoder; `TransformerEncoder` is one.

    Example:
        >>> from bertflow_core import TransformerEncoder
        >>> from bertflow_core.store import Encoder
        >>> encoder: Encoder = TransformerEncoder("minilm")
        >>> encoder.dim, encoder.chosen("last2", "mean")
        (384, ('layer.5.mean', 'layer.6.mean'))
    """

    @property
    def tensors(self) -> tuple[str, ...]: ...  # noqa: D102
    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def dim(self) -> int: ...  # noqa: D102
    @property
    def fingerprint(self) -> str: ...  # noqa: D102
    @property
    def description(self) -> dict[str, Any]: ...  # noqa: D102
    def encode_blocks(  # noqa: D102
        self,
        sentences: Sequence[str],
        *,
        kinds: Sequence[str] | None = None,
    ) -> Iterator[Block]: ...


def check_encoder(encoder: object) -> None:
    """Refuse what gives no vectors of sentences.

    Raises:
        InputError: It is no encoder.
    """
    if not hasattr(encoder, "encode_blocks"):
        raise wrong_type(encoder, "an encoder", "a TransformerEncoder or the like")


@dataclass(frozen=True)
class Request:
    """Kinds of vectors of some sentences; a kind is a layer under a token pooling.

    Attributes:
        encoder: Where vectors come from.
        texts: The distinct sentences, by `sentence_key`.
        kinds: Those whose mean is asked for.
        ahead: They and those that will be asked for.
    """

    encoder: Encoder
    texts: dict[bytes, str]
    kinds: tuple[str, ...]
    ahead: tuple[str, ...]

    def n_bytes(self, n_sentences: int, kinds: Sequence[str]) -> int:
        """Return what vectors of these kinds take."""
        return 4 * self.encoder.dim * len(kinds) * n_sentences

    def disk_use(self, n_sentences: int, kinds: Sequence[str]) -> str:
        """Say what vectors of these kinds take; nothing where it is less than 1 MB."""
        n_bytes = self.n_bytes(n_sentences, kinds)
        return f"{size_text(n_bytes)} of disk" if n_bytes >= _WORTH_SAYING else ""


def request_of(
    encoder: Encoder,
    sentences: Sequence[str],
    kinds: tuple[str, ...],
    *ahead: tuple[str, ...],
) -> Request:
    """Return a request that was checked.

    Args:
        encoder: Where vectors come from.
        sentences: N texts.
        kinds: Those that are asked for.
        ahead: Those that will be asked for.

    Raises:
        InputError: No sentences, or one that the encoder refuses.
    """
    check_sentences(sentences)
    if len(sentences) == 0:
        raise InputError("there are no sentences to embed: expected at least one")
    return Request(
        encoder=encoder,
        texts={sentence_key(sentence): sentence for sentence in sentences},
        kinds=kinds,
        ahead=tuple(dict.fromkeys(chain(kinds, *ahead))),
    )
