"""Bring data: drop, paste or fetch them, or take the example."""

import csv
import io
from collections.abc import Iterable, Sequence
from contextlib import suppress

import streamlit as st
from bertflow_app import services, state, uploads
from bertflow_app.pages.check.catalogue import catalogue
from bertflow_app.pages.check.reading import show_reading
from bertflow_app.shared import Shared
from bertflow_app.widgets.components import problem, save_button
from bertflow_app.widgets.recipe_picker import (
    COLLECTION_BOX,
    TABLE_BOX,
    VECTOR_BOXES,
    add_vectors,
    are_vectors_complete,
    use_table,
)
from bertflow_app.widgets.work import follow

from bertflow_core.datasets import Pairs, Texts
from bertflow_core.datasets.catalog import DOWNLOADS, get_data
from bertflow_core.datasets.collection import MAX_UNPACKED
from bertflow_core.datasets.own_table import known_columns
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.lab.grid import check_sides
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import quoted, size_text

MAX_MB = 20
"""Largest size of an uploaded table; for vectors the server's own limit applies."""
MAX_CHARACTERS = 50_000
SCALE = "0,5"
FILE = "typed-pairs.csv"
EXAMPLE = (
    "I like this restaurant. | I dislike this restaurant. | 1.5\n"
    "He bought a car. | A vehicle was purchased by him. | 4.5\n"
    "The dog bit the man. | The man bit the dog. | 2"
)
_VECTORS = ["npy", "parquet"]
_BOXES = {
    "vectors_first": ("Vectors, or first sides", _VECTORS),
    "vectors_second": ("Second sides", _VECTORS),
    "vector_scores": ("Scores", ["csv", "tsv", "parquet"]),
    "other_vectors_first": ("First sides, second set", _VECTORS),
    "other_vectors_second": ("Second sides, second set", _VECTORS),
}


def draw() -> None:
    """Let the visitor bring data or take the example, and show beside it what was read."""
    left, right = st.columns(2)
    with left:
        _drop()
        with st.container(horizontal=True):
            with st.popover("Other data", icon=":material/upload_file:"):
                _bring_others()
            if uploads.is_upload(state.current_recipe().dataset):
                _example_button()
    with right:
        show_reading()


def _bring_others() -> None:
    ways = {
        "Sentences": _paste,
        "Collection to search": _drop_collection,
        "Vectors": _own_vectors,
        "Benchmark": _fetch_panel,
    }
    for tab, bring in zip(st.tabs([*ways]), ways.values(), strict=True):
        with tab:
            bring()
    if st.button("Models, data sets and calibrators", icon=":material/menu_book:", type="tertiary"):
        catalogue()


def _drop() -> None:
    st.file_uploader(
        "Table of pairs or sentences",
        type=["csv", "tsv", "xlsx", "jsonl", "parquet"],
        max_upload_size=MAX_MB,
        key=TABLE_BOX[0],
        help="One or two columns of sentences and, for scoring, one of gold scores or labels; at "
        f"most {MAX_MB} MB and {uploads.MAX_ROWS:,} rows. The file stays in this server's "
        "memory until the server stops; nothing in it is executed.",
    )


def _drop_collection() -> None:
    st.write(
        "Upload documents, queries and relevance judgements in BEIR's layout: one `.zip`, or the "
        "three tables `corpus`, `queries` and `qrels` together."
    )
    st.file_uploader(
        "Collection",
        type=["zip", "jsonl", "tsv", "csv", "parquet"],
        accept_multiple_files=True,
        key=COLLECTION_BOX[0],
        help=f"At most {st.get_option('server.maxUploadSize')} MB, {size_text(MAX_UNPACKED)} "
        f"unpacked, and {uploads.MAX_ROWS:,} rows a table. It stays in this server's memory.",
    )


def _paste() -> None:
    text = st.text_area(
        "One sentence or pair per line: first | second | gold score",
        placeholder=EXAMPLE,
        max_chars=MAX_CHARACTERS,
        height=104,
        key="typed_pairs",
        persist_state="session",
        help="Give gold scores (0 to 5) in every line or in none. In place of the bars you can use "
        "tabs, as copied from a spreadsheet. A CSV table with a header such as "
        "sentence1,sentence2,score works too. A few sentences are not enough to fit on, so "
        "calibrators are fitted on the data chosen before. To change that, open Advanced in the "
        "sidebar.",
    )
    with st.container(horizontal=True):
        st.button(
            "Use these sentences",
            icon=":material/check:",
            on_click=_use_typed,
            disabled=not text,
            help="They become your own table, and every page uses them.",
        )
        if text:
            _offer(text)


def _offer(text: str) -> None:
    try:
        table = as_table(text)
    except InputError as error:
        problem(error)
        return
    about = "The commands shown on the pages read this file."
    save_button("Save as a table", table, FILE, type="tertiary", help=about)


