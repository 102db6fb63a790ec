"""What a store holds of each encoder, for people."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bertflow_core.store import blocks
from bertflow_core.store.reading import open_or_drop

__all__ = ["StoreEntry", "entry_of"]


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


def entry_of(folder: Path) -> StoreEntry:
    """Read an encoder's folder; damaged blocks are dropped."""
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
