"""What a recipe scores and fits on: named data sets and tables, or the rows of given vectors.

A row of vectors is known by its sentence where the files name one, else by its number, such as
`first 17`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.datasets import (
    DATASETS,
    Corpus,
    Provenance,
    RawFile,
    SentencePairs,
    TableColumns,
    VectorFile,
    corpus_of,
    load_corpus,
    load_pairs,
    read_vectors,
)
from bertflow_core.datasets.columns import (
    SCORE_NAMES,
    SUBSET_NAMES,
    choose_column,
    choose_columns,
    known_columns,
)
from bertflow_core.datasets.fit_on import TARGET
from bertflow_core.datasets.own_table import DEFAULT_SCALE, reading_of
from bertflow_core.datasets.pairs import ROWS, PairRow, pairs_of_rows
from bertflow_core.datasets.rows import Table
from bertflow_core.datasets.tables import open_table
from bertflow_core.datasets.vectors import VECTOR_ENDINGS
from bertflow_core.encoders.given import OWN, GivenEncoder, own_files
from bertflow_core.encoders.running import Block
from bertflow_core.errors import InputError, listed
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

EVERY_VECTOR = "vectors"
"""The fit corpus of every vector that the model's files hold."""

_FIRST, _SECOND = "(first)", "(second)"
"""Columns of row numbers, where a table has none of sentences."""

_NEARLY_EQUAL = 1e-2
"""Largest distance, relative to their length, of two vectors that are taken for one sentence's:
services round and repeat with small errors."""


class RowVectors(GivenEncoder):
    """An encoder that knows the vectors of some sentences, the rows of files, and of no others.

    There is a sentence for every row of all files; the name stands for the first `n_named` files.
    """

    def __init__(
        self,
        name: str,
        files: Sequence[VectorFile],
        sentences: Sequence[str],
        *,
        n_named: int,
        revision: str | None = None,
    ) -> None:
        digests = [file.source.sha256 for file in files]
        digest = hashlib.sha256("".join(digests[:n_named]).encode()).hexdigest()
        super().__init__(name, digest, revision, digests)
        widths = {file.x.shape[1] for file in files}
        if len(widths) > 1:
            raise InputError(
                f"vectors of {min(widths):,} and of {max(widths):,} features: expected one width, "
                "those of one encoder"
            )
        self.dim = int(widths.pop())
        self._files = tuple(files)
        self._rows: dict[str, int] = {}
        for row, sentence in enumerate(sentences):
            first = self._rows.setdefault(sentence, row)
            if first != row:
                self._check_equal(sentence, first, row)

    @property
    def description(self) -> dict[str, Any]:
        """What decides the vectors, JSON-able."""
        files = [
            {"name": file.name, "sha256": file.source.sha256, "shape": file.shape}
            for file in self._files
        ]
        return {**super().description, "files": files}

    def encode(self, sentences: Sequence[str]) -> Block:
        """Look sentences up; one without a vector is refused."""
        rows = np.array([self._rows.get(sentence, -1) for sentence in sentences], np.int64)
        unknown = np.flatnonzero(rows < 0)
        if len(unknown):
            raise InputError(
                f"{len(unknown):,} of {len(rows):,} sentences have no vector in "
                f"{quoted(self.model.name)}, the first of them {quoted(sentences[unknown[0]])}: "
                "give their vectors, or fit on those that are there: the fit corpus vectors"
            )
        n = len(rows)
        context.report(n, n, "sentences")
        return Block(
            np.arange(n), self._gather(rows)[None], np.zeros(n, np.int32), np.zeros(n, bool)
        )

    def _check_equal(self, sentence: str, first: int, second: int) -> None:
        x, y = self._gather(np.array([first, second])).astype(np.float64)
        if np.linalg.norm(x - y) > _NEARLY_EQUAL * max(np.linalg.norm(x), np.linalg.norm(y)):
            raise InputError(
                f"{quoted(sentence)} has two different vectors, in rows {first + 1:,} and "
                f"{second + 1:,} of {quoted(self.model.name)}: expected one for each sentence; "
                "leave the sentences out to compare row by row"
            )

    def _gather(self, rows: np.ndarray) -> FloatArray:
        """Return rows in float32, shape (n, D); the file's own memory where that is all of it."""
        whole = self._files[0].x
        if len(rows) == len(whole) and np.array_equal(rows, np.arange(len(rows))):
            return np.asarray(whole, np.float32)
        x, start = np.empty((len(rows), self.dim), np.float32), 0
        for file in self._files:
            own = (rows >= start) & (rows < start + len(file.x))
            x[own] = file.x[rows[own] - start]
            start += len(file.x)
        return x


