"""Embeddings on disk: content-addressed, memory-mapped, locked, checked and bounded.

A store is a folder with one subfolder per encoder (named by its fingerprint), which holds immutable
blocks of sentences. A block holds kinds of vectors, a kind being a layer under a token pooling: of
few sentences every kind, so that any layer set of them is read without a forward pass; of many only
what was asked for. What a killed run finished is there for the next one.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from numbers import Integral
from pathlib import Path
from types import NoneType

from filelock import FileLock, Timeout

from bertflow_core import context
from bertflow_core.encoders.block import check_sentences
from bertflow_core.errors import ResourceError, check_type
from bertflow_core.files import PATHS, delete, evict, make_folder, mark_used, sweep_scratch
from bertflow_core.store import blocks
from bertflow_core.store.entries import StoreEntry, entry_of
from bertflow_core.store.location import default_limit, default_root
from bertflow_core.store.reading import Embeddings, Index, gather, open_or_drop
from bertflow_core.store.request import Encoder, Request, check_encoder, request_of
from bertflow_core.wording import size_text

__all__ = ["EmbeddingStore"]

_ATTEMPTS = 3
_POLL_SECONDS = 0.5
_FOLDER = re.compile(r"[0-9a-f]{32}")


class EmbeddingStore:
    """Embeddings of sentences by encoders, computed once.

    Args:
        root: Folder of the store; None is `default_root()`.
        limit_bytes: Size bound; least recently used blocks go first. None is `default_limit()`.
        whole_bytes: Most that the sentences of a request may take in every kind of vector to be
            stored in every kind, so that later layer sets need no pass of their own.
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
        tell: Callable[[str], None] | None = None,
    ) -> None:
        check_type(root, (*PATHS, NoneType), "root", "a folder's path, or None")
        check_type(limit_bytes, (Integral, NoneType), "limit_bytes", "a whole number, or None")
        check_type(whole_bytes, Integral, "whole_bytes", "a whole number")
        self.root = Path(root) if root is not None else default_root()
        self.limit_bytes = default_limit() if limit_bytes is None else limit_bytes
        self.whole_bytes = whole_bytes
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
        check_encoder(encoder)
        kinds = encoder.chosen(layers, tokens)
        more = (encoder.chosen(*each) for each in ahead)
        request = request_of(encoder, sentences, kinds, *more)
        keys = [blocks.sentence_key(sentence) for sentence in sentences]
        with _disk_errors(self.root):
            for _ in range(_ATTEMPTS):
                index = self._complete(request)
                embeddings = gather(index, keys, request.kinds)
                if embeddings is not None:
                    in_use = index.used(request.kinds)
                    mark_used(in_use)
                    with suppress(OSError):  # what may only be read cannot be tidied
                        evict(self._block_files(), self.limit_bytes, keep=in_use)
                    return embeddings
        raise ResourceError(f"stored blocks under {str(self.root)!r} keep getting damaged")

    def fill(self, encoder: Encoder, sentences: Sequence[str]) -> None:
        """Compute every kind of vector that is not stored of these sentences.

        Raises:
            InputError: As `embed`.
            ResourceError: As `embed`.
        """
        check_encoder(encoder)
        with _disk_errors(self.root):
            self._complete(request_of(encoder, sentences, encoder.tensors))

    def missing(self, encoder: Encoder, sentences: Sequence[str]) -> int:
        """Count the distinct sentences of which some kind of vector is not stored."""
        check_encoder(encoder)
        check_sentences(sentences)
        wanted = {blocks.sentence_key(sentence) for sentence in sentences}
        with _disk_errors(self.root):
            return len(self._index(encoder, wanted).lacking(encoder.tensors))

    def entries(self) -> list[StoreEntry]:
        """List what is stored, one entry per encoder, the most recently used first."""
        with _disk_errors(self.root):
            entries = [entry_of(folder) for folder in self._folders()]
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

    def _index(self, encoder: Encoder, wanted: Iterable[bytes]) -> Index:
        """Find the wanted sentences that are stored."""
        index = Index(wanted)
        for path in sorted(self._folder(encoder).glob("*.safetensors")):
            block = open_or_drop(path)
            if block is not None:
                index.add(block)
        return index

    def _complete(self, request: Request) -> Index:
        """Compute what is missing under the encoder's lock, and return an index that has it all."""
        encoder, texts = request.encoder, request.texts
        index = self._index(encoder, texts)
        lacking = index.lacking(request.kinds)
        if not lacking:
            return index
        self._check_room(request, len(lacking))
        folder = self._folder(encoder)
        make_folder(folder)
        with self._locked(folder, request):
            blocks.write_description(folder, encoder.description)
            index = self._index(encoder, texts)
            lacking = index.lacking(request.kinds)
            if not lacking:
                return index
            kinds = self._kinds(request, index.common(lacking))
            use = request.disk_use(len(lacking), kinds)
            if use and self._tell is not None:
                self._tell(f"embedding {len(lacking):,} sentences takes {use}")
            with context.renamed(f"sentences ({use})" if use else "{}"):
                for block in encoder.encode_blocks([texts[key] for key in lacking], kinds=kinds):
                    keys = [lacking[row] for row in block.rows]
                    index.add(blocks.write_block(folder, keys, block, kinds))
        return index

    def _kinds(self, request: Request, stored: Collection[str]) -> tuple[str, ...]:
        """Choose what is computed: beside what is asked for more, if there is room for it."""
        room = min(self.limit_bytes, blocks.free_bytes(self.root))
        chosen, n = request.kinds, len(request.texts)
        if request.n_bytes(n, request.encoder.tensors) <= min(room, self.whole_bytes):
            chosen = request.encoder.tensors
        elif request.n_bytes(n, request.ahead) <= room:
            chosen = request.ahead
        return tuple(kind for kind in chosen if kind not in stored)

    @contextmanager
    def _locked(self, folder: Path, request: Request) -> Iterator[None]:
        """Hold the encoder's lock; while another process holds it, report what that one did."""
        lock = FileLock(folder / ".lock")
        while True:
            try:
                lock.acquire(timeout=_POLL_SECONDS)
                break
            except Timeout:
                n_wanted = len(request.texts)
                lacking = self._index(request.encoder, request.texts).lacking(request.kinds)
                context.report(n_wanted - len(lacking), n_wanted, "sentences")
        try:
            sweep_scratch(folder)
            yield
        finally:
            lock.release()

    def _check_room(self, request: Request, n_missing: int) -> None:
        """Refuse before anything is computed what cannot be kept."""
        n_wanted = len(request.texts)
        needed = request.n_bytes(n_wanted, request.kinds)
        if needed > self.limit_bytes:
            raise ResourceError(
                f"the vectors of {n_wanted:,} sentences take {size_text(needed)}, more than the "
                f"cache's bound of {size_text(self.limit_bytes)}: raise BERTFLOW_CACHE_GB, take "
                "fewer sentences, or add --no-store to the command"
            )
        free = blocks.free_bytes(self.root)
        needed = request.n_bytes(n_missing, request.kinds)
        if needed > free:
            raise ResourceError(
                f"embedding {n_missing:,} sentences needs {size_text(needed)} but "
                f"{str(self.root)!r} has {size_text(free)} free: free some space, set "
                "BERTFLOW_CACHE to another disk, or add --no-store to the command"
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
