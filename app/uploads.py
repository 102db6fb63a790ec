"""Tables and vectors that visitors bring: named by file and content, kept in memory, read once.

A recipe names a file by its name and a tag made from its bytes. The address of a page shows both.
All files are lost when the server stops.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import asdict, replace

from bertflow_app import services
from bertflow_app.work import registry

from bertflow_core.datasets import (
    DATASETS,
    Corpus,
    RawFile,
    TableColumns,
    TableReading,
    Texts,
    load_corpus,
    read_table,
)
from bertflow_core.datasets.collection import (
    BUILT_IN,
    ZIP,
    Collection,
    Tables,
    collection_splits,
    collection_tables,
    load_collection,
    packed,
)
from bertflow_core.datasets.corpus import NLI_CORPUS, corpus_of
from bertflow_core.datasets.own_table import propose_columns
from bertflow_core.datasets.tables import open_table
from bertflow_core.encoders.given import OWN, OWN_FILES
from bertflow_core.errors import InputError
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.recipe_data import gold_scale, table_columns
from bertflow_core.store import EmbeddingStore
from bertflow_core.wording import quoted

TAG_LETTERS = 12
"""Length of the tag that distinguishes files of one name; at 5 bits a letter, unguessable."""
MAX_ROWS, MAX_NAME = 500_000, 200
MOST_AT_ONCE, MOST_BYTES_AT_ONCE = 500, 1 << 20
"""The largest upload for which pages compute without a click: rows of a table, bytes of vectors."""

_KEPT = "upload "


def is_upload(dataset: object) -> bool:
    """Tell whether `add` may have made this name; an address can hold any text."""
    return (
        isinstance(dataset, str)
        and dataset.isprintable()
        and re.fullmatch(rf".+ \([a-z2-7]{{{TAG_LETTERS}}}\)", dataset) is not None
    )


def add(name: str, content: bytes) -> str:
    """Keep a file and return the name under which a recipe finds it again."""
    return _put((_named(name, content),))


def add_collection(files: Sequence[tuple[str, bytes]]) -> str:
    """Keep a collection, a .zip or its three tables, and return its name for recipes."""
    named = [_named(name, content) for name, content in files]
    is_zip = len(named) == 1 and named[0].name.lower().endswith(ZIP)
    return _put((named[0] if is_zip else packed(named),))


def add_vectors(files: Sequence[tuple[str, bytes]]) -> str:
    """Keep vectors and return the name under which a recipe finds them again."""
    # A comma stands between two files in a model's name.
    kept = tuple(_named(name.replace(",", "_"), content) for name, content in files)
    if len({file.name for file in kept}) < len(kept):
        raise InputError("the files need different names: rename one and upload it again")
    if len(kept) > 1:
        _bounded(kept[0])
    return _put(kept, kind=b"vectors")


def _named(name: str, content: bytes) -> RawFile:
    name = name.replace("\\", "/").rpartition("/")[2]
    name = "".join(c for c in name if c.isprintable())[-100:] or "table"
    return RawFile(name, content)


def _put(files: tuple[RawFile, ...], kind: bytes = b"") -> str:
    digest = hashlib.sha256(kind)
    for file in files:
        for part in (file.name.encode(), file.content):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    tag = base64.b32encode(digest.digest()).decode()[:TAG_LETTERS].lower()
    dataset = f"{files[0].name} ({tag})"
    if registry.kept().get(_KEPT + dataset) is None:
        registry.kept().put(_KEPT + dataset, files if kind else files[0])
    return dataset


def _brought(dataset: str) -> RawFile | tuple[RawFile, ...] | None:
    found: RawFile | tuple[RawFile, ...] | None = registry.kept().get(_KEPT + dataset)
    return found if is_upload(dataset) else None


def file_of(dataset: str) -> RawFile | None:
    """Return the file, or the first file of vectors, of an upload; None if the upload is gone."""
    kept = _brought(dataset)
    return kept[0] if isinstance(kept, tuple) else kept


def vectors_of(dataset: str) -> tuple[RawFile, ...]:
    """Return the files of vectors that a recipe names; none if it names a table."""
    kept = _brought(dataset)
    return kept if isinstance(kept, tuple) else ()


def is_collection(dataset: str) -> bool:
    """Tell whether a recipe names a collection: the built-in one, or an uploaded .zip."""
    is_zip = dataset.rpartition(" (")[0].lower().endswith(ZIP)
    return dataset == BUILT_IN or (is_zip and is_upload(dataset))


def table_of(dataset: str) -> RawFile | None:
    """Return the uploaded file that a recipe names; None if it names no uploaded file."""
    if not is_upload(dataset):
        return None
    file = file_of(dataset)
    if file is None:
        raise InputError(
            "The uploaded table that this address names is gone (tables live as long as the "
            "server): upload the same file on Check your model, and the address works again."
        )
    return file


def _bounded(file: RawFile) -> RawFile:
    """Return a table unless it has too many rows: once read, rows need far more memory."""
    if file.name.lower().endswith(".parquet"):
        n_rows = len(open_table(file).rows)  # the footer has the number
    else:
        n_rows = max(map(file.content.count, (b"\n", b"\r")))
    if n_rows > MAX_ROWS:
        raise InputError(
            f"{quoted(file.name)} has more than {MAX_ROWS:,} rows: upload a part of it"
        )
    return file


def columns_of(dataset: str) -> tuple[str, ...]:
    """Return the columns of an uploaded table whose names a recipe can hold."""
    file = table_of(dataset)
    if file is None or is_collection(dataset):
        return ()
    header = services.once(
        f"header {dataset}", "Reading the table", lambda: open_table(_bounded(file)).header
    )
    return tuple(name for name in header if name.isprintable() and 0 < len(name) <= MAX_NAME)


def no_column(header: Sequence[str]) -> str:
    """Return a label for "no column" that no column has as its name."""
    name = "none"
    while name in header:
        name = f"({name})"
    return name


def guessed_columns(dataset: str) -> dict[str, str]:
    """Return the likely column of each field, or `no_column`; empty if no column has a name."""
    file, header = table_of(dataset), columns_of(dataset)
    if file is None or not header:
        return {}

    def guess() -> TableColumns:
        return propose_columns(replace(open_table(_bounded(file)), header=header))

    found = services.once(f"columns {dataset}", "Reading the table", guess)
    return {field: column or no_column(header) for field, column in asdict(found).items()}


def reading_of(recipe: Recipe) -> TableReading | None:
    """Return the good and the refused rows of the uploaded table that a recipe names, if any."""
    file = table_of(recipe.dataset)
    if file is None or vectors_of(recipe.dataset) or is_collection(recipe.dataset):
        return None
    columns, scale = table_columns(recipe), gold_scale(recipe)
    name = f"reading {recipe.dataset} {columns} {scale}"
    return services.once(
        name, "Reading the table", lambda: read_table(_bounded(file), columns, scale=scale)
    )


def collection_of(recipe: Recipe) -> Collection | None:
    """Return the uploaded collection that a recipe names, if any."""
    file = table_of(recipe.dataset)
    if file is None or not is_collection(recipe.dataset):
        return None

    def read() -> Collection:
        return load_collection(file.name, _tables_of(file), recipe.split)

    return services.once(f"{recipe.dataset} {recipe.split}", "Reading the collection", read)


def splits_of(dataset: str) -> tuple[str, ...]:
    """Return the splits of an uploaded collection."""
    file = table_of(dataset)
    assert file is not None
    return services.once(
        f"splits {dataset}", "Unpacking", lambda: collection_splits(_tables_of(file))
    )


def _tables_of(file: RawFile) -> Tables:
    tables = collection_tables(file)
    for table in tables.values():
        _bounded(RawFile.of(table))
    return tables


def is_small(recipe: Recipe) -> bool:
    """Tell whether an upload is so small that work on it starts without a press."""
    if not is_upload(recipe.dataset):
        return False
    try:
        if vectors := vectors_of(recipe.dataset):
            return sum(len(file.content) for file in vectors) <= MOST_BYTES_AT_ONCE
        data = _data(recipe)
    except InputError:
        return False  # the page shows the error
    return data is not None and len(data[0]) <= MOST_AT_ONCE


def own_model(dataset: str) -> str:
    """Return the name of the model that stands for uploaded vectors, from the files' names."""
    sides = vectors_of(dataset)[1:3]
    return OWN_FILES + ",".join(file.name for file in sides) if sides else OWN


