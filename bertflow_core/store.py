"""Embeddings on disk: content-addressed, memory-mapped, locked, checked and bounded.

A store is a folder with one subfolder per encoder (named by its fingerprint), which holds immutable
blocks: `.safetensors` files with the keys of some sentences, their numbers of tokens, whether they
were cut, and one or more kinds of vectors, a kind being a layer under a token pooling. Of few
sentences a block has every kind, so that any layer set of them is read without a forward pass; of
many only what was asked for. It is named for its keys and kinds, and has a digest of every array.

What a killed run finished is there for the next one. A block that is damaged is a miss: it is
deleted with a warning, and its sentences are embedded again. One that is gone, evicted by another
process, is a miss too.
"""

import hashlib
import json
import re
import stat
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from filelock import FileLock, Timeout

from bertflow_core import context
from bertflow_core.cache import cache_folder, cache_limit, delete, evict, mark_used, sweep_scratch
from bertflow_core.encoders.block import Block, check_sentences
from bertflow_core.errors import InputError, ResourceError, check_type, wrong_type
from bertflow_core.files import PATHS, SAVED, atomic_write, read_file
from bertflow_core.linalg import Rows
from bertflow_core.wording import size_text

if TYPE_CHECKING:
    from bertflow_core.encoders.given import GivenEncoder
    from bertflow_core.encoders.transformer import TransformerEncoder

    Encoder: TypeAlias = TransformerEncoder | GivenEncoder

_DESCRIPTION = "encoder.json"
_MAX_DESCRIPTION = 1 << 20
_FOLDER = re.compile(r"[0-9a-f]{32}")
_KEY_BYTES = 16
_KEYS = f"S{_KEY_BYTES}"
_ABOUT = ("keys", "n_tokens", "cut")
_ATTEMPTS = 3
_POLL_SECONDS = 0.5
_WORTH_SAYING = 1_000_000


class StoreWarning(UserWarning):
    """Something stored was damaged and is computed again."""


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
        encoder: "Encoder",
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
            ResourceError: The disk is full or refuses, or the sentences need more than the bound.
        """
        _check_encoder(encoder)
        kinds = encoder.chosen(layers, tokens)
        later = [kind for each in ahead for kind in encoder.chosen(*each)]
        texts, at = _distinct(sentences)
        every = tuple(dict.fromkeys((*kinds, *later)))
        with _disk_errors(self.root):
            for _ in range(_ATTEMPTS):
                index = self._complete(encoder, texts, kinds, every)
                embeddings = index.gather(at, kinds)
                if embeddings is not None:
                    self._tidy(index.used(kinds))
                    return embeddings
        raise ResourceError(f"stored blocks under {str(self.root)!r} keep getting damaged")

    def fill(self, encoder: "Encoder", sentences: Sequence[str]) -> None:
        """Compute every kind of vector that is not stored of these sentences, as `embed` does."""
        _check_encoder(encoder)
        with _disk_errors(self.root):
            self._complete(encoder, _distinct(sentences)[0], encoder.tensors, encoder.tensors)

    def missing(self, encoder: "Encoder", sentences: Sequence[str]) -> int:
        """Count the distinct sentences of which some kind of vector is not stored."""
        _check_encoder(encoder)
        with _disk_errors(self.root):
            index = _Index(self._folder(encoder), _distinct(sentences)[0])
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
                    freed += sum(map(delete, _block_files(folder)))
        return freed

    def _tidy(self, used: set[Path]) -> None:
        """Note that blocks were used, and delete others above the bound."""
        mark_used(used)
        with suppress(OSError):  # what may only be read cannot be tidied
            stored = (path for folder in self._folders() for path in _block_files(folder))
            evict(stored, self.limit_bytes, keep=used)

    def _folders(self) -> list[Path]:
        """List the encoders' folders, also one whose description was lost."""
        return [p for p in sorted(self.root.glob("*")) if _FOLDER.fullmatch(p.name) and p.is_dir()]

    def _folder(self, encoder: "Encoder") -> Path:
        name = encoder.fingerprint
        if self._dtype == np.float16:
            name = hashlib.sha256(f"{name} float16".encode()).hexdigest()
        return self.root / name[:32]

    def _complete(
        self,
        encoder: "Encoder",
        texts: dict[bytes, str],
        kinds: tuple[str, ...],
        ahead: tuple[str, ...],
    ) -> "_Index":
        """Compute what is missing under the encoder's lock, and return an index that has it all."""
        folder, kind_bytes = self._folder(encoder), self._dtype.itemsize * encoder.dim
        index = _Index(folder, texts)
        lacking = index.lacking(kinds)
        if not lacking:
            return index
        n_bytes = kind_bytes * len(kinds) * len(texts)
        if n_bytes > self.limit_bytes:  # refused before anything is computed
            raise ResourceError(
                f"the vectors of {len(texts):,} sentences take {size_text(n_bytes)}, more than the "
                f"cache's bound of {size_text(self.limit_bytes)}: raise BERTFLOW_CACHE_GB, take "
                "fewer sentences, or add --no-store to the command"
            )
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder, texts, kinds):
            description = json.dumps(encoder.description, indent=2, sort_keys=True) + "\n"
            with atomic_write(folder / _DESCRIPTION) as scratch:  # for people
                scratch.write_text(description, encoding="utf-8")
            index = _Index(folder, texts)
            lacking = index.lacking(kinds)
            if not lacking:
                return index
            each = kind_bytes * len(texts)  # more than is asked for is computed, if it fits
            is_small = each * len(encoder.tensors) <= min(self.limit_bytes, self.whole_bytes)
            more = ahead if each * len(ahead) <= self.limit_bytes else kinds
            known = index.common(lacking)
            chosen = [k for k in (encoder.tensors if is_small else more) if k not in known]
            n_bytes = kind_bytes * len(chosen) * len(lacking)
            if self._tell is not None and n_bytes >= _WORTH_SAYING:
                size = f"{size_text(n_bytes)} of disk"
                self._tell(f"embedding {len(lacking):,} sentences takes {size}")
            for block in encoder.encode_blocks([texts[key] for key in lacking], kinds=chosen):
                keys = [lacking[row] for row in block.rows]
                index.add(_write_block(folder, keys, block, chosen, self._dtype))
        return index


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
        encoder: "Encoder",
        sentences: Sequence[str],
        *,
        layers: str = "layer:4",
        tokens: str = "mean",
        ahead: Sequence[tuple[str, str]] = (),  # nothing is kept for later
    ) -> Embeddings:
        """Return the embeddings of `sentences`, each distinct one computed once."""
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
    keys = [_key_of(each) for each in sentences]
    texts = dict(zip(keys, sentences, strict=True))
    places = {key: place for place, key in enumerate(texts)}
    return texts, np.array([places[key] for key in keys])


