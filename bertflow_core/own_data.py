"""Vectors that somebody else computed, as an encoder with what it scores and what it fits on."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from bertflow_core.datasets import (
    DATASETS,
    Corpus,
    Provenance,
    RawFile,
    SentencePairs,
    SourceFile,
    TableColumns,
    VectorFile,
    corpus_of,
    load_corpus,
    load_pairs,
    read_sentences,
    read_vectors,
)
from bertflow_core.datasets.columns import SCORE_NAMES, SUBSET_NAMES, first_of, known_columns
from bertflow_core.datasets.fit_on import TARGET
from bertflow_core.datasets.own_table import DEFAULT_SCALE, read_table, scale_of
from bertflow_core.datasets.pairs import ROWS, PairRow, pairs_of_rows
from bertflow_core.datasets.rows import Record, Table, name_cell, refuse, score_cell
from bertflow_core.datasets.tables import open_table
from bertflow_core.datasets.vectors import VECTOR_ENDINGS
from bertflow_core.encoders.own_vectors import OwnVectors
from bertflow_core.encoders.static import OWN, StaticModel, own_files
from bertflow_core.errors import InputError, check_name, listed
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

EVERY_VECTOR = "vectors"
"""The fit corpus of every vector that the model's files hold."""

_SENTENCES = ".txt"
_DIGITS = 40


