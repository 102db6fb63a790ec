"""The data of a recipe: named data sets and tables, or the rows of given vectors.

A row of vectors is identified by its sentence if the files hold sentences, else by its number,
such as `first 17`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path, PurePath
from typing import Any

from bertflow_core.datasets.catalog import DATASETS, load_dataset
from bertflow_core.datasets.corpus import TARGET, Corpus, corpus_of, load_corpus, sized
from bertflow_core.datasets.own_table import (
    SCORE_NAMES,
    SUBSET_NAMES,
    TableColumns,
    choose_column,
    known_columns,
    need_column,
    read_table,
)
from bertflow_core.datasets.pairs import Pairs
from bertflow_core.datasets.source import UNKNOWN, Provenance, RawFile
from bertflow_core.datasets.tables import Table, open_table
from bertflow_core.datasets.texts import TABLE, VECTOR_ROWS, LabelledTexts, Texts
from bertflow_core.datasets.vectors import VECTOR_ENDINGS, VectorFile, read_vectors
from bertflow_core.encoders.given import OWN, own_files
from bertflow_core.encoders.rows import RowVectors
from bertflow_core.errors import InputError, listed
from bertflow_core.lab.recipe import OF_SIDES, Recipe
from bertflow_core.wording import ROLES, quoted

EVERY_VECTOR = "vectors"
"""The fit corpus that consists of all vectors in the model's files."""


@dataclass(frozen=True)
class RecipeData:
    """The data of a recipe whose encoder accepts any sentence; tables may be in memory."""

    recipe: Recipe
    data_dir: str | Path | None = None
    strict: bool = False
    files: Mapping[str, RawFile] = field(default_factory=dict, repr=False)
    tables: Mapping[str, tuple[Texts, Corpus]] = field(default_factory=dict, repr=False)

    @property
    def scored(self) -> Texts:
        """The scored data."""
        name = self.recipe.dataset
        if name in self.tables:
            return self.tables[name][0]
        return load_dataset(self._file(name), split=self.recipe.split, **self.options())

    @property
    def corpus(self) -> Corpus:
        """The fit corpus."""
        if self.recipe.dataset in self.tables:
            return self.tables[self.recipe.dataset][1].drawn_by(self.recipe.fit_on)
        return self._named_corpus(self.recipe.fit_on)

    @property
    def all_sentences(self) -> Corpus:
        """Every sentence of every split of the data set, duplicates included."""
        in_memory = self.recipe.dataset in self.tables
        return corpus_of(self.scored) if in_memory else self._named_corpus(TARGET)

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments for the readers of data sets."""
        return {
            "data_dir": self.data_dir,
            "columns": table_columns(self.recipe),
            "scale": gold_scale(self.recipe),
            "strict": self.strict,
        }

    def _named_corpus(self, fit_on: str) -> Corpus:
        name, _ = sized(fit_on)
        asked = name if name in self.files else fit_on
        found = load_corpus(self._file(self.recipe.dataset), self._file(asked), **self.options())
        return found.drawn_by(fit_on) if asked != fit_on else found

    def _file(self, name: str) -> str | RawFile:
        """Return the file in memory that has this name in the recipe; else the name itself."""
        return self.files.get(name, name)


class OwnData(RecipeData):
    """The data of a recipe with given vectors, and their encoder."""

    @cached_property
    def scored(self) -> Texts:
        """The scored data, with their sentences, or numbered rows if there are none."""
        if not self._is_by_row:
            return super().scored
        if self._holds_vectors:
            return _single_rows(read_vectors(self._file(self.recipe.dataset)))
        return _pairs_by_row(open_table(self._file(self.recipe.dataset)), self.recipe)

    @cached_property
    def corpus(self) -> Corpus:
        """The fit corpus."""
        name, _ = sized(self.recipe.fit_on)
        if name == EVERY_VECTOR:
            found = _corpus_of(self._files, chain(*self._names))
        elif self._fitted:
            found = _corpus_of(self._fitted, _names_of(self._fitted[0], "fit"))
        elif name == TARGET and self._is_by_row:
            found = corpus_of(self.scored)
        else:
            return super().corpus
        return found.drawn_by(self.recipe.fit_on)

    @property
    def all_sentences(self) -> Corpus:
        """Every sentence of the data set that should have a vector."""
        return self.corpus if self.recipe.fit_on == TARGET else corpus_of(self.scored)

    @cached_property
    def encoder(self) -> RowVectors:
        """The vectors, by sentence."""
        names = [*self._names, *(_names_of(file, "fit") for file in self._fitted)]
        files, named = [*self._files, *self._fitted], len(self._files)
        return RowVectors(
            self.recipe.model, files, names, n_named=named, revision=self.recipe.revision
        )

    @cached_property
    def _files(self) -> list[VectorFile]:
        """The model's files: one for all sentences, or one for each side of the pairs."""
        names = own_files(self.recipe.model) or (self.recipe.dataset,)
        files = [read_vectors(self._file(name)) for name in names]
        if files[0].x.shape != files[-1].x.shape:
            raise InputError(
                f"the files of the two sides have {files[0].shape} and {files[1].shape} rows and "
                "columns: expected the same, one row per pair in each file"
            )
        return files

    @cached_property
    def _fitted(self) -> list[VectorFile]:
        """The file with the vectors of the fit corpus; empty if the model gives them."""
        name, _ = sized(self.recipe.fit_on)
        return [read_vectors(self._file(name))] if name.lower().endswith(VECTOR_ENDINGS) else []

    @property
    def _is_by_name(self) -> bool:
        """Whether the single file has the sentence of each vector."""
        return len(own_files(self.recipe.model)) == 1

    @cached_property
    def _holds_vectors(self) -> bool:
        """Whether the data set is a file of vectors, not a table."""
        name = self.recipe.dataset.lower()
        if self.recipe.model == OWN or not self._is_by_name:
            return self.recipe.model == OWN
        is_table = name.endswith(".parquet") and known_columns(
            open_table(self._file(self.recipe.dataset)).header
        )
        return name.endswith(VECTOR_ENDINGS) and not is_table and not self.recipe.sentence1

    @property
    def _is_by_row(self) -> bool:
        """Whether vectors are matched to rows of the data set by row number, not by sentence."""
        if self.recipe.dataset in (*self.tables, *DATASETS):
            return False
        return not self._is_by_name or self._holds_vectors

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], ...]:
        """The sentence of every row of each of the model's files, or its row number."""
        one = self._files[0]
        if self._is_by_name and one.names is not None:
            return (one.names,)
        if self._is_by_name and not self._holds_vectors:
            raise InputError(
                f"{quoted(one.name)} does not have the sentence of each vector: write a parquet "
                "table with a column of sentences, or give two files, one per side, as "
                "vectors:FILE,FILE"
            )
        data = self.scored
        if len(data) != len(one.x):
            raise InputError(
                f"{quoted(data.name)} has {len(data):,} rows for {len(one.x):,} "
                f"{'pairs of ' * isinstance(data, Pairs)}vectors in {quoted(one.name)}: expected "
                "one row each, in the same order"
            )
        return (data.first, data.second) if isinstance(data, Pairs) else (data.texts,)


