"""Embeddings on disk: content-addressed, memory-mapped, locked, checked and bounded.

A store is a folder with one subfolder per encoder (named by its fingerprint), which holds immutable
blocks of sentences. A block holds kinds of vectors, a kind being a layer under a token pooling: of
few sentences every kind, so that any layer set of them is read without a forward pass; of many only
what was asked for. What a killed run finished is there for the next one. A block that is damaged is
a miss: it is deleted with a warning and its sentences are embedded again.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from types import NoneType
from typing import Any, Protocol

import numpy as np
from filelock import FileLock, Timeout

from bertflow_core import context
from bertflow_core.blocks import Embeddings, Index, block_files, key_of, open_block, write_block
from bertflow_core.cache import cache_folder, cache_limit, delete, evict, mark_used, sweep_scratch
from bertflow_core.encoders.block import Block, check_sentences
from bertflow_core.errors import InputError, ResourceError, check_type, wrong_type
from bertflow_core.files import PATHS, atomic_write, read_file
from bertflow_core.linalg import Rows
from bertflow_core.wording import size_text

_DESCRIPTION = "encoder.json"
_MAX_DESCRIPTION = 1 << 20
_FOLDER = re.compile(r"[0-9a-f]{32}")
_ATTEMPTS = 3
_POLL_SECONDS = 0.5
_WORTH_SAYING = 1_000_000


class Encoder(Protocol):
    """What a store needs of an encoder; `TransformerEncoder` is one."""

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


@dataclass(frozen=True)
class StoreEntry:
    """What a store holds of one encoder: its description, counts, and time of last use."""

    fingerprint: str
    description: dict[str, Any]
    n_sentences: int
    n_bytes: int
    last_used: float


class EmbeddingStore:
    """Embeddings of sentences by encoders, computed once.

    Args:
        root: Folder of the store; None is `BERTFLOW_CACHE`, or the user's cache folder.
        limit_bytes: Size bound; least recently used blocks go first. None is `BERTFLOW_CACHE_GB`,
            or 20 GiB.
        whole_bytes: Most that the sentences of a request may take in every kind of vector to be
            stored in every kind, so that later layer sets need no pass of their own.
        half: Keep float16 numbers, apart from those of other stores: half the disk, three digits.
        tell: Called with a sentence about what an embedding will take of the disk.

    Raises:
        InputError: No such folder or size.

    Example:
        >>> import tempfile
        >>> from bertflow_core import EmbeddingStore, TransformerEncoder
        >>> encoder, sentences = TransformerEncoder("minilm"), ["A dog runs.", "Rain falls."]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store = EmbeddingStore(folder)
        ...     x = store.embed(encoder, sentences, layers="layer:4").x
        ...     store.missing(encoder, [*sentences, "A cat sleeps."])
        1
        >>> x.shape
        (2, 384)
    """

    def __init__(
        self,
        root: str | Path | None = None,
        *,
        limit_bytes: int | None = None,
        whole_bytes: int = 64 << 20,
        half: bool = False,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        check_type(root, (*PATHS, NoneType), "root", "a folder's path, or None")
        check_type(limit_bytes, (Integral, NoneType), "limit_bytes", "a whole number, or None")
        check_type(whole_bytes, Integral, "whole_bytes", "a whole number")
        self.root = Path(root) if root is not None else cache_folder()
        self.limit_bytes = cache_limit() if limit_bytes is None else limit_bytes
        self.whole_bytes = whole_bytes
        self._dtype = np.dtype(np.float16 if half else np.float32)
        self._tell = tell

    def embed(
        self,
        encoder: Encoder,
        sentences: Sequence[str],
        *,
        layers: str = "layer:4",
        tokens: str = "mean",
        ahead: Sequence[tuple[str, str]] = (),
    ) -> Embeddings:
        """Return the embeddings of `sentences`, computing those that are not stored.

        Two processes that ask for the same sentences compute them once: the second waits.

        Args:
            encoder: Where vectors come from.
            sentences: N texts.
            layers: Layer set.
            tokens: Token pooling.
            ahead: More layer sets, each with a token pooling, that will be asked for: where
                something has to be computed, they are in the same pass.

        Raises:
            InputError: A layer set or pooling that the encoder lacks, or a sentence it refuses.
            ResourceError: Something is missing and the disk is full or refuses, or the sentences
                need more than the bound.
        """
        _check_encoder(encoder)
        kinds = encoder.chosen(layers, tokens)
        later = [kind for each in ahead for kind in encoder.chosen(*each)]
        texts, at = _distinct(sentences)
        with _disk_errors(self.root):
            for _ in range(_ATTEMPTS):
                index = self._complete(
                    encoder, texts, kinds, tuple(dict.fromkeys((*kinds, *later)))
                )
                embeddings = index.gather(at, kinds)
                if embeddings is not None:
                    in_use = index.used(kinds)
                    mark_used(in_use)
                    with suppress(OSError):  # what may only be read cannot be tidied
                        stored = (
                            path for folder in self._folders() for path in block_files(folder)
                        )
                        evict(stored, self.limit_bytes, keep=in_use)
                    return embeddings
        raise ResourceError(f"stored blocks under {str(self.root)!r} keep getting damaged")

    def fill(self, encoder: Encoder, sentences: Sequence[str]) -> None:
        """Compute every kind of vector that is not stored of these sentences.

        Raises:
            InputError: As `embed`.
            ResourceError: As `embed`.
        """
        _check_encoder(encoder)
        with _disk_errors(self.root):
            self._complete(encoder, _distinct(sentences)[0], encoder.tensors, encoder.tensors)

    def missing(self, encoder: Encoder, sentences: Sequence[str]) -> int:
        """Count the distinct sentences of which some kind of vector is not stored."""
        _check_encoder(encoder)
        with _disk_errors(self.root):
            index = Index(self._folder(encoder), _distinct(sentences)[0])
            return len(index.lacking(encoder.tensors))

    def entries(self) -> list[StoreEntry]:
        """List what is stored, one entry per encoder, the most recently used first."""
        with _disk_errors(self.root):
            entries = [_entry(folder) for folder in self._folders()]
        return sorted((e for e in entries if e.n_sentences), key=lambda entry: -entry.last_used)

    def clear(self) -> int:
        """Delete every stored block and return how many bytes that freed."""
        freed = 0
        with _disk_errors(self.root):
            for folder in self._folders():
                with FileLock(folder / ".lock"):
                    sweep_scratch(folder)
                    freed += sum(map(delete, block_files(folder)))
        return freed

    def _folders(self) -> list[Path]:
        """List the encoders' folders, also one whose description was lost."""
        return [p for p in sorted(self.root.glob("*")) if _FOLDER.fullmatch(p.name) and p.is_dir()]

    def _folder(self, encoder: Encoder) -> Path:
        name = encoder.fingerprint
        if self._dtype == np.float16:
            name = hashlib.sha256(f"{name} float16".encode()).hexdigest()
        return self.root / name[:32]

    def _complete(
        self,
        encoder: Encoder,
        texts: dict[bytes, str],
        kinds: tuple[str, ...],
        ahead: tuple[str, ...],
    ) -> "Index":
        """Compute what is missing under the encoder's lock, and return an index that has it all."""
        folder, kind_bytes = self._folder(encoder), self._dtype.itemsize * encoder.dim
        index = Index(folder, texts)
        lacking = index.lacking(kinds)
        if not lacking:
            return index
        self._check_room(kind_bytes * len(kinds), len(texts), len(lacking))
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder, texts, kinds):
            description = json.dumps(encoder.description, indent=2, sort_keys=True) + "\n"
            with atomic_write(folder / _DESCRIPTION) as scratch:  # for people
                scratch.write_text(description, encoding="utf-8")
            index = Index(folder, texts)
            lacking = index.lacking(kinds)
            if not lacking:
                return index
            chosen = self._affordable(kind_bytes * len(texts), kinds, ahead, encoder.tensors)
            chosen = tuple(kind for kind in chosen if kind not in index.common(lacking))
            n_bytes = kind_bytes * len(chosen) * len(lacking)
            if self._tell is not None and n_bytes >= _WORTH_SAYING:
                size = f"{size_text(n_bytes)} of disk"
                self._tell(f"embedding {len(lacking):,} sentences takes {size}")
            for block in encoder.encode_blocks([texts[key] for key in lacking], kinds=chosen):
                keys = [lacking[row] for row in block.rows]
                index.add(write_block(folder, keys, block, chosen, self._dtype))
        return index

    def _affordable(
        self, each: int, kinds: tuple[str, ...], ahead: tuple[str, ...], every: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Choose what is computed, a kind of `each` bytes: more than is asked for, if it fits."""
        room = min(self.limit_bytes, _free_bytes(self.root))
        if each * len(every) <= min(room, self.whole_bytes):
            return every
        return ahead if each * len(ahead) <= room else kinds

    def _check_room(self, each: int, n_wanted: int, n_missing: int) -> None:
        """Refuse before anything is computed what cannot be kept, of `each` bytes a sentence."""
        free = _free_bytes(self.root)
        for n, room, what in [
            (n_wanted, self.limit_bytes, "the cache's bound of {}: raise BERTFLOW_CACHE_GB"),
            (n_missing, free, "the {} free on its disk: set BERTFLOW_CACHE to another"),
        ]:
            if each * n > room:
                raise ResourceError(
                    f"the vectors of {n:,} sentences take {size_text(each * n)}, more than "
                    f"{what.format(size_text(room))}, take fewer sentences, or add --no-store to "
                    "the command"
                )


class Unstored:
    """Gives what an `EmbeddingStore` gives, but computes it anew each time and keeps nothing.

    Example:
        >>> from bertflow_core import Lab
        >>> from bertflow_core.store import Unstored
        >>> Lab(store=Unstored()).embed("minilm", ["A dog runs."], layers="layer:1").shape
        (1, 384)
    """

    def embed(
        self,
        encoder: Encoder,
        sentences: Sequence[str],
        *,
        layers: str = "layer:4",
        tokens: str = "mean",
        ahead: Sequence[tuple[str, str]] = (),  # nothing is kept for later
    ) -> Embeddings:
        """Return the embeddings of `sentences`, each distinct one computed once.

        Raises:
            InputError: A layer set or pooling that the encoder lacks, or a sentence it refuses.
        """
        _check_encoder(encoder)
        kinds = encoder.chosen(layers, tokens)
        texts, at = _distinct(sentences)
        x = np.empty((len(texts), encoder.dim), np.float32)
        n_tokens, cut = np.empty(len(texts), np.int32), np.empty(len(texts), bool)
        for block in encoder.encode_blocks(list(texts.values()), kinds=kinds):
            x[block.rows] = block.vectors.mean(axis=0, dtype=np.float64)
            n_tokens[block.rows], cut[block.rows] = block.n_tokens, block.cut
        return Embeddings(x[at], n_tokens[at], cut[at])


def _check_encoder(encoder: object) -> None:
    if not hasattr(encoder, "encode_blocks"):
        raise wrong_type(encoder, "an encoder", "a TransformerEncoder or the like")


def _distinct(sentences: Sequence[str]) -> tuple[dict[bytes, str], Rows]:
    """Return the distinct sentences by key, and where among them each of the request is."""
    check_sentences(sentences)
    if len(sentences) == 0:
        raise InputError("there are no sentences to embed: expected at least one")
    keys = [key_of(each) for each in sentences]
    texts = dict(zip(keys, sentences, strict=True))
    places = {key: place for place, key in enumerate(texts)}
    return texts, np.array([places[key] for key in keys])


def _entry(folder: Path) -> StoreEntry:
    blocks = [block for block in map(open_block, block_files(folder)) if block is not None]
    stats = []
    for block in blocks:
        with suppress(FileNotFoundError):
            stats.append(block.path.stat())
    description: Any = None
    with suppress(OSError, ValueError, RecursionError):
        description = json.loads(read_file(folder / _DESCRIPTION, _MAX_DESCRIPTION))
    return StoreEntry(
        fingerprint=folder.name,
        description=description if isinstance(description, dict) else {},
        n_sentences=len({key for block in blocks for key in block.keys.tolist()}),
        n_bytes=sum(s.st_size for s in stats),
        last_used=max((s.st_mtime for s in stats), default=0.0),
    )


def _free_bytes(root: Path) -> int:
    """Return the free space of the disk that `root` is, or will be, on."""
    existing = next(p for p in (root, *root.absolute().parents) if p.exists())
    return shutil.disk_usage(existing).free


@contextmanager
def _locked(folder: Path, texts: Collection[bytes], kinds: Sequence[str]) -> Iterator[None]:
    """Hold the encoder's lock; while another process holds it, report what that one did."""
    lock = FileLock(folder / ".lock")
    while True:
        try:
            lock.acquire(timeout=_POLL_SECONDS)
            break
        except Timeout:
            n_lacking = len(Index(folder, texts).lacking(kinds))
            context.report(len(texts) - n_lacking, len(texts), "sentences")
    try:
        sweep_scratch(folder)
        yield
    finally:
        lock.release()


@contextmanager
def _disk_errors(root: Path) -> Iterator[None]:
    try:
        yield
    except ResourceError:
        raise
    except OSError as error:
        raise ResourceError(
            f"the cache under {str(root)!r} cannot be used ({error.strerror or error}): free "
            "some space or set BERTFLOW_CACHE to a folder you can write"
        ) from error
