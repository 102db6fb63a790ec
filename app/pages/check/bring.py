"""Bring data: drop or paste them, and see in a line how they were read and what was refused."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from operator import itemgetter

import streamlit as st
from bertflow_app import services, state, uploads
from bertflow_app.pages.check.catalogue import catalogue
from bertflow_app.shared import Shared
from bertflow_app.widgets.components import cell, end_page, problem, save_button, show_rows
from bertflow_app.widgets.recipe_picker import (
    COLLECTION_BOX,
    TABLE_BOX,
    VECTOR_BOXES,
    add_vectors,
    are_vectors_complete,
    use_table,
)
from bertflow_app.widgets.work import follow

from bertflow_core.datasets import Collection, LabelledTexts, Pairs, TableReading, Texts
from bertflow_core.datasets.catalog import DOWNLOADS, get_data
from bertflow_core.datasets.collection import MAX_UNPACKED
from bertflow_core.datasets.own_table import known_columns
from bertflow_core.datasets.texts import AUC
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.lab.grid import check_sides
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import counted, quoted, size_text

MAX_MB = 20
"""Largest size of an uploaded table; for vectors the server's own limit applies."""
SHOWN_ROWS = 200
FIRST_ROWS = 20
SENTENCE_PIXELS, WRAPPED_PIXELS = 350, 66
"""Width at which two columns of sentences and a score fit in 1280 pixels; height of a row."""
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
        _reading()


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


def _reading() -> None:
    recipe = state.current_recipe()
    try:
        reading, found = uploads.reading_of(recipe), uploads.collection_of(recipe)
    except BertFlowError as error:
        problem(error)
        if not uploads.is_collection(recipe.dataset):
            with suppress(BertFlowError):  # an unreadable table has no columns
                _score_box(recipe)
                st.write(
                    "Choose other columns here or under **Advanced** in the sidebar, or correct "
                    "the table and upload it again."
                )
        end_page()
    if reading is not None:
        with st.popover(f"What was read: {_counted(reading)}", icon=":material/table_rows:"):
            _understood(reading)
        _score_box(recipe)
        if said := (*_unscored(reading.data), *reading.data.provenance.assumed):
            st.text("\n".join(said))
    elif found is not None:
        with st.popover(f"What was read: {found.size}", icon=":material/table_rows:"):
            _searched(found)
    else:
        st.text(f"Data: {uploads.label_of(recipe.dataset)}")


def _unscored(data: Texts) -> Iterator[str]:
    if data.targets is None and isinstance(data, Pairs):
        yield "No gold scores or labels were found. If a column holds them, choose it here."
    elif data.targets is None:
        yield (
            "Only one column of sentences was found. Choose their labels here, or second sentences "
            "under Advanced in the sidebar."
        )


def _example_button() -> None:
    st.button(
        "Take the example",
        on_click=state.choose,
        kwargs={"dataset": Recipe.dataset, "fit_on": Recipe.fit_on},
        help="Scores the captions that come with the package.",
    )


def _score_box(recipe: Recipe) -> None:
    """Let the visitor change the column of gold scores or labels here, as in the sidebar."""
    header = uploads.columns_of(recipe.dataset)
    sides = (recipe.sentence1, recipe.sentence2, recipe.subset)
    nothing = uploads.no_column(header)
    options = [nothing, *(name for name in header if name not in sides)]
    now = recipe.score or nothing
    key = f"score of {recipe.dataset} from {now}"  # a new box after each change of the column
    st.selectbox(
        "Column of scores or labels",
        options,
        index=options.index(now) if now in options else 0,
        key=key,
        on_change=lambda: state.choose(score=state.held(key)),
    )


def _counted(reading: TableReading) -> str:
    refused = f", {len(reading.refused):,} refused" if reading.refused else ""
    return f"{counted(len(reading.data), 'row')}{refused}"


def _searched(found: Collection) -> None:
    left_out = f"{found.n_unjudged:,} queries without a relevant document are left out."
    st.text(" ".join([f"{found.size}.", *([left_out] if found.n_unjudged else [])]))
    if found.provenance.assumed:
        st.text(" ".join(found.provenance.assumed))
    first = [*found.queries.items()][:FIRST_ROWS]
    best = [max(found.grades[query].items(), key=itemgetter(1))[0] for query, _ in first]
    show_rows(
        {
            "Query": [cell(text) for _, text in first],
            "A relevant document": [cell(found.documents[each]) for each in best],
        },
        column_config={
            name: st.column_config.TextColumn(width=SENTENCE_PIXELS)
            for name in ("Query", "A relevant document")
        },
        row_height=WRAPPED_PIXELS,
        alt="The first queries that were read, each with a relevant document",
    )


def _understood(reading: TableReading) -> None:
    pairs, refused = reading.data, reading.refused
    with st.container(horizontal=True):
        st.metric("Rows read", f"{len(pairs):,}", border=True)
        st.metric("Rows refused", f"{len(refused):,}", border=True)
        if isinstance(pairs, Pairs):
            st.metric("Subsets", len({*pairs.subsets}), border=True)
    st.text(f"Columns: {', '.join(reading.columns.names)}; {_judgement(pairs)}")
    _first_rows(pairs)
    if refused:
        st.text("Refused rows; all other rows are used:")
        show_rows(
            [{"Row": each.row, "Why": cell(each.reason)} for each in refused[:SHOWN_ROWS]],
            column_config={"Row": st.column_config.NumberColumn(width="small")},
            alt="Rows of the table that cannot be used, and why",
        )


def _judgement(data: Texts) -> str:
    if isinstance(data, LabelledTexts):
        return data.size
    if not isinstance(data, Pairs) or data.targets is None:
        return "gold scale: none"
    if data.metric == AUC:
        ones = int(data.targets.sum())
        return f"labels: {ones:,} matching pairs, {len(data) - ones:,} others"
    return f"gold scale: {data.scale[0]:g} to {data.scale[1]:g}"


def _first_rows(data: Texts) -> None:
    sides: dict[str, Sequence[str]] = {"Sentence": data.texts}
    columns: dict[str, list[object]] = {}
    if isinstance(data, LabelledTexts):
        columns["Label"] = [*map(cell, data.labels[:FIRST_ROWS])]
    elif isinstance(data, Pairs):
        sides = {"First": data.first, "Second": data.second}
        if data.targets is not None:
            name = "Label" if data.metric == AUC else "Gold"
            columns[name] = data.targets[:FIRST_ROWS].tolist()
    columns |= {name: [*map(cell, side[:FIRST_ROWS])] for name, side in sides.items()}
    show_rows(
        columns,
        column_config={name: st.column_config.TextColumn(width=SENTENCE_PIXELS) for name in sides},
        row_height=WRAPPED_PIXELS,
        alt="The first sentences that were read",
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
