"""A store of embeddings, which are computed once and then looked up by sentence and encoder.

A store is a folder with one subfolder per encoder, named by the encoder's fingerprint, which holds
blocks of vectors (`blocks.py`). A block of few sentences has all usual kinds of vectors, so that
any layer set can be read without a forward pass. For many sentences, and for mean-content, a block
has only the requested kinds.

If a run is killed, the next run uses its finished blocks. A damaged block is deleted with a
warning. Sentences whose block is damaged, or was deleted by another process, are embedded again.
New blocks cannot be deleted before they are read, since reading and deleting need the folder's
lock.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from filelock import FileLock, Timeout

from bertflow_core.arguments import checked
from bertflow_core.arrays.types import Rows
from bertflow_core.encoders.running import check_sentences
from bertflow_core.errors import InputError, ResourceError, wrong_type
from bertflow_core.runtime import context
from bertflow_core.runtime.files import atomic_write, cache_folder, read_file
from bertflow_core.store.blocks import (
    KEYS,
    Stored,
    block_files,
    cache_limit,
    delete,
    key_of,
    read_block,
    sweep_scratch,
    tidy,
)
from bertflow_core.wording import counted, quoted, size_text

if TYPE_CHECKING:
    from bertflow_core.encoders.transformer import TransformerEncoder

_DESCRIPTION = "encoder.json"
_MAX_DESCRIPTION = 1 << 20
_FOLDER = re.compile(r"[0-9a-f]{32}")
_ATTEMPTS = 3
_POLL_SECONDS = 0.5
_WORTH_SAYING = 1_000_000
_NUMBER_BYTES = 4  # for float32

Kind = tuple[str, str]
"""A layer set and a token pooling."""


@dataclass(frozen=True)
class Embeddings:
    """Vectors of sentences, in the order of the request.

    Attributes:
        x: Embeddings in float32, shape (N, D).
        n_tokens: Tokens of each sentence after cutting, shape (N,).
        cut: Whether a sentence was longer than the maximum length, shape (N,).

    Example:
        >>> from bertflow_core import Lab, Recipe
        >>> sentences = ["A dog runs.", "rain " * 20]
        >>> (embeddings,) = Lab().vectors([Recipe(max_length=8)], sentences)
        >>> embeddings.x.shape, embeddings.n_tokens.tolist(), embeddings.cut.tolist()
        ((2, 384), [6, 8], [False, True])
    """

    x: np.ndarray
    n_tokens: np.ndarray
    cut: np.ndarray


@dataclass(frozen=True)
class StoreEntry:
    """The stored data of one encoder: its description, counts and time of last use."""

    description: dict[str, Any]
    n_sentences: int
    n_bytes: int
    last_used: float


@contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except ResourceError:
        raise
    except OSError as error:
        raise ResourceError(
            f"the cache cannot be used ({error}): free some space or set BERTFLOW_CACHE to a "
            "folder that you can write to"
        ) from error


@checked
class EmbeddingStore:
    """A store that computes the embeddings of sentences once per encoder.

    Args:
        root: Folder of the store; None is `BERTFLOW_CACHE`, or the user's cache folder.
        limit_bytes: Size limit; the least recently used blocks are deleted first. None is
            `BERTFLOW_CACHE_GB`, or 20 GiB.
        whole_bytes: If the vectors of all layers and poolings fit in this many bytes, all are
            stored. Other layer sets then need no further pass.
        tell: Called with a message about the disk space that new vectors, or a model that is
            fetched or unpacked, take.

    Raises:
        InputError: The folder or the size limit is unusable.

    Example:
        >>> import tempfile
        >>> from bertflow_core import EmbeddingStore, TransformerEncoder
        >>> encoder, sentences = TransformerEncoder("minilm"), ["A dog runs.", "Rain falls."]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store = EmbeddingStore(folder)
        ...     (found,) = store.embed(encoder, sentences, [("layer:4", "mean")])
        ...     store.missing(encoder, [*sentences, "A cat sleeps."])
        1
        >>> found.x.shape
        (2, 384)
    """

    def __init__(
        self,
        root: str | Path | None = None,
        *,
        limit_bytes: int | None = None,
        whole_bytes: int = 64 << 20,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.root = Path(root) if root is not None else cache_folder()
        self.limit_bytes = cache_limit() if limit_bytes is None else limit_bytes
        self.whole_bytes = whole_bytes
        self.tell = tell

    @checked
    def embed(
        self, encoder: "TransformerEncoder", sentences: Sequence[str], wanted: Sequence[Kind]
    ) -> Iterator[Embeddings]:
        """Return the embeddings of `sentences` of each wanted kind; compute those not stored.

        One forward pass computes all kinds. They are read one at a time, so that only one is in
        memory. If two processes ask for the same sentences, the second waits for the first.

        Args:
            encoder: Encoder that computes the missing embeddings.
            sentences: N texts.
            wanted: Layer sets, each with a token pooling, in the order of the result.

        Raises:
            InputError: The encoder has no such layer set or pooling, or refuses a sentence.
            ResourceError: The disk fails or is full, or the vectors exceed the size limit.
        """
        texts, at = _distinct(encoder, sentences)
        averaged = _averaged(encoder, wanted)
        every = tuple(dict.fromkeys(chain(*averaged.values())))
        return (self._embed(encoder, texts, at, averaged[each], every) for each in wanted)

    @_disk_errors()
    def _embed(
        self,
        encoder: "TransformerEncoder",
        texts: dict[bytes, str],
        at: Rows | slice,
        kinds: tuple[str, ...],
        more: tuple[str, ...],
    ) -> Embeddings:
        """Return the mean of some kinds of vectors; `more` are computed with any missing ones."""
        for _ in range(_ATTEMPTS):
            with self._completed(encoder, texts, kinds, more) as stored:
                x = stored.mean(kinds)
            if x is not None:
                used = {block.path for kind in kinds for block in stored.of_kind(kind)}
                blocks = (path for folder in self._folders() for path in block_files(folder))
                tidy(blocks, self.limit_bytes, used=used)
                return Embeddings(x[at], stored.n_tokens[at], stored.cut[at])
        raise ResourceError(
            f"blocks in {quoted(self.root)} are damaged again and again: check the disk"
        )

    @_disk_errors()
    def fill(self, encoder: "TransformerEncoder", sentences: Sequence[str]) -> None:
        """Compute and store every kind of vector that these sentences lack."""
        texts, _ = _distinct(encoder, sentences)
        with self._completed(encoder, texts, encoder.tensors, encoder.tensors):
            pass

    @_disk_errors()
    def missing(self, encoder: "TransformerEncoder", sentences: Sequence[str]) -> int:
        """Count the distinct sentences that lack at least one kind of stored vector."""
        texts, _ = _distinct(encoder, sentences)  # refuses anything but an encoder
        stored = Stored(self._folder(encoder), texts)
        return len(stored.lacking(encoder.tensors))

    @_disk_errors()
    def entries(self) -> list[StoreEntry]:
        """List the stored data, one entry per encoder, the most recently used first."""
        entries = map(_entry, self._folders())
        return sorted((e for e in entries if e.n_sentences), key=lambda entry: -entry.last_used)

    @_disk_errors()
    def clear(self) -> int:
        """Delete all stored blocks and return the number of bytes freed.

        Raises:
            ResourceError: Some blocks are being computed and were kept.
        """
        folders = self._folders()
        freed, n_left = 0, len(folders)
        for folder in folders:
            with suppress(Timeout), FileLock(folder / ".lock", timeout=0):
                sweep_scratch(folder)
                freed += sum(map(delete, block_files(folder)))
                n_left -= 1
        if n_left:
            raise ResourceError(
                f"the embeddings of {counted(n_left, 'encoder')} are being computed and were "
                f"kept, {size_text(freed)} were freed: clear the cache again later"
            )
        return freed

    def _folders(self) -> list[Path]:
        """List the encoders' folders, including folders without a description."""
        return [p for p in sorted(self.root.glob("*")) if _FOLDER.fullmatch(p.name) and p.is_dir()]

    def _folder(self, encoder: "TransformerEncoder") -> Path:
        return self.root / encoder.fingerprint[:32]

    @contextmanager
    def _completed(
        self,
        encoder: "TransformerEncoder",
        texts: dict[bytes, str],
        kinds: tuple[str, ...],
        more: tuple[str, ...],
    ) -> Iterator[Stored]:
        """Yield the stored vectors of texts after computing those that are missing.

        One process at a time computes with an encoder; waiting processes report its progress.
        """
        folder = self._folder(encoder)
        stored = Stored(folder, texts)
        if len(stored.lacking(kinds)) == 0:
            yield stored
            return
        size = _NUMBER_BYTES * encoder.dim * len(texts)  # of one kind
        if size * len(kinds) > self.limit_bytes:  # refused before any computation
            raise ResourceError(
                f"the vectors of {len(texts):,} sentences take {size_text(size * len(kinds))}, "
                f"more than the cache's limit of {size_text(self.limit_bytes)}: raise "
                "BERTFLOW_CACHE_GB, choose fewer sentences, or add --no-store to the command"
            )
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ".lock")
        try:
            while not lock.is_locked:
                with suppress(Timeout):
                    lock.acquire(timeout=_POLL_SECONDS)
                stored = Stored(folder, texts)
                lacking = stored.lacking(kinds)
                if not lock.is_locked:
                    context.report(len(texts) - len(lacking), len(texts), "sentences")
            if len(lacking):
                every = tuple(dict.fromkeys([*encoder.tensors, *more]))
                if size * len(every) <= min(self.limit_bytes, self.whole_bytes):
                    more = every
                elif size * len(more) > self.limit_bytes:
                    more = kinds
                self._compute(encoder, stored, list(texts.values()), lacking, more)
            yield stored
        finally:
            lock.release()

    def _compute(
        self,
        encoder: "TransformerEncoder",
        stored: "Stored",
        texts: Sequence[str],
        lacking: Rows,
        kinds: Sequence[str],
    ) -> None:
        sweep_scratch(stored.folder)
        description = json.dumps(encoder.description, indent=2, sort_keys=True) + "\n"
        with atomic_write(stored.folder / _DESCRIPTION) as scratch:
            scratch.write_text(description, encoding="utf-8")
        kinds = [kind for kind in kinds if not stored.has(kind)[lacking].all()]
        n_bytes = _NUMBER_BYTES * encoder.dim * len(kinds) * len(lacking)
        if self.tell is not None and n_bytes >= _WORTH_SAYING:
            self.tell(f"embedding {len(lacking):,} sentences takes {size_text(n_bytes)} of disk")
        for block in encoder.encode_blocks([texts[row] for row in lacking], kinds=kinds):
            stored.write(lacking[block.rows], block, kinds)


