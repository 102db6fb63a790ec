"""Encoders: where models come from and how sentences become vectors."""

from bertflow_core.encoders.catalog import CATALOG, CatalogEntry, resolve_model
from bertflow_core.encoders.layers import LayerSet
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.pooling import TokenPooling
from bertflow_core.encoders.transformer import TransformerEncoder

__all__ = [
    "CATALOG",
    "CatalogEntry",
    "LayerSet",
    "ModelFolder",
    "TokenPooling",
    "TransformerEncoder",
    "resolve_model",
]
