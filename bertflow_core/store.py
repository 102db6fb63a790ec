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
import stat
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from types import NoneType
from typing import Any, Protocol

import numpy as np
from filelock import FileLock, Timeout

from bertflow_core import context
from bertflow_core.encoders.block import Block, check_sentences
from bertflow_core.environment import gigabytes
from bertflow_core.errors import InputError, ResourceError, check_type, wrong_type
from bertflow_core.files import (
    PATHS,
    atomic_write,
    delete,
    evict,
    make_folder,
    mark_used,
    read_file,
    sweep_scratch,
)
from bertflow_core.files import cache_folder as default_root
from bertflow_core.wording import size_text

__all__ = [
    "EmbeddingStore",
    "Embeddings",
    "Encoder",
    "StoreEntry",
    "StoreWarning",
    "Unstored",
    "default_limit",
    "default_root",
]

_DESCRIPTION = "encoder.json"
_MAX_DESCRIPTION = 1 << 20
_KEY_BYTES = 16
_ABOUT = ("keys", "n_tokens", "cut")
_FOLDER = re.compile(r"[0-9a-f]{32}")
_ATTEMPTS = 3
_POLL_SECONDS = 0.5
_WORTH_SAYING = 1_000_000
_DEFAULT_GIGABYTES = 20


class StoreWarning(UserWarning):
    """Something stored was damaged and is computed again.

    Example:
        >>> import warnings
        >>> from bertflow_core.store import StoreWarning
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("error", StoreWarning)  # stop rather than compute again
    """


@dataclass(frozen=True)
class Embeddings:
    """Vectors of sentences, in the order of the request.

    Attributes:
        x: Embeddings in float32, shape (N, D).
        n_tokens: Tokens of each sentence after cutting, shape (N,).
        cut: Whether a sentence was longer than the maximum length, shape (N,).

    Example:
        >>> from bertflow_core import Lab, Recipe
        >>> embeddings = Lab().vectors(Recipe(max_length=8), ["A dog runs.", "rain " * 20])
        >>> embeddings.x.shape, embeddings.n_tokens.tolist(), embeddings.cut.tolist()
        ((2, 384), [6, 8], [False, True])
    """

    x: np.ndarray
    n_tokens: np.ndarray
    cut: np.ndarray


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


