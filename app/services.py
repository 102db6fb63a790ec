"""What pages ask of the core; the only place that caches.

What visitors own, their jobs, results and tables, is not in Streamlit's caches, which one message
of any visitor empties for all.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import streamlit as st
from bertflow_app import warmup
from bertflow_app.jobs import Registry
from bertflow_app.kept import Kept
from bertflow_app.uploads import Uploads, is_upload
from streamlit import runtime

from bertflow_core import published
from bertflow_core.cells import CellStore
from bertflow_core.datasets import (
    DATASETS,
    Corpus,
    RawFile,
    SentencePairs,
    TableReading,
    available,
    load_corpus,
    read_table,
)
from bertflow_core.datasets.catalog import DatasetInfo, missing_downloads
from bertflow_core.datasets.corpus import NLI, NLI_CORPUS, corpus_of, nli_here
from bertflow_core.datasets.own_table import propose_columns
from bertflow_core.datasets.tables import open_table
from bertflow_core.datasets.word_counts import VOCABULARY, WORDFREQ, counts_files
from bertflow_core.encoders.catalog import CATALOG, prompts_here
from bertflow_core.encoders.given import OWN, OWN_FILES
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.report import Report
from bertflow_core.store import EmbeddingStore, StoreEntry
from bertflow_core.studies.newborn.study import stored_newborn
from bertflow_core.studies.space.cone import stored_cone
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.figures import Figure
    from bertflow_core.studies.words.prepared import WordSpace

MAX_LINES = 500_000
MAX_NAME = 200
MOST_AT_ONCE = 500
"""Rows of an upload that is measured without a press."""

_READING = threading.BoundedSemaphore(2)
"""Of what pages read themselves, since rows cost far more memory than their bytes."""

T = TypeVar("T")


def new_registry() -> Registry:
    """Return jobs as a server that starts has them."""
    return Registry(Kept(), is_connected=_is_connected, prepare=warmup.ready)


def _is_connected(visitor: str) -> bool:
    """Tell whether the browser of a visitor holds a connection now."""
    return runtime.exists() and runtime.get_instance().is_active_session(visitor)


_REGISTRY = new_registry()


def registry() -> Registry:
    """Return the jobs of this process."""
    return _REGISTRY


def cells() -> CellStore:
    """Return the finished fits of comparisons."""
    return _REGISTRY.kept


def uploads() -> Uploads:
    """Return the tables that visitors uploaded to this process."""
    return Uploads(_REGISTRY.kept)


@st.cache_resource(max_entries=1, show_spinner=False)
def shipped_newborn() -> Report:
    """Return the training of a small language model that the package ships."""
    return stored_newborn()


@st.cache_data(ttl=60, max_entries=1, show_spinner=False)
def data_sets() -> list[DatasetInfo]:
    """List the data sets; looked up again after a minute."""
    try:
        return available()
    except InputError:  # BERTFLOW_DATA names no folder: what is built in is still there
        return [info for info in available(Path(__file__).parent) if info.found]


def missing_data() -> list[str]:
    """Return the data sets that can be fetched and neither were fetched nor are here otherwise."""
    try:
        here = {info.name for info in data_sets() if info.found}
        here |= {name for name in NLI if nli_here(None, name)}
        return [name for name in missing_downloads() if name not in here]
    except InputError:  # no folder to fetch into
        return []


def note_fetched(name: str) -> None:
    """Look the data sets up again where one that was just fetched is not among them."""
    if any(info.name == name and not info.found for info in data_sets()):
        data_sets.clear()


@st.cache_data(ttl=60, max_entries=32, show_spinner=False)
def prompts_of(model: str) -> dict[str, str]:
    """Return the prompts that a model of the catalogue declares; none before it was fetched."""
    try:
        return prompts_here(model)
    except InputError:  # the page that embeds with the model says why
        return {}


@st.cache_data(ttl=60, max_entries=1, show_spinner=False)
def fit_corpora() -> list[str]:
    """List the fit corpora that are no data set of pairs; looked up again after a minute."""
    try:
        return [NLI_CORPUS] if any(nli_here(None, name) for name in NLI) else []
    except InputError:  # BERTFLOW_DATA names no folder
        return []


def encoders() -> list[str]:
    """List the encoders that visitors may choose."""
    return [*CATALOG]


@st.cache_resource(max_entries=1, show_spinner=False)
def shipped_cone() -> Report:
    """Return the measured cone that the package ships; nobody may change it."""
    return stored_cone()


@st.cache_resource(max_entries=1, show_spinner=False)
def shipped_tuned() -> Report:
    """Return the tuned calibrators that the package ships; nobody may change them."""
    from bertflow_core.studies.tuned import stored_tuned  # scikit-learn, late

    return stored_tuned()


@st.cache_resource(max_entries=64, show_spinner=False)
def shipped_figure(name: str, _draw: "Callable[[], Figure]") -> "Figure":
    """Return a figure of what the package ships, drawn once; nobody may change it."""
    return _draw()


@st.cache_resource(max_entries=4, show_spinner=False)
def tracked_results(name: str) -> tuple[published.TrackedResult, ...]:
    """Return the results that the package ships under a name; nobody may change them."""
    return published.tracked_results(name)


def word_neighbours(space: "WordSpace", row: int) -> list[tuple[int, str, float]]:
    """Return row, token and distance of a word's nearest, searched once for all visitors."""
    name = f"neighbours {space.prepared.recipe} {space.calibrator} {row}"
    return _once(name, "Finding neighbours", lambda: space.neighbours_of(row))