@dataclass(frozen=True)
class RecipeData:
    """The data of a recipe whose encoder takes any sentence; some may be in memory, by name."""

    recipe: Recipe
    data_dir: str | Path | None = None
    strict: bool = False
    files: Mapping[str, RawFile] = field(default_factory=dict, repr=False)
    tables: Mapping[str, tuple[SentencePairs, Corpus]] = field(default_factory=dict, repr=False)

    @property
    def pairs(self) -> SentencePairs:
        """What is scored."""
        name = self.recipe.dataset
        pairs = self.tables[name][0] if name in self.tables else self._named_pairs()
        if not pairs.has_words:
            raise InputError(
                f"{quoted(name)} has vectors and no sentences, which {quoted(self.recipe.model)} "
                "would need: choose the model vectors"
            )
        return pairs

    @property
    def corpus(self) -> Corpus:
        """What is fitted on."""
        if self.recipe.dataset in self.tables:
            return self.tables[self.recipe.dataset][1]
        return self._named_corpus(self.recipe.fit_on)

    @property
    def all_sentences(self) -> Corpus:
        """Every sentence of every split of the data set, duplicates kept."""
        if self.recipe.dataset in self.tables:
            return corpus_of([self.tables[self.recipe.dataset][0]])
        return self._named_corpus(TARGET)

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments that the readers of data sets take."""
        return {
            "data_dir": self.data_dir,
            "columns": self.recipe.table_columns(),
            "scale": self.recipe.gold_scale(),
            "strict": self.strict,
        }

    def _named_pairs(self) -> SentencePairs:
        name, split = self._file(self.recipe.dataset), self.recipe.split
        return load_pairs(name, split=split, **self.options())

    def _named_corpus(self, fit_on: str) -> Corpus:
        return load_corpus(self._file(self.recipe.dataset), self._file(fit_on), **self.options())

    def _file(self, name: str) -> str | RawFile:
        """Return the file in memory that a recipe names, or the name."""
        return self.files.get(name, name)


class OwnData(RecipeData):
    """The data of a recipe whose model is given vectors of sentences, and the encoder of those."""

    @cached_property
    def pairs(self) -> SentencePairs:
        """What is scored: pairs with their words, or numbered rows where there are none."""
        name = self.recipe.dataset
        if name in self.tables:
            return self.tables[name][0]
        if self._has_names or name in DATASETS:
            return self._named_pairs()
        if self.recipe.model == OWN:
            return _single_rows(self._vectors[0])
        n = len(self._vectors[0].x)
        return _pairs_by_row(open_table(self._source(name)), n, self.recipe)

    @cached_property
    def corpus(self) -> Corpus:
        """What is fitted on."""
        recipe = self.recipe
        if recipe.fit_on == EVERY_VECTOR:
            return _corpus_of(self._vectors, tuple(dict.fromkeys(self._sentences)))
        if self._fit_file is not None:
            return _corpus_of([self._fit_file], _names_of(self._fit_file, "fit"))
        is_by_row = recipe.dataset not in self.tables and not self._has_names
        if recipe.fit_on == TARGET and is_by_row and recipe.dataset not in DATASETS:
            return corpus_of([self.pairs])
        return super().corpus

    @property
    def all_sentences(self) -> Corpus:
        """Every sentence of the data set that is expected to have a vector."""
        return self.corpus if self.recipe.fit_on == TARGET else corpus_of([self.pairs])

    @cached_property
    def encoder(self) -> RowVectors:
        """The vectors, by sentence."""
        recipe, files, sentences = self.recipe, self._vectors, self._sentences
        if self._fit_file is not None:
            files = (*files, self._fit_file)
            sentences = (*sentences, *_names_of(self._fit_file, "fit"))
        n_named = len(self._vectors)
        return RowVectors(recipe.model, files, sentences, n_named=n_named, revision=recipe.revision)

    @cached_property
    def _vectors(self) -> tuple[VectorFile, ...]:
        """One file, by sentence, or the two sides of pairs, row by row."""
        names = own_files(self.recipe.model) or (self.recipe.dataset,)
        files = tuple(read_vectors(self._source(name)) for name in names)
        if len(files) == 2 and files[0].x.shape != files[1].x.shape:
            raise InputError(
                f"the two sides of pairs have {files[0].shape} and {files[1].shape} numbers: "
                "expected one shape, row by row"
            )
        return files

    @property
    def _has_names(self) -> bool:
        """Whether the files name each vector's sentence, so that any data set can be scored."""
        return self.recipe.model != OWN and len(self._vectors) == 1

    @cached_property
    def _sentences(self) -> tuple[str, ...]:
        """The sentence, or its number, of every row of the files."""
        file = self._vectors[0]
        if not self._has_names:
            pairs = self.pairs
            _check_rows(pairs.name, len(pairs), len(file.x))
            return pairs.first if len(self._vectors) == 1 else (*pairs.first, *pairs.second)
        if file.names is None:
            raise InputError(
                f"{quoted(file.name)} does not say which sentence each vector is of: write a "
                "parquet table with a column of sentences, or give two files, one a side, with "
                "--vectors"
            )
        return file.names

    @cached_property
    def _fit_file(self) -> VectorFile | None:
        """The file of vectors that is fitted on, if it is one of its own."""
        name = self.recipe.fit_on
        is_one = name.lower().endswith(VECTOR_ENDINGS)
        return read_vectors(self._source(name)) if is_one else None

    def _source(self, name: str) -> Path | RawFile:
        return self.files.get(name) or Path(name)


