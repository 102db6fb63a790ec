"""Embeddings on disk: content-addressed, memory-mapped, locked, checked and bounded."""

from bertflow_core.store.entries import StoreEntry
from bertflow_core.store.location import default_limit, default_root
from bertflow_core.store.reading import Embeddings, StoreWarning
from bertflow_core.store.request import Encoder
from bertflow_core.store.store import EmbeddingStore
from bertflow_core.store.unstored import Unstored

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
