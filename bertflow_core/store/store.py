"""Embeddings on disk: content-addressed, memory-mapped, locked, checked and bounded.

A store is a folder with one subfolder per encoder (named by its fingerprint), which holds immutable
blocks of sentences. A block holds every layer under every token pooling, so any layer set of any
list of known sentences is read without a forward pass, and only unknown sentences are computed:
what a killed run finished is there for the next one.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from filelock import FileLock, Timeout

from bertflow_core.encoders.block import Block
from bertflow_core.encoders.checks import check_sentences
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import delete, evict, make_folder, mark_used, sweep_scratch
from bertflow_core.progress import Progress, silent
from bertflow_core.store import blocks
from bertflow_core.store.blocks import BlockFile
from bertflow_core.store.location import default_limit, default_root
from bertflow_core.store.reading import Embeddings, gather, open_or_drop
from bertflow_core.wording import size_text

__all__ = ["EmbeddingStore", "Encoder", "StoreEntry"]

_ATTEMPTS = 3
_POLL_SECONDS = 0.5
_FOLDER = re.compile(r"[0-9a-f]{32}")


class Encoder(Protocol):
    """What a store needs of an encoder; `TransformerEncoder` is one."""

    @property
    def tensors(self) -> tuple[str, ...]: ...  # noqa: D102
    def chosen(self, layers: str, tokens: str) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def fingerprint(self) -> str: ...  # noqa: D102
    @property
    def description(self) -> dict[str, Any]: ...  # noqa: D102
    @property
    def bytes_per_sentence(self) -> int: ...  # noqa: D102
    def encode_blocks(  # noqa: D102
        self, sentences: Sequence[str], *, progress: Progress = silent
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
        root: Folder of the store; None is `default_root()`.
        limit_bytes: Size bound; least recently used blocks go first. None is `default_limit()`.
    """

    def __init__(self, root: Path | None = None, *, limit_bytes: int | None = None) -> None:
        self.root = Path(root) if root is not None else default_root()
        self.limit_bytes = default_limit() if limit_bytes is None else limit_bytes

    def embed(
        self,
        encoder: Encoder,
        sentences: Sequence[str],
        *,
        layers: str = "layer:4",
        tokens: str = "mean",
        progress: Progress = silent,
    ) -> Embeddings:
        """Return the embeddings of `sentences`, computing those that are not stored.

        Two processes that ask for the same sentences compute them once: the second waits.

        Raises:
            InputError: A layer set or pooling that the encoder lacks, or a sentence it refuses.
            ResourceError: Something is missing and the disk is full or refuses, or the sentences
                need more than the bound.
        """
        names = encoder.chosen(layers, tokens)
        if len(sentences) == 0:
            raise InputError("there are no sentences to embed: expected at least one")
        check_sentences(sentences)
        keys = [blocks.sentence_key(sentence) for sentence in sentences]
        texts = dict(zip(keys, sentences, strict=True))
        with _disk_errors(self.root):
            for _ in range(_ATTEMPTS):
                index = self._complete(encoder, texts, progress)
                embeddings = gather(index, keys, names)
                if embeddings is not None:
                    in_use = {block.path for block, _ in index.values()}
                    mark_used(in_use)
                    with suppress(OSError):  # what may only be read cannot be tidied
                        evict(self._block_files(), self.limit_bytes, keep=in_use)
                    return embeddings
        raise ResourceError(f"stored blocks under {str(self.root)!r} keep getting damaged")

    def missing(self, encoder: Encoder, sentences: Sequence[str]) -> int:
        """Count the distinct sentences that `embed` would have to compute."""
        wanted = {blocks.sentence_key(sentence) for sentence in sentences}
        with _disk_errors(self.root):
            return len(wanted - self._index(encoder, wanted).keys())

    def entries(self) -> list[StoreEntry]:
        """List what is stored, one entry per encoder, the most recently used first."""
        with _disk_errors(self.root):
            entries = [self._entry(folder) for folder in self._folders()]
        return sorted((e for e in entries if e.n_sentences), key=lambda entry: -entry.last_used)

    def clear(self) -> int:
        """Delete every stored block and return how many bytes that freed."""
        freed = 0
        with _disk_errors(self.root):
            for folder in self._folders():
                with FileLock(folder / ".lock"):
                    sweep_scratch(folder)
                    for path in folder.glob("*.safetensors"):
                        freed += delete(path)
        return freed

    def _folders(self) -> list[Path]:
        """List the encoders' folders, also one whose description was lost."""
        return [p for p in sorted(self.root.glob("*")) if _FOLDER.fullmatch(p.name) and p.is_dir()]

    def _block_files(self) -> list[Path]:
        return [path for folder in self._folders() for path in folder.glob("*.safetensors")]

    def _folder(self, encoder: Encoder) -> Path:
        return self.root / encoder.fingerprint[:32]

    def _entry(self, folder: Path) -> StoreEntry:
        keys: set[bytes] = set()
        stats = []
        for path in folder.glob("*.safetensors"):
            block = open_or_drop(path)
            with suppress(FileNotFoundError):
                stats.append(path.stat())
                keys.update(block.keys if block else ())
        return StoreEntry(
            fingerprint=folder.name,
            description=blocks.read_description(folder),
            n_sentences=len(keys),
            n_bytes=sum(s.st_size for s in stats),
            last_used=max((s.st_mtime for s in stats), default=0.0),
        )

    def _index(self, encoder: Encoder, wanted: set[bytes]) -> dict[bytes, tuple[BlockFile, int]]:
        """Map each wanted key that is stored to its block and row."""
        index: dict[bytes, tuple[BlockFile, int]] = {}
        for path in sorted(self._folder(encoder).glob("*.safetensors")):
            block = open_or_drop(path)
            for row, key in enumerate(block.keys if block else ()):
                if key in wanted:
                    index.setdefault(key, (block, row))  # type: ignore[arg-type]
        return index

    def _complete(
        self, encoder: Encoder, texts: dict[bytes, str], progress: Progress
    ) -> dict[bytes, tuple[BlockFile, int]]:
        """Compute what is missing under the encoder's lock, and return the complete index."""
        index = self._index(encoder, set(texts))
        if len(index) == len(texts):
            return index
        folder = self._folder(encoder)
        self._check_room(encoder, len(texts), len(texts) - len(index))
        make_folder(folder)
        with self._locked(folder, encoder, texts, progress):
            blocks.write_description(folder, encoder.description)
            index = self._index(encoder, set(texts))
            missing = [(key, text) for key, text in texts.items() if key not in index]
            keys = [key for key, _ in missing]
            for block in encoder.encode_blocks([t for _, t in missing], progress=progress):
                stored = blocks.write_block(
                    folder, [keys[row] for row in block.rows], block, encoder.tensors
                )
                index.update((key, (stored, row)) for row, key in enumerate(stored.keys))
        return index

    @contextmanager
    def _locked(
        self, folder: Path, encoder: Encoder, texts: dict[bytes, str], progress: Progress
    ) -> Iterator[None]:
        """Hold the encoder's lock; while another process holds it, report what that one did."""
        lock = FileLock(folder / ".lock")
        while True:
            try:
                lock.acquire(timeout=_POLL_SECONDS)
                break
            except Timeout:
                progress(len(self._index(encoder, set(texts))), len(texts), "sentences")
        try:
            sweep_scratch(folder)
            yield
        finally:
            lock.release()

    def _check_room(self, encoder: Encoder, n_wanted: int, n_missing: int) -> None:
        """Refuse before anything is computed what cannot be kept."""
        needed = n_wanted * encoder.bytes_per_sentence
        if needed > self.limit_bytes:
            raise ResourceError(
                f"every layer of {n_wanted:,} sentences takes {size_text(needed)}, more than the "
                f"cache's bound of {size_text(self.limit_bytes)}: raise BERTFLOW_CACHE_GB or take "
                "fewer sentences"
            )
        free = blocks.free_bytes(self.root)
        if n_missing * encoder.bytes_per_sentence > free:
            raise ResourceError(
                f"embedding {n_missing:,} sentences needs "
                f"{size_text(n_missing * encoder.bytes_per_sentence)} but {str(self.root)!r} has "
                f"{size_text(free)} free: free some space or set BERTFLOW_CACHE to another disk"
            )


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