class Unstored:
    """A replacement for `EmbeddingStore` that computes everything anew and keeps nothing.

    Example:
        >>> from bertflow_core import Lab
        >>> from bertflow_core.store import Unstored
        >>> Lab(store=Unstored()).embed("minilm", ["A dog runs."], layers="layer:1").shape
        (1, 384)
    """

    tell = None

    @checked
    def embed(
        self, encoder: "TransformerEncoder", sentences: Sequence[str], wanted: Sequence[Kind]
    ) -> Iterator[Embeddings]:
        """Return the embeddings of `sentences` of each wanted kind, all from one forward pass."""
        texts, at = _distinct(encoder, sentences)
        averaged = _averaged(encoder, wanted)
        kinds = [*dict.fromkeys(chain(*averaged.values()))]
        found = {each: np.empty((len(texts), encoder.dim), np.float32) for each in averaged}
        n_tokens, cut = np.empty(len(texts), np.int32), np.empty(len(texts), bool)
        for block in encoder.encode_blocks([*texts.values()], kinds=kinds):
            for each, names in averaged.items():
                vectors = block.vectors[[kinds.index(name) for name in names]]
                found[each][block.rows] = vectors.mean(axis=0, dtype=np.float64)
            n_tokens[block.rows], cut[block.rows] = block.n_tokens, block.cut
        for place, each in enumerate(wanted):
            x = found[each] if each in wanted[place + 1 :] else found.pop(each)
            yield Embeddings(x[at], n_tokens[at], cut[at])