@dataclass(frozen=True)
class OwnData:
    """The data of a recipe whose model is vectors of one's own.

    Attributes:
        recipe: Its model names the files.
        options: Returns the keyword arguments of the readers of data sets.
        files: Files already in memory, by the name that the recipe gives them.
        tables: Pairs already in memory, by the name that the recipe's `dataset` gives them.
    """

    recipe: Recipe
    options: Callable[[], Mapping[str, Any]] = field(default=dict, repr=False)
    files: Mapping[str, RawFile] = field(default_factory=dict, repr=False)
    tables: Mapping[str, tuple[SentencePairs, Corpus]] = field(default_factory=dict, repr=False)

    @cached_property
    def pairs(self) -> SentencePairs:
        """What is scored: pairs with their words, or numbered rows where there are none."""
        name = self.recipe.dataset
        if name in self.tables:
            return self.tables[name][0]
        if self._has_names or name in DATASETS:
            return load_pairs(name, split=self.recipe.split, **self.options())
        if self.recipe.model != OWN:
            return self._table_pairs(len(self._sides[0]))
        file = self._vectors[0]
        return single_rows(file.source, len(file.x), file.names)

    @cached_property
    def corpus(self) -> Corpus:
        """What is fitted on."""
        recipe = self.recipe
        if recipe.fit_on == EVERY_VECTOR:
            return self._corpus_of(self._vectors, dict.fromkeys(self._sentences))
        if self._fit_file is not None:
            return self._corpus_of([self._fit_file], self._fit_names)
        if recipe.dataset in self.tables:
            return self.tables[recipe.dataset][1]
        if recipe.fit_on == TARGET and not self._has_names and recipe.dataset not in DATASETS:
            return corpus_of([self.pairs])
        return load_corpus(recipe.dataset, recipe.fit_on, **self.options())

    @property
    def all_sentences(self) -> Corpus:
        """Every sentence of the data set that is expected to have a vector."""
        return self.corpus if self.recipe.fit_on == TARGET else corpus_of([self.pairs])

    @cached_property
    def encoder(self) -> OwnVectors:
        """The vectors, by sentence."""
        parts, sentences = list(self._sides), list(self._sentences)
        files = [*self._vectors]
        if self._fit_file is not None:
            parts, files = [*parts, self._fit_file.x], [*files, self._fit_file]
            sentences += self._fit_names
        described = [
            {"name": file.name, "sha256": file.source.sha256, "shape": file.shape} for file in files
        ]
        model = StaticModel(self.recipe.model, self._revision())
        return OwnVectors(model, parts, sentences, described)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return own_files(self.recipe.model) or (self.recipe.dataset,)

    @cached_property
    def _vectors(self) -> tuple[VectorFile, ...]:
        vectors = [name for name in self._names if not name.endswith(_SENTENCES)]
        return tuple(read_vectors(self._source(name)) for name in vectors)

    @property
    def _has_names(self) -> bool:
        """Whether the files name each vector's sentence, so that any data set can be scored."""
        return self.recipe.model != OWN and len(self._vectors) == 1

    @cached_property
    def _sides(self) -> tuple[FloatArray, ...]:
        """One array by sentence, or the two sides of pairs, row by row."""
        sides = tuple(file.x for file in self._vectors)
        if len(sides) == 2 and sides[0].shape != sides[1].shape:
            first, second = (f"{len(x):,} x {x.shape[1]:,}" for x in sides)
            raise InputError(
                f"the two sides of pairs have {first} and {second} numbers: expected one shape, "
                "row by row"
            )
        return sides

    @cached_property
    def _sentences(self) -> tuple[str, ...]:
        """The sentence, or its number, of every row of `_sides`."""
        if self._has_names:
            return self._named()
        pairs = self.pairs
        check_rows(pairs.name, len(pairs), len(self._sides[0]))
        if len(self._sides) == 1:
            return pairs.first
        return (*pairs.first, *pairs.second)

    def _named(self) -> tuple[str, ...]:
        file = self._vectors[0]
        names = file.names
        if len(self._names) > 1:
            names = read_sentences(Path(self._names[1]))
        if names is None:
            raise InputError(
                f"{quoted(file.name)} does not say which sentence each vector is of: add a column "
                "of sentences to a parquet table, name a text file of them (vectors:x.npy,x.txt), "
                "or give two files, one a side, with --vectors"
            )
        if len(names) != len(file.x):
            raise InputError(
                f"{quoted(self._names[1])} has {len(names):,} sentences for {file.shape} numbers "
                f"of {quoted(file.name)}: expected one a row"
            )
        return names

    @cached_property
    def _fit_file(self) -> VectorFile | None:
        """The file of vectors that is fitted on, if it is one of its own."""
        name = self.recipe.fit_on
        if not name.lower().endswith(VECTOR_ENDINGS):
            return None
        return read_vectors(self._source(name))

    @property
    def _fit_names(self) -> tuple[str, ...]:
        assert self._fit_file is not None
        return self._fit_file.names or row_names("fit", len(self._fit_file.x))

    def _table_pairs(self, n: int) -> SentencePairs:
        recipe = self.recipe
        return pairs_by_row(
            self._source(recipe.dataset),
            n,
            columns=recipe.table_columns() if recipe.sentence1 else None,
            score=recipe.score,
            subset=recipe.subset,
            scale=recipe.gold_scale(),
        )

    def _source(self, name: str) -> Path | RawFile:
        return self.files.get(name) or Path(name)

    def _revision(self) -> str:
        """Return the digest of the model's files, and refuse others than the recipe's."""
        digests = "".join(file.source.sha256 for file in self._vectors)
        digest = hashlib.sha256(digests.encode()).hexdigest()[:_DIGITS]
        if self.recipe.revision not in (None, digest):
            raise InputError(
                f"the files of {quoted(self.recipe.model)} have digest {digest}, the recipe names "
                f"{quoted(self.recipe.revision)}: give the same files, or leave the revision out"
            )
        return digest

    @staticmethod
    def _corpus_of(files: Sequence[VectorFile], sentences: Iterable[str]) -> Corpus:
        names, where = tuple(sentences), listed([file.name for file in files])
        provenance = Provenance(
            source=f"The vectors of {where}.",
            licence="not stated",
            layout=ROWS,
            files=tuple(file.source for file in files),
            counts=(("vectors", len(names)),),
        )
        return Corpus(names, f"{len(names):,} vectors of {where}.", (provenance,))