def _entry(folder: Path) -> StoreEntry:
    blocks = [block for block in map(_open_block, _block_files(folder)) if block is not None]
    stats = []
    for block in blocks:
        with suppress(FileNotFoundError):
            stats.append(block.path.stat())
    description: Any = None
    with suppress(OSError, ValueError, RecursionError):
        description = json.loads(read_file(folder / _DESCRIPTION, _MAX_DESCRIPTION))
    return StoreEntry(
        folder.name,
        description if isinstance(description, dict) else {},
        len({key for block in blocks for key in block.keys.tolist()}),
        sum(each.st_size for each in stats),
        max((each.st_mtime for each in stats), default=0.0),
    )


@contextmanager
def _locked(folder: Path, texts: Collection[bytes], kinds: Sequence[str]) -> Iterator[None]:
    """Hold the encoder's lock; while another process holds it, report what that one did."""
    lock = FileLock(folder / ".lock")
    while True:
        try:
            lock.acquire(timeout=_POLL_SECONDS)
            break
        except Timeout:
            n_lacking = len(_Index(folder, texts).lacking(kinds))
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


@dataclass(frozen=True)
class _BlockFile:
    """What a block holds but its vectors, which are read when they are needed."""

    path: Path
    keys: np.ndarray
    n_tokens: np.ndarray
    cut: np.ndarray
    kinds: frozenset[str]


class _Index:
    """Where each kind of vector of the wanted sentences lies: a block's number and a row of it."""

    def __init__(self, folder: Path, wanted: Collection[bytes]) -> None:
        self._wanted = list(wanted)
        self._keys = np.array(self._wanted, _KEYS)
        self._order = np.argsort(self._keys)
        self._blocks: list[_BlockFile] = []
        self._places: dict[str, Rows] = {}  # (2, N): block, -1 for none, and row
        for path in _block_files(folder):
            block = _open_block(path)
            if block is not None:
                self.add(block)

    def add(self, block: _BlockFile) -> None:
        """Note the wanted sentences that a block holds."""
        nearest = np.searchsorted(self._keys, block.keys, sorter=self._order)
        at = self._order[np.minimum(nearest, len(self._keys) - 1)]
        rows = np.flatnonzero(self._keys[at] == block.keys)
        if len(rows) == 0:
            return
        for kind in block.kinds:
            self._of(kind)[:, at[rows]] = np.full(len(rows), len(self._blocks)), rows
        self._blocks.append(block)

    def lacking(self, kinds: Sequence[str]) -> list[bytes]:
        """Return the sentences that lack a vector of one of these kinds, in their order."""
        lacks = np.any([self._of(kind)[0] < 0 for kind in kinds], axis=0)
        return [self._wanted[i] for i in np.flatnonzero(lacks)]

    def common(self, keys: Sequence[bytes]) -> set[str]:
        """Return the kinds of vectors that each of these sentences has."""
        among = np.isin(self._keys, np.array(keys, _KEYS))
        return {kind for kind, places in self._places.items() if (places[0, among] >= 0).all()}

    def used(self, kinds: Sequence[str]) -> set[Path]:
        """Return the files that hold these kinds of every sentence."""
        return {self._blocks[i].path for kind in kinds for i in np.unique(self._of(kind)[0])}

    def gather(self, at: Rows, kinds: Sequence[str]) -> Embeddings | None:
        """Average these kinds of the sentences at some places; None where a block did not last."""
        x: np.ndarray | None = None
        n_tokens, cut = np.empty(len(at), np.int32), np.empty(len(at), bool)
        is_whole = True
        for kind in kinds:
            blocks, rows = self._of(kind)[:, at]
            for number in np.unique(blocks):
                chosen, block = np.flatnonzero(blocks == number), self._blocks[number]
                found = _read(block.path, (kind,))
                if found is None:
                    is_whole = False  # and look at the others too, so that one pass finds all
                    continue
                vectors, row = found[0][kind], rows[chosen]
                if x is None:  # only sums need float64
                    x = np.zeros((len(at), vectors.shape[1]), "f4" if len(kinds) == 1 else "f8")
                x[chosen] += vectors[row]
                n_tokens[chosen], cut[chosen] = block.n_tokens[row], block.cut[row]
        if x is None or not is_whole:
            return None
        if len(kinds) > 1:
            x /= len(kinds)
        return Embeddings(x.astype(np.float32, copy=False), n_tokens, cut)

    def _of(self, kind: str) -> Rows:
        if kind not in self._places:
            self._places[kind] = np.full((2, len(self._keys)), -1)
        return self._places[kind]