def _distinct(encoder: object, sentences: Sequence[str]) -> tuple[dict[bytes, str], Rows | slice]:
    """Return the distinct sentences by key, and the position of each requested one among them."""
    if not hasattr(encoder, "encode_blocks"):
        raise wrong_type(encoder, "an encoder", "a TransformerEncoder or the like")
    check_sentences(sentences)
    if len(sentences) == 0:
        raise InputError("there are no sentences to embed: expected at least one")
    keys = [key_of(each) for each in sentences]
    texts = dict(zip(keys, sentences, strict=True))
    if len(texts) == len(keys):
        return texts, slice(None)  # without a copy
    places = {key: place for place, key in enumerate(texts)}
    return texts, np.array([places[key] for key in keys])


def _averaged(encoder: "TransformerEncoder", wanted: Sequence[Kind]) -> dict[Kind, tuple[str, ...]]:
    """Return the names of the vectors whose mean is each of the wanted kinds."""
    for each in wanted:
        if not isinstance(each, tuple) or len(each) != 2:
            raise wrong_type(each, "each kind of vectors", "a layer set with a token pooling")
    return {each: encoder.chosen(*each) for each in wanted}


def _entry(folder: Path) -> StoreEntry:
    keys, sizes, times = set[bytes](), [0], [0.0]
    for path in block_files(folder):
        found = read_block(path, ("keys",))
        with suppress(FileNotFoundError):
            if found is not None:
                status = path.stat()
                sizes.append(status.st_size)
                times.append(status.st_mtime)
                keys.update(found[0][0].view(KEYS).ravel().tolist())
    description: Any = None
    with suppress(OSError, ValueError, RecursionError):
        description = json.loads(read_file(folder / _DESCRIPTION, _MAX_DESCRIPTION))
    if not isinstance(description, dict):
        description = {}
    return StoreEntry(description, len(keys), sum(sizes), max(times))