def _numbered(side: str, n: int) -> tuple[str, ...]:
    """Return what stands for the sentences of `n` vectors; rows count from 1."""
    return tuple(f"{side} {row}" for row in range(1, n + 1))


def _names_of(file: VectorFile, side: str) -> tuple[str, ...]:
    return file.names or _numbered(side, len(file.x))


def _single_rows(file: VectorFile) -> SentencePairs:
    stem = PurePath(file.name).stem
    return pairs_of_rows(
        [PairRow(name, None, None, stem) for name in _names_of(file, "row")],
        [file.source],
        name=stem,
        scale=DEFAULT_SCALE,
        source=f"The file {file.name}.",
        layout=ROWS if file.names is None else "table",
    )


def _corpus_of(files: Sequence[VectorFile], names: tuple[str, ...]) -> Corpus:
    where = listed([file.name for file in files])
    provenance = Provenance(
        source=f"The vectors of {where}.",
        licence="not stated",
        layout=ROWS,
        files=tuple(file.source for file in files),
        counts=(("vectors", len(names)),),
    )
    return Corpus(names, f"{len(names):,} vectors of {where}.", (provenance,))


def _pairs_by_row(table: Table, n: int, recipe: Recipe) -> SentencePairs:
    """Return the pairs of a table whose rows are those of `n` vectors a side, none left out."""
    _check_rows(table.name, len(table.rows), n)
    columns = recipe.table_columns() if recipe.sentence1 else known_columns(table.header)
    layout = "table"
    if columns is None or (recipe.sentence1 is None and columns.sentence2 is None):
        columns, layout = _columns_of_scores(table, recipe), ROWS
        table = _with_numbers(table)
    columns = choose_columns(table.name, table.header, columns)
    return reading_of(table, columns, recipe.gold_scale(), strict=True, layout=layout).pairs


def _columns_of_scores(table: Table, recipe: Recipe) -> TableColumns:
    score = choose_column(table.name, table.header, SCORE_NAMES, recipe.score)
    subset = choose_column(table.name, table.header, SUBSET_NAMES, recipe.subset)
    if score is None and len(table.header) == 1:
        score = table.header[0]
    if score is None:
        raise InputError(
            f"{quoted(table.name)} has no column known to hold gold scores: name it, or call it "
            f"score; its columns are {listed(table.header)}"
        )
    return TableColumns(_FIRST, _SECOND, score, subset)


def _with_numbers(table: Table) -> Table:
    """Return a table with its rows' numbers, counted from 1, as the sentences of its pairs."""

    def column(name: str) -> Sequence[object]:
        if name in (_FIRST, _SECOND):
            return _numbered(name[1:-1], len(table.rows))
        return table.column(name)

    return replace(table, header=(*table.header, _FIRST, _SECOND), column=column)


def _check_rows(name: str, n_rows: int, n: int) -> None:
    """Refuse a table whose rows are not those of the vectors."""
    if n_rows != n:
        raise InputError(
            f"{quoted(name)} has {n_rows:,} rows for {n:,} pairs of vectors: expected one a pair "
            "below the header, in the same order"
        )
