"""Embeddings on disk: computed once, checked on reading, bounded in size."""

from bertflow_core.store.embeddings import Embeddings, EmbeddingStore, StoreEntry, Unstored

__all__ = ["EmbeddingStore", "Embeddings", "StoreEntry", "Unstored"]