@dataclass(frozen=True)
class StoreEntry:
    """What a store holds of one encoder: its description, counts, and time of last use.

    Example:
        >>> import tempfile
        >>> from bertflow_core import EmbeddingStore, TransformerEncoder
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store = EmbeddingStore(folder)
        ...     store.fill(TransformerEncoder("minilm"), ["A dog runs."])
        ...     (entry,) = store.entries()
        >>> entry.n_sentences, entry.description["model"]
        (1, 'minilm')
    """

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
        _check_encoder(encoder)
        kinds = encoder.chosen(layers, tokens)
        later = [kind for each in ahead for kind in encoder.chosen(*each)]
        all_kinds = tuple(dict.fromkeys((*kinds, *later)))
        texts = _texts(sentences)
        keys = [_key(sentence) for sentence in sentences]
        with _disk_errors(self.root):
            for _ in range(_ATTEMPTS):
                index = self._complete(encoder, texts, kinds, all_kinds)
                embeddings = index.gather(keys, kinds)
                if embeddings is not None:
                    in_use = index.used(kinds)
                    mark_used(in_use)
                    with suppress(OSError):  # what may only be read cannot be tidied
                        stored = (path for folder in self._folders() for path in _files(folder))
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
            self._complete(encoder, _texts(sentences), encoder.tensors, encoder.tensors)

    def missing(self, encoder: Encoder, sentences: Sequence[str]) -> int:
        """Count the distinct sentences of which some kind of vector is not stored."""
        _check_encoder(encoder)
        check_sentences(sentences)
        with _disk_errors(self.root):
            index = _Index(self._folder(encoder), map(_key, sentences))
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
                    freed += sum(map(delete, _files(folder)))
        return freed

    def _folders(self) -> list[Path]:
        """List the encoders' folders, also one whose description was lost."""
        return [p for p in sorted(self.root.glob("*")) if _FOLDER.fullmatch(p.name) and p.is_dir()]

    def _folder(self, encoder: Encoder) -> Path:
        return self.root / encoder.fingerprint[:32]

    def _complete(
        self,
        encoder: Encoder,
        texts: dict[bytes, str],
        kinds: tuple[str, ...],
        ahead: tuple[str, ...],
    ) -> "_Index":
        """Compute what is missing under the encoder's lock, and return an index that has it all."""
        folder = self._folder(encoder)
        index = _Index(folder, texts)
        lacking = index.lacking(kinds)
        if not lacking:
            return index
        self._check_room(encoder.dim * len(kinds) * 4, len(texts), len(lacking))
        make_folder(folder)
        with _locked(folder, texts, kinds):
            description = json.dumps(encoder.description, indent=2, sort_keys=True) + "\n"
            with atomic_write(folder / _DESCRIPTION) as scratch:  # for people
                scratch.write_text(description, encoding="utf-8")
            index = _Index(folder, texts)
            lacking = index.lacking(kinds)
            if not lacking:
                return index
            chosen = self._affordable(encoder, len(texts), kinds, ahead)
            chosen = tuple(kind for kind in chosen if kind not in index.common(lacking))
            n_bytes = 4 * encoder.dim * len(chosen) * len(lacking)
            use = f"{size_text(n_bytes)} of disk" if n_bytes >= _WORTH_SAYING else ""
            if use and self._tell is not None:
                self._tell(f"embedding {len(lacking):,} sentences takes {use}")
            with context.renamed(f"sentences ({use})" if use else "{}"):
                for block in encoder.encode_blocks([texts[key] for key in lacking], kinds=chosen):
                    index.add(_write(folder, [lacking[row] for row in block.rows], block, chosen))
        return index

    def _affordable(
        self, encoder: Encoder, n: int, kinds: tuple[str, ...], ahead: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Choose what is computed: beside what is asked for more, if there is room for it."""
        room = min(self.limit_bytes, _free_bytes(self.root))
        one = 4 * encoder.dim * n
        if one * len(encoder.tensors) <= min(room, self.whole_bytes):
            return encoder.tensors
        return ahead if one * len(ahead) <= room else kinds

    def _check_room(self, each: int, n_wanted: int, n_missing: int) -> None:
        """Refuse before anything is computed what cannot be kept, of `each` bytes a sentence."""
        if each * n_wanted > self.limit_bytes:
            raise ResourceError(
                f"the vectors of {n_wanted:,} sentences take {size_text(each * n_wanted)}, more "
                f"than the cache's bound of {size_text(self.limit_bytes)}: raise "
                "BERTFLOW_CACHE_GB, take fewer sentences, or add --no-store to the command"
            )
        free = _free_bytes(self.root)
        if each * n_missing > free:
            raise ResourceError(
                f"embedding {n_missing:,} sentences needs {size_text(each * n_missing)} but "
                f"{str(self.root)!r} has {size_text(free)} free: free some space, set "
                "BERTFLOW_CACHE to another disk, or add --no-store to the command"
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
        texts = _texts(sentences)
        places = {key: place for place, key in enumerate(texts)}
        x = np.empty((len(texts), encoder.dim), np.float32)
        n_tokens, cut = np.empty(len(texts), np.int32), np.empty(len(texts), bool)
        for block in encoder.encode_blocks(list(texts.values()), kinds=kinds):
            x[block.rows] = block.vectors.mean(axis=0, dtype=np.float64)
            n_tokens[block.rows], cut[block.rows] = block.n_tokens, block.cut
        order = [places[_key(sentence)] for sentence in sentences]
        return Embeddings(x[order], n_tokens[order], cut[order])


def default_limit() -> int:
    """Return the size bound in bytes: `BERTFLOW_CACHE_GB` (gigabytes), or 20 GiB.

    Raises:
        InputError: The variable holds no number above 0.

    Example:
        >>> from bertflow_core.store import default_limit
        >>> default_limit() > 0
        True
    """
    return gigabytes("BERTFLOW_CACHE_GB", _DEFAULT_GIGABYTES)


class _DamagedBlockError(Exception):
    """A block's file is torn or altered."""


@dataclass(frozen=True)
class _BlockFile:
    """What an open block holds; its vectors are read when they are needed."""

    path: Path
    keys: tuple[bytes, ...]
    n_tokens: np.ndarray
    cut: np.ndarray
    kinds: frozenset[str]


class _Index:
    """Where the vectors of the wanted sentences lie; others in a block are passed over."""

    def __init__(self, folder: Path, wanted: Iterable[bytes]) -> None:
        self._places: dict[bytes, list[tuple[_BlockFile, int]]] = {key: [] for key in wanted}
        for path in _files(folder):
            with _dropping(path):
                self.add(_open(path))

    def add(self, block: _BlockFile) -> None:
        """Note the sentences that a block holds."""
        for row, key in enumerate(block.keys):
            if key in self._places:
                self._places[key].append((block, row))

    def lacking(self, kinds: Sequence[str]) -> list[bytes]:
        """Return the sentences that lack a vector of one of these kinds, in their order."""
        return [
            key
            for key, places in self._places.items()
            if not all(any(kind in block.kinds for block, _ in places) for kind in kinds)
        ]

    def common(self, keys: Iterable[bytes]) -> frozenset[str]:
        """Return the kinds of vectors that each of these sentences, at least one, has."""
        stored = ([block.kinds for block, _ in self._places[key]] for key in keys)
        return frozenset.intersection(*(frozenset().union(*each) for each in stored))

    def used(self, kinds: Sequence[str]) -> set[Path]:
        """Return the files that hold these kinds of every sentence."""
        return {self._place(key, kind)[0].path for key in self._places for kind in kinds}

    def gather(self, keys: Sequence[bytes], kinds: Sequence[str]) -> Embeddings | None:
        """Read rows block by block, averaging these kinds; None where a block did not last."""
        places = [[self._place(key, kind) for kind in kinds] for key in keys]
        groups: dict[tuple[Path, ...], list[int]] = {}
        for position, each in enumerate(places):
            groups.setdefault(tuple(block.path for block, _ in each), []).append(position)
        n_tokens, cut = np.empty(len(keys), np.int32), np.empty(len(keys), bool)
        x: np.ndarray | None = None
        is_whole = True
        for paths, chosen in groups.items():
            rows = np.array([[row for _, row in places[position]] for position in chosen]).T
            vectors = []
            for path, kind, at in zip(paths, kinds, rows, strict=True):
                with _dropping(path):
                    vectors.append(_read(path, (kind,))[0][kind][at])
            if len(vectors) < len(kinds):
                is_whole = False  # and look at the others too, so that one pass finds all damage
                continue
            mean = np.mean(vectors, axis=0, dtype=np.float64)
            if x is None:
                x = np.empty((len(keys), mean.shape[1]), np.float32)
            x[chosen] = mean
            first = places[chosen[0]][0][0]
            n_tokens[chosen], cut[chosen] = first.n_tokens[rows[0]], first.cut[rows[0]]
        return Embeddings(x, n_tokens, cut) if is_whole and x is not None else None

    def _place(self, key: bytes, kind: str) -> tuple[_BlockFile, int]:
        return next(place for place in self._places[key] if kind in place[0].kinds)


def _check_encoder(encoder: object) -> None:
    if not hasattr(encoder, "encode_blocks"):
        raise wrong_type(encoder, "an encoder", "a TransformerEncoder or the like")


def _texts(sentences: Sequence[str]) -> dict[bytes, str]:
    """Return the distinct sentences by their keys, at least one."""
    check_sentences(sentences)
    if len(sentences) == 0:
        raise InputError("there are no sentences to embed: expected at least one")
    return {_key(sentence): sentence for sentence in sentences}


def _key(sentence: str) -> bytes:
    """Return 16 bytes that identify a sentence's exact text."""
    return hashlib.sha256(sentence.encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]


def _files(folder: Path) -> list[Path]:
    """List an encoder's blocks: regular files, as no link leads out and no pipe blocks."""
    found = []
    for path in sorted(folder.glob("*.safetensors")):
        with suppress(FileNotFoundError):  # another process may evict it meanwhile
            if stat.S_ISREG(path.lstat().st_mode):
                found.append(path)
    return found


def _write(folder: Path, keys: Sequence[bytes], block: Block, kinds: Sequence[str]) -> _BlockFile:
    """Write a block whole or not at all, named for its keys and kinds, and flush it to the disk."""
    from safetensors.numpy import save

    tensors = {name: np.ascontiguousarray(x) for name, x in block.named(kinds).items()}
    tensors |= {
        "keys": np.frombuffer(b"".join(keys), np.uint8).reshape(-1, _KEY_BYTES),
        "n_tokens": block.n_tokens.astype(np.int32),
        "cut": block.cut.astype(np.uint8),
    }
    digests = {name: _digest(array) for name, array in tensors.items()}
    path = folder / f"{_name(keys, kinds)}.safetensors"
    content = save(tensors, metadata={"digests": json.dumps(digests)})
    with atomic_write(path) as scratch:
        scratch.write_bytes(content)
    return _BlockFile(path, tuple(keys), block.n_tokens, block.cut, frozenset(kinds))


def _open(path: Path) -> _BlockFile:
    """Read a block's keys and token counts, leaving its vectors on the disk."""
    tensors, names = _read(path, _ABOUT)
    keys = tuple(row.tobytes() for row in tensors["keys"])
    kinds = names.difference(_ABOUT)
    if path.stem not in (_name(keys, kinds), _name(keys, ())):
        raise _DamagedBlockError("its sentences are not the ones it is named for")
    return _BlockFile(path, keys, tensors["n_tokens"], tensors["cut"].astype(bool), kinds)


def _read(path: Path, names: Sequence[str]) -> tuple[dict[str, np.ndarray], frozenset[str]]:
    """Map a block, check and return some of its tensors; and the names of all that it holds."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as stream:
            digests = dict(json.loads((stream.metadata() or {})["digests"]))
            tensors = {name: stream.get_tensor(name) for name in names}
    except (
        *(SafetensorError, ValueError, KeyError, RecursionError),
        *(AttributeError, TypeError),  # no such dtype
    ) as error:
        raise _DamagedBlockError(str(error)) from error
    for name, array in tensors.items():
        if digests.get(name) != _digest(array):
            raise _DamagedBlockError(f"the digest of {name} does not match")
    return tensors, frozenset(digests)


@contextmanager
def _dropping(path: Path) -> Iterator[None]:
    """End quietly where a block is gone, evicted by another process; drop a damaged one."""
    try:
        yield
    except FileNotFoundError:
        pass
    except _DamagedBlockError as damage:
        said = f"stored block {path.name} is damaged ({damage}); its sentences are embedded again"
        warnings.warn(said, StoreWarning, stacklevel=3)
        delete(path)


def _name(keys: Sequence[bytes], kinds: Collection[str]) -> str:
    """Return what a block is called; older ones, of all kinds, are called by their keys alone."""
    names = "".join(f" {kind}" for kind in sorted(kinds)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(b"".join(keys) + names).hexdigest()[:32]


def _digest(array: np.ndarray) -> str:
    digest = hashlib.sha256(f"{array.dtype.str} {array.shape} ".encode())
    digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _entry(folder: Path) -> StoreEntry:
    keys: set[bytes] = set()
    stats = []
    for path in _files(folder):
        with _dropping(path):
            block = _open(path)
            stats.append(path.stat())
            keys.update(block.keys)
    description: Any = None
    with suppress(OSError, ValueError, RecursionError):
        description = json.loads(read_file(folder / _DESCRIPTION, _MAX_DESCRIPTION))
    return StoreEntry(
        fingerprint=folder.name,
        description=description if isinstance(description, dict) else {},
        n_sentences=len(keys),
        n_bytes=sum(s.st_size for s in stats),
        last_used=max((s.st_mtime for s in stats), default=0.0),
    )


def _free_bytes(root: Path) -> int:
    """Return the free space of the disk that `root` is, or will be, on."""
    existing = next(p for p in (root, *root.absolute().parents) if p.exists())
    return shutil.disk_usage(existing).free


@contextmanager
def _locked(folder: Path, wanted: Collection[bytes], kinds: Sequence[str]) -> Iterator[None]:
    """Hold the encoder's lock; while another process holds it, report what that one did."""
    lock = FileLock(folder / ".lock")
    while True:
        try:
            lock.acquire(timeout=_POLL_SECONDS)
            break
        except Timeout:
            n_lacking = len(_Index(folder, wanted).lacking(kinds))
            context.report(len(wanted) - n_lacking, len(wanted), "sentences")
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
