"""Pairs, labelled texts and collections, fit corpora, and the provenance of all."""

from bertflow_core.datasets.catalog import DATASETS, available, load_dataset
from bertflow_core.datasets.collection import Collection
from bertflow_core.datasets.corpus import Corpus, load_corpus
from bertflow_core.datasets.own_table import TableColumns, TableReading, read_sentences, read_table
from bertflow_core.datasets.pairs import Pairs
from bertflow_core.datasets.source import Provenance, RawFile
from bertflow_core.datasets.texts import LabelledTexts, Texts
from bertflow_core.datasets.vectors import VectorFile, read_vectors

__all__ = [
    "DATASETS",
    "Collection",
    "Corpus",
    "LabelledTexts",
    "Pairs",
    "Provenance",
    "RawFile",
    "TableColumns",
    "TableReading",
    "Texts",
    "VectorFile",
    "available",
    "load_corpus",
    "load_dataset",
    "read_sentences",
    "read_table",
    "read_vectors",
]