def table_columns(recipe: Recipe) -> TableColumns | None:
    """Return the chosen columns of a table; None if they are to be recognised."""
    named = (recipe.sentence1, recipe.sentence2, recipe.score, recipe.subset, recipe.roles)
    if not any(named):
        return None
    if recipe.sentence1 is None and (recipe.sentence2 or recipe.subset):
        raise InputError(
            "give the columns of sentences: --sentence1 and --sentence2, or --sentence1 "
            "alone for single sentences"
        )
    return TableColumns(*named)


def gold_scale(recipe: Recipe) -> tuple[float, float] | None:
    """Return the lowest and highest gold score, or None to infer them."""
    if recipe.scale is None:
        return None
    try:
        low, high = map(float, recipe.scale.split(","))
    except ValueError:
        raise InputError(
            "scale must be the lowest and highest gold score as LOW,HIGH, got "
            f"{quoted(recipe.scale)}"
        ) from None
    return low, high


def scored_data(recipe: Recipe, data: Texts) -> Texts:
    """Return texts under the metric of a recipe; refuse choices that they do not have."""
    data = data.scored_by(recipe.metric)
    if isinstance(data, LabelledTexts) and not recipe.is_by_cosine:
        raise InputError(
            f"{quoted(data.name)} has labels of single texts, and neither a classifier nor "
            f"clusters use a similarity: leave it out, got {quoted(recipe.similarity)}"
        )
    chosen = next((name for name in OF_SIDES if getattr(recipe, name) is not None), None)
    if chosen is not None and not data.sides:
        raise InputError(
            f"{quoted(data.name)} has no queries and documents, which {chosen} needs: leave it "
            f"out, or choose roles for a table of your own, such as {next(iter(ROLES))}"
        )
    return data


def _names_of(file: VectorFile, side: str) -> tuple[str, ...]:
    return file.names or _numbered(side, len(file.x))


def _numbered(side: str, n: int) -> tuple[str, ...]:
    return tuple(f"{side} {row}" for row in range(1, n + 1))


def _single_rows(file: VectorFile) -> Texts:
    stem, texts = PurePath(file.name).stem, _names_of(file, "row")
    subsets = (stem,) * len(texts)
    layout = VECTOR_ROWS if file.names is None else TABLE
    provenance = Provenance(f"The file {file.name}.", UNKNOWN, layout, (file.source,))
    return Texts(name=stem, texts=texts, subsets=subsets, provenance=provenance.counting(subsets))


def _corpus_of(files: Sequence[VectorFile], names: Iterable[str]) -> Corpus:
    where, distinct = listed([file.name for file in files]), tuple(dict.fromkeys(names))
    n, sources = len(distinct), [file.source for file in files]
    provenance = Provenance.of(f"The vectors of {where}.", sources, n, layout=VECTOR_ROWS)
    return Corpus(distinct, f"{n:,} vectors of {where}.", (provenance,))


def _pairs_by_row(table: Table, recipe: Recipe) -> Texts:
    columns = table_columns(recipe) if recipe.sentence1 else known_columns(table.header)
    scale = gold_scale(recipe)
    if columns is not None and (recipe.sentence1 or columns.sentence2):
        return read_table(table, columns, scale=scale, strict=True).data
    only = table.header[0] if len(table.header) == 1 else None
    score = need_column(table, SCORE_NAMES, recipe.score or only)
    subset = choose_column(table, SUBSET_NAMES, recipe.subset)
    sides = {f"({side})": _numbered(side, len(table.rows)) for side in ("first", "second")}
    numbered = replace(
        table,
        header=(*table.header, *sides),
        column=lambda name: sides[name] if name in sides else table.column(name),
    )
    columns = TableColumns("(first)", "(second)", score, subset)
    pairs = read_table(numbered, columns, scale=scale, strict=True).data
    return replace(pairs, provenance=replace(pairs.provenance, layout=VECTOR_ROWS))