def as_table(text: str) -> bytes:
    """Return typed lines, or a pasted table with a header, as the bytes of a CSV table."""
    if table := _pasted_table(text):
        return table
    rows = [
        (number, [part.strip() for part in line.replace("\t", "|").split("|")])
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip(" \t|")
    ]
    if len(rows) < 2:
        raise InputError(f"type at least two sentences or pairs, one per line: got {len(rows)}")
    width = len(rows[0][1])
    for number, parts in rows:
        if len(parts) > 3 or not all(parts) or len(parts) < min(width, 2):
            shown = quoted(" | ".join(parts))
            raise InputError(f"line {number}: expected first | second | gold, got {shown}")
        if len(parts) != width:
            raise InputError(f"line {number}: give gold scores in every line or in none")
        if width == 3 and not _is_grade(parts[2]):
            gold = quoted(parts[2])
            raise InputError(f"line {number}: gold must be a number from 0 to 5, got {gold}")
    header = ["sentence1", "sentence2", "score"][:width] if width > 1 else ["sentence"]
    return _csv([header, *(parts for _, parts in rows)])


def _pasted_table(text: str) -> bytes:
    """Return the pasted text as CSV if its first line names known columns, else no bytes."""
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    try:
        header, *rows = csv.reader(io.StringIO(text.strip("\n")), delimiter=delimiter)
    except (csv.Error, ValueError):
        return b""
    if len(header) < 2 or known_columns(header) is None:
        return b""
    return _csv([header, *rows])


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue().encode()


def _is_grade(text: str) -> bool:
    with suppress(ValueError):
        return 0 <= float(text) <= 5
    return False


def _use_typed() -> None:
    text = str(state.held("typed_pairs") or "")
    try:
        table = as_table(text)
    except InputError:
        return  # the page shows the error
    now = state.current_recipe()
    is_graded = b"score" in table.partition(b"\n")[0] and not _pasted_table(text)
    use_table(
        uploads.add(FILE, table),
        scale=SCALE if is_graded else "",
        fit_on=now.fit_on if uploads.is_upload(now.dataset) else now.dataset,
    )


def _example_button() -> None:
    st.button(
        "Take the example",
        on_click=state.choose,
        kwargs={"dataset": Recipe.dataset, "fit_on": Recipe.fit_on},
        help="Scores the captions that come with the package.",
    )


def _own_vectors() -> None:
    st.write(
        "Upload a `.npy` file of shape (N, D) or a parquet file with a column of lists. Every page "
        "that needs no words can use such vectors. For rho, upload two files with the two sides of "
        "the pairs, and a table of gold scores in the same order. To compare two encoders, add a "
        "second set for the same pairs."
    )
    for key, (label, kinds) in _BOXES.items():
        st.file_uploader(
            label,
            type=kinds,
            key=key,
            help=f"At most {st.get_option('server.maxUploadSize')} MB; never unpickled.",
        )
    if state.dropped(VECTOR_BOXES) and not are_vectors_complete():
        st.caption(
            "Pairs need three files: first sides, second sides and scores. A second encoder needs "
            "two more: its first and second sides."
        )
    elif state.dropped(VECTOR_BOXES):
        try:
            add_vectors()
        except BertFlowError as error:
            problem(error)
    _chosen_vectors()


def _chosen_vectors() -> None:
    recipe = state.current_recipe()
    if not uploads.vectors_of(recipe.dataset):
        return
    second = uploads.second_own_model(recipe.dataset)
    reading = Shared(_read_vectors, recipe.without("calibrator"), second)
    if not follow(reading.find(start=None), is_last=True):
        return
    pairs, n_features = reading.result
    with st.container(horizontal=True):
        st.metric(
            "Pairs" if isinstance(pairs, Pairs) else "Vectors", f"{len(pairs):,}", border=True
        )
        st.metric("Features", f"{n_features:,}", border=True)
    if pairs.gold is None:
        st.info("Without gold scores rho cannot be measured; everything else works.")


def _read_vectors(recipe: Recipe, lab: Lab, second: str) -> tuple[Texts, int]:
    """Return the rows and the number of features; refuse a second set that has other rows."""
    encoder = lab.encoder(recipe)
    if second:
        check_sides([encoder, lab.encoder(recipe.with_(model=second))])
    return lab.data(recipe), encoder.dim


def _fetch_panel() -> None:
    missing = services.missing_data()
    names = [name for name in DOWNLOADS if name in missing or _fetch(name).find(start=False)]
    if not names:
        st.write("Every data set that can be fetched is already here.")
        return
    name = st.selectbox(
        "Data set to fetch",
        names,
        key="fetch",
        help="From the Hugging Face hub, at a fixed commit. An interrupted download is resumed.",
    )
    entry = DOWNLOADS[name]
    st.text(
        f"{entry.title}: about {entry.source.megabytes} MB from {entry.source.repository}. "
        f"Licence: {entry.licence}."
    )
    pressed = st.button(
        "Fetch",
        icon=":material/download:",
        help="Fetches them into this server's cache, where every page finds them.",
    )
    fetch = _fetch(name)
    if follow(fetch.find(start=pressed)):
        if any(each.name == name and not each.found for each in services.data_sets()):
            services.data_sets.clear()  # so that the new data set is listed
        st.success(fetch.result)


def _fetch(name: str) -> Shared:
    return Shared(_fetched, name)  # one job for all visitors


def _fetched(name: str) -> str:
    size = size_text(get_data(name))
    return f"{name} is available: {size} at revision {DOWNLOADS[name].source.revision}"
