"""Sentence pairs with gold scores, fit corpora, and the provenance of both."""

from bertflow_core.datasets.catalog import DATASETS, available, load_pairs
from bertflow_core.datasets.corpus import Corpus, load_corpus
from bertflow_core.datasets.own_table import TableColumns, TableReading, read_sentences, read_table
from bertflow_core.datasets.pairs import SentencePairs
from bertflow_core.datasets.source import Provenance, RawFile
from bertflow_core.datasets.vectors import VectorFile, read_vectors

__all__ = [
    "DATASETS",
    "Corpus",
    "Provenance",
    "RawFile",
    "SentencePairs",
    "TableColumns",
    "TableReading",
    "VectorFile",
    "available",
    "load_corpus",
    "load_pairs",
    "read_sentences",
    "read_table",
    "read_vectors",
]
