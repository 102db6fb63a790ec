"""Embeddings on disk: content-addressed, memory-mapped, locked, checked and bounded."""

from bertflow_core.store.location import default_limit, default_root
from bertflow_core.store.reading import Embeddings, StoreWarning
from bertflow_core.store.store import EmbeddingStore, Encoder, StoreEntry

__all__ = [
    "EmbeddingStore",
    "Embeddings",
    "Encoder",
    "StoreEntry",
    "StoreWarning",
    "default_limit",
    "default_root",
]