def second_own_model(dataset: str) -> str:
    """Return the model's name for an upload's second set of vectors; empty without one."""
    sides = vectors_of(dataset)[3:]
    return OWN_FILES + ",".join(file.name for file in sides) if sides else ""


def label_of(dataset: str) -> str:
    """Return the label of a data set: the file's name for an upload."""
    file = file_of(dataset)
    return file.name if file else dataset


def at_hand(recipe: Recipe) -> tuple[Recipe, Lab]:
    """Return a recipe with readable names, and a lab that holds the upload it names, if any.

    Captions, exports and commands call an upload by its file's name. For the default recipe the lab
    embeds only the layers that are asked for; `first_data` embeds the rest.
    """
    data = _data(recipe)
    own = {"model": own_model(recipe.dataset)} if recipe.model == OWN else {}
    shown = recipe.with_(dataset=label_of(recipe.dataset), **own)
    tables = {} if data is None else {shown.dataset: data}
    files = {file.name: file for file in vectors_of(recipe.dataset)}
    store = (
        EmbeddingStore(whole_bytes=0) if recipe in (Recipe(), Recipe().plain) else EmbeddingStore()
    )
    return shown, Lab(store=store, tables=tables, files=files)


def _data(recipe: Recipe) -> tuple[Texts, Corpus] | None:
    """Return data and fit corpus if a recipe names an upload, else None."""
    reading = reading_of(recipe)
    data = collection_of(recipe) if reading is None else reading.data
    if data is None:
        return None
    if recipe.fit_on not in (*DATASETS, NLI_CORPUS):
        return data, corpus_of(data)
    corpus = services.once(
        f"corpus {recipe.fit_on}",
        "Reading the data set",
        lambda: load_corpus(Recipe.dataset, recipe.fit_on),
    )
    return data, corpus