def count_sources() -> dict[str, str]:
    """Return the sources of word frequencies at hand, as the core names them, by what to call them.

    A visitor names no path: files are those in word_counts/ of the data folder.
    """
    sources = {name.rpartition("/")[2]: name for name in counts_files()}
    sources["order of the vocabulary"] = VOCABULARY
    return sources | ({WORDFREQ: WORDFREQ} if find_spec(WORDFREQ) else {})


def upload_of(recipe: Recipe) -> RawFile | None:
    """Return the uploaded file a recipe names."""
    if not is_upload(recipe.dataset):
        return None
    file = uploads().get(recipe.dataset)
    if file is None:
        raise InputError(
            "The uploaded table that this address names is gone (tables live as long as the "
            "server): upload the same file on the page Your data, and the address works again."
        )
    if file.content.count(b"\n") > MAX_LINES:  # rows cost far more memory than their bytes
        raise InputError(
            f"{quoted(file.name)} has more than {MAX_LINES:,} lines: upload a part of it"
        )
    return file


def columns_of(dataset: str) -> tuple[str, ...]:
    """Return the columns of an uploaded table that have a name a recipe can hold."""
    file = upload_of(Recipe(dataset=dataset))
    header: Sequence[str] = ()
    if file is not None:
        header = _once(f"header {dataset}", "Reading the table", lambda: open_table(file).header)
    return tuple(name for name in header if name.isprintable() and 0 < len(name) <= MAX_NAME)


def no_column(header: Sequence[str]) -> str:
    """Return what to call the choice of none of these columns: a name that none of them has."""
    name = "none"
    while name in header:
        name = f"({name})"
    return name


def guessed_columns(dataset: str) -> dict[str, str]:
    """Return the column that each field seems to be, or `no_column`; none where none is named."""
    header = columns_of(dataset)
    if not header:
        return {}
    guess = asdict(propose_columns(header))
    return {field: column or no_column(header) for field, column in guess.items()}


def vectors_of(dataset: str) -> tuple[RawFile, ...]:
    """Return the uploaded files of vectors that a recipe's data set names; none for a table."""
    return uploads().vectors(dataset)