def row_names(side: str, n: int) -> tuple[str, ...]:
    """Return what stands for the sentences of `n` vectors, such as `first 17`; rows count from 1.

    Args:
        side: `first` or `second` of pairs, `row` of single vectors, `fit` of a fit corpus.
        n: How many.
    """
    return tuple(f"{side} {row}" for row in range(1, n + 1))


def single_rows(file: SourceFile, n: int, names: Sequence[str] | None = None) -> SentencePairs:
    """Return `n` single rows, by the names that their file gives them, or by their numbers."""
    stem = PurePath(file.name).stem
    rows = [PairRow(name, None, None, stem) for name in names or row_names("row", n)]
    return _pairs(rows, file, DEFAULT_SCALE, has_words=names is not None)


def pairs_by_row(
    source: Path | RawFile,
    n: int,
    *,
    columns: TableColumns | None = None,
    score: str | None = None,
    subset: str | None = None,
    scale: tuple[float, float] | None = None,
) -> SentencePairs:
    """Return the pairs of a table whose rows are those of the vectors: no row may be left out.

    Args:
        source: The table: a score for each pair; its sentences and its subset where it has them.
        n: How many pairs there are vectors of.
        columns: Columns of sentences and the others; None recognises the usual names.
        score: Column of scores, where there are no sentences; None takes the one of a well-known
            name, or the only column.
        subset: Column of subsets, likewise; None takes the one named so.
        scale: Lowest and highest score; None takes what they seem to be on.
    """
    table = open_table(source)
    known = known_columns(table.header)
    if columns is not None or (known is not None and known.sentence2 is not None):
        reading = read_table(source, columns, scale=scale)
        if reading.refused:
            raise refuse(source.name, reading.n_rows, reading.refused)
        check_rows(source.name, len(reading.pairs), n)
        return reading.pairs
    check_rows(source.name, table.n_rows, n)
    score = _score_column(table, score)
    if score is None:
        raise InputError(
            f"{quoted(source.name)} has no column known to hold gold scores: name it, or call it "
            f"score; its columns are {listed(table.header)}"
        )
    subset = subset or first_of(table.header, SUBSET_NAMES)
    gold, subsets = _cells(table, score, subset)
    sides = row_names("first", n), row_names("second", n)
    rows = [PairRow(*row) for row in zip(*sides, gold, subsets, strict=True)]
    return _pairs(rows, table.files[0].source_file(), scale or scale_of(gold), has_words=False)


def _score_column(table: Table, score: str | None) -> str | None:
    header = table.header
    if score is not None:
        check_name(score, header, f"column of {quoted(table.name)}")
    return score or first_of(header, SCORE_NAMES) or (header[0] if len(header) == 1 else None)


def _cells(table: Table, score: str, subset: str | None) -> tuple[list[float], list[str]]:
    """Return the score and the subset of each row."""
    name = table.name
    if subset is not None:
        check_name(subset, table.header, f"column of {quoted(name)}")

    def convert(record: Record) -> tuple[float, str]:
        cells = iter(record.cells)
        value = score_cell(next(cells), score)
        return value, PurePath(name).stem if subset is None else name_cell(next(cells), subset)

    columns = [score] if subset is None else [score, subset]
    rows, _ = table.sift(columns, convert, strict=True)
    return [value for value, _ in rows], [of for _, of in rows]


def check_rows(name: str, n_rows: int, n: int) -> None:
    """Refuse a table whose rows are not those of the vectors."""
    if n_rows != n:
        raise InputError(
            f"{quoted(name)} has {n_rows:,} rows for {n:,} pairs of vectors: expected one a pair, "
            "in the same order"
        )


def _pairs(
    rows: Sequence[PairRow], file: SourceFile, scale: tuple[float, float], *, has_words: bool
) -> SentencePairs:
    name = file.name
    return pairs_of_rows(
        rows,
        [file],
        name=PurePath(name).stem,
        scale=scale,
        source=f"The file {name}.",
        layout="table" if has_words else ROWS,
    )
