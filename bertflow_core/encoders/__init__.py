"""Encoders: where models come from and how sentences become vectors."""

from bertflow_core.encoders.block import Block
from bertflow_core.encoders.catalog import CATALOG, CatalogEntry, resolve_model
from bertflow_core.encoders.declared import DeclaredEncoder
from bertflow_core.encoders.declared_folder import declared_pipeline, open_declared
from bertflow_core.encoders.layers import LayerSet
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.pooling import TokenPooling
from bertflow_core.encoders.transformer import TransformerEncoder
from bertflow_core.encoders.word_vectors import WordVectors

__all__ = [
    "CATALOG",
    "Block",
    "CatalogEntry",
    "DeclaredEncoder",
    "LayerSet",
    "ModelFolder",
    "TokenPooling",
    "TransformerEncoder",
    "WordVectors",
    "declared_pipeline",
    "open_declared",
    "resolve_model",
]