def own_rows(recipe: Recipe) -> tuple[SentencePairs, int]:
    """Return what uploaded vectors are of, and the number of their features."""

    def read() -> tuple[SentencePairs, int]:
        shown, lab = at_hand(recipe)
        return lab.pairs(shown), lab.encoder(shown).dim

    return _once(f"rows of {recipe.dataset}", "Reading the vectors", read)


def own_model(dataset: str) -> str:
    """Return the model of an uploaded data set's vectors, by the names of their files."""
    sides = vectors_of(dataset)[1:]
    return OWN_FILES + ",".join(file.name for file in sides) if sides else OWN


def dataset_label(dataset: str) -> str:
    """Return what to call a data set: the file's name for an uploaded table."""
    file = uploads().get(dataset)
    return file.name if file else dataset


def named(recipe: Recipe) -> Recipe:
    """Call an uploaded table by its file's name, for captions, exports and commands.

    What is computed is named, in the registry, by the fingerprint of its content all the same.
    """
    own = {"model": own_model(recipe.dataset)} if recipe.model == OWN else {}
    return recipe.with_(dataset=dataset_label(recipe.dataset), **own)


def reading_of(recipe: Recipe) -> TableReading | None:
    """Return the good and the refused rows of the uploaded table a recipe names, if it does."""
    file = upload_of(recipe)
    if file is None or vectors_of(recipe.dataset):
        return None
    columns, scale = recipe.table_columns(), recipe.gold_scale()
    name = f"reading {recipe.dataset} {columns} {scale}"
    return _once(name, "Reading the table", lambda: read_table(file, columns, scale=scale))


def is_small(recipe: Recipe) -> bool:
    """Tell whether a visitor brought so few sentences or vectors that they are measured at once."""
    if not is_upload(recipe.dataset):
        return False
    try:
        given = vectors_of(recipe.dataset)
        reading = None if given else reading_of(recipe)
        pairs = own_rows(recipe)[0] if given else None if reading is None else reading.pairs
    except InputError:
        return False  # the page says why
    return pairs is not None and len(pairs) <= MOST_AT_ONCE


def _once(name: str, doing: str, make: Callable[[], T]) -> T:
    """Return the value of that name; make it, and say so, where none is kept."""
    kept = _REGISTRY.kept
    value: T | None = kept.get(name)
    if value is None:
        with st.spinner(doing), _READING:
            value = make()
        kept.put(name, value)
    return value


def at_hand(recipe: Recipe) -> tuple[Recipe, Lab]:
    """Return a recipe as people read it, and the lab that holds the upload it names, if any.

    Of the default data it embeds only what is asked for: `first_data` embeds the rest meanwhile.
    """
    data, shown = _uploaded_data(recipe), named(recipe)
    tables = {} if data is None else {shown.dataset: data}
    files = {file.name: file for file in vectors_of(recipe.dataset)}
    store = EmbeddingStore(whole_bytes=0) if recipe == Recipe() else EmbeddingStore()
    return shown, Lab(store=store, tables=tables, files=files)


def _uploaded_data(recipe: Recipe) -> tuple[SentencePairs, Corpus] | None:
    """Return what to score and to fit on where a recipe names an uploaded table, else None."""
    reading = reading_of(recipe)
    if reading is None:
        return None
    if recipe.fit_on in (*DATASETS, NLI_CORPUS):
        name = f"corpus {recipe.fit_on}"
        corpus = _once(
            name, "Reading the data set", lambda: load_corpus(Recipe.dataset, recipe.fit_on)
        )
        return reading.pairs, corpus
    return reading.pairs, corpus_of(reading.pairs)


def store_entries() -> tuple[list[StoreEntry], int]:
    """Return what the cache of embeddings holds, and its bound in bytes."""
    store = EmbeddingStore()
    return store.entries(), store.limit_bytes


def clear_store() -> None:
    """Delete every stored embedding."""
    EmbeddingStore().clear()