def _key_of(sentence: str) -> bytes:
    """Return what identifies a sentence's exact text."""
    return hashlib.sha256(sentence.encode()).digest()[:_KEY_BYTES]


def _block_files(folder: Path) -> list[Path]:
    """List an encoder's blocks: regular files, as no link leads out and no pipe blocks."""
    found = []
    for path in sorted(folder.glob(f"*{SAVED}")):
        with suppress(FileNotFoundError):  # another process may evict it meanwhile
            if stat.S_ISREG(path.lstat().st_mode):
                found.append(path)
    return found


def _write_block(
    folder: Path, keys: Sequence[bytes], block: Block, kinds: Sequence[str], dtype: np.dtype[Any]
) -> _BlockFile:
    """Write a block whole or not at all, named for its keys and kinds."""
    from safetensors.numpy import save

    tensors = {name: np.ascontiguousarray(x, dtype) for name, x in block.named(kinds).items()}
    if dtype == np.float16 and not all(np.isfinite(x).all() for x in tensors.values()):
        raise InputError("these vectors are too large for float16: take a store without half")
    tensors |= {
        "keys": np.frombuffer(b"".join(keys), np.uint8).reshape(-1, _KEY_BYTES),
        "n_tokens": block.n_tokens.astype(np.int32),
        "cut": block.cut.astype(np.uint8),
    }
    digests = {name: _digest(array) for name, array in tensors.items()}
    path = folder / f"{_name(b''.join(keys), kinds)}{SAVED}"
    with atomic_write(path) as scratch:
        scratch.write_bytes(save(tensors, metadata={"digests": json.dumps(digests)}))
    return _BlockFile(path, np.array(keys, _KEYS), block.n_tokens, block.cut, frozenset(kinds))


def _open_block(path: Path) -> _BlockFile | None:
    """Read a block but its vectors; None where it is gone or damaged."""
    found = _read(path, _ABOUT)
    if found is None:
        return None
    tensors, names = found
    keys = tensors["keys"].reshape(-1, _KEY_BYTES).view(_KEYS).ravel()
    return _BlockFile(
        path, keys, tensors["n_tokens"], tensors["cut"].astype(bool), names.difference(_ABOUT)
    )


def _read(path: Path, names: Sequence[str]) -> tuple[dict[str, np.ndarray], frozenset[str]] | None:
    """Map a block, check and return some of its tensors; and the names of all that it holds.

    None where another process evicted it, or where it is damaged: then it is deleted too.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as stream:
            digests = dict(json.loads((stream.metadata() or {})["digests"]))
            tensors = {name: stream.get_tensor(name) for name in names}
        for name, array in tensors.items():
            if digests.get(name) != _digest(array):
                raise ValueError(f"the digest of {name} does not match")
        if "keys" in tensors:
            keys, kinds = tensors["keys"].tobytes(), digests.keys() - set(_ABOUT)
            if path.stem not in (_name(keys, kinds), _name(keys, ())):
                raise ValueError("its sentences are not the ones it is named for")
    except FileNotFoundError:
        return None
    except (
        *(SafetensorError, ValueError, KeyError, RecursionError),
        *(AttributeError, TypeError),  # no such dtype
    ) as damage:
        said = f"stored block {path.name} is damaged ({damage}); its sentences are embedded again"
        warnings.warn(said, StoreWarning, stacklevel=2)
        delete(path)
        return None
    return tensors, frozenset(digests)


def _name(keys: bytes, kinds: Collection[str]) -> str:
    """Return what a block is called; older ones, of all kinds, are called by their keys alone."""
    names = "".join(f" {kind}" for kind in sorted(kinds)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(keys + names).hexdigest()[:32]


def _digest(array: np.ndarray) -> str:
    digest = hashlib.sha256(f"{array.dtype.str} {array.shape} ".encode())
    digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
