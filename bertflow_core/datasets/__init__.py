"""Sentence pairs with gold scores, sentences to fit on, and where each of them came from."""

from bertflow_core.datasets.benchmarks import Split
from bertflow_core.datasets.catalog import DATASETS, DatasetInfo, available, load_pairs
from bertflow_core.datasets.columns import TableColumns
from bertflow_core.datasets.corpus import Corpus, corpus_of
from bertflow_core.datasets.fit_on import load_corpus
from bertflow_core.datasets.own_table import (
    TableReading,
    other_columns,
    read_sentences,
    read_table,
)
from bertflow_core.datasets.pairs import SentencePairs
from bertflow_core.datasets.rows import Refusal
from bertflow_core.datasets.source import Provenance, RawFile, SourceFile
from bertflow_core.datasets.tables import table_header
from bertflow_core.datasets.vectors import VectorFile, read_vectors

__all__ = [
    "DATASETS",
    "Corpus",
    "DatasetInfo",
    "Provenance",
    "RawFile",
    "Refusal",
    "SentencePairs",
    "SourceFile",
    "Split",
    "TableColumns",
    "TableReading",
    "VectorFile",
    "available",
    "corpus_of",
    "load_corpus",
    "load_pairs",
    "other_columns",
    "read_sentences",
    "read_table",
    "read_vectors",
    "table_header",
]
