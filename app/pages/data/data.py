"""Your data: what is here and where it comes from, your own table, and the cache."""

import time
from collections.abc import Iterable
from contextlib import suppress

import streamlit as st
from bertflow_app import services, state
from bertflow_app.navigation import link
from bertflow_app.pages.data.calibrators import calibrators_panel
from bertflow_app.pages.data.fetching import fetch_panel
from bertflow_app.pages.data.vectors import own_vectors
from bertflow_app.parts.components import cell, problem, share_used
from bertflow_app.parts.recipe_picker import use_table

from bertflow_core.datasets import TableReading
from bertflow_core.encoders.catalog import CATALOG
from bertflow_core.errors import BertFlowError

MAX_MB = 20
SHOWN_ROWS = 200


def draw() -> None:
    """Draw it."""
    st.title("Your data")
    st.write(
        "The sidebar chooses data and model. Here are their origins and licences, and the place to "
        "upload your own sentences."
    )

    _own_table()
    own_vectors(MAX_MB)
    _data_sets()
    _models()
    st.header("Calibrators")
    st.write("Type any of them, with its parameters, where a page lets you choose calibrators.")
    calibrators_panel()
    _cache()


def _own_table() -> None:
    st.header("Your own sentences")
    st.write(
        "A table with two columns of sentences and, to measure, one of gold scores or of two "
        "labels; or with one column of sentences: CSV, TSV, JSON lines or parquet, UTF-8, at most "
        f"{MAX_MB} MB and {services.MAX_LINES:,} rows. It stays in this server's memory and is "
        "gone when the server stops."
    )
    uploaded = st.file_uploader(
        "Table of pairs or sentences",
        type=["csv", "tsv", "jsonl", "parquet"],
        max_upload_size=MAX_MB,
        key="upload",
        help="Read without running anything in it; cells are never shown as HTML.",
    )
    if uploaded is not None:
        dataset = services.uploads().add(uploaded.name, uploaded.getvalue())
        if dataset != state.current_recipe().dataset:
            st.button(
                "Use this table",
                type="primary",
                icon=":material/check:",
                on_click=use_table,
                args=(dataset,),
                help="Choose it as the data of every page; the sidebar then asks for its columns.",
            )
    _reading()


def _reading() -> None:
    recipe = state.current_recipe()
    try:
        reading = services.reading_of(recipe)
    except BertFlowError as error:
        problem(error)
        with suppress(BertFlowError):  # of a table that cannot be read at all no columns are known
            services.columns_of(recipe.dataset)
            st.write(
                "Choose other columns in the sidebar, or correct the table and upload it again."
            )
        reading = None
    if reading is not None:
        _show_reading(reading)


def _show_reading(reading: TableReading) -> None:
    pairs, refused = reading.pairs, reading.refused
    with st.container(horizontal=True):
        st.metric("Rows read", f"{len(pairs):,}", border=True)
        st.metric("Rows refused", f"{len(refused):,}", border=True)
        if pairs.is_paired:
            st.metric("Subsets", len(pairs.subset_names), border=True)
    scale = f"{pairs.scale[0]:g} to {pairs.scale[1]:g}" if pairs.gold is not None else "none"
    st.text(f"Columns: {', '.join(reading.columns.names)}; gold scale: {scale}")
    if pairs.labels is not None:
        ones = int(pairs.labels.sum())
        st.text(f"Labels: {ones:,} pairs that belong together, {len(pairs) - ones:,} that do not")
    if pairs.judged is None:
        st.info(
            "No gold scores are read, so rho cannot be measured. If a column holds them, "
            "choose it in the sidebar under **Gold scores**; the columns of sentences are "
            "chosen there too."
        )
    if refused:
        st.subheader("Refused rows")
        st.dataframe(
            [{"Row": each.row, "Why": cell(each.reason)} for each in refused[:SHOWN_ROWS]],
            column_config={"Row": st.column_config.NumberColumn(width="small")},
            hide_index=True,
            alt="Rows of the table that cannot be used, and why",
        )
        st.write("The other rows are used as they are.")
    st.subheader("First rows")
    columns: dict[str, Iterable[object]]
    if pairs.is_paired:
        columns = {"First": map(cell, pairs.first[:20]), "Second": map(cell, pairs.second[:20])}
    else:
        columns = {"Sentence": map(cell, pairs.first[:20])}
    if pairs.judged is not None:
        columns["Gold" if pairs.labels is None else "Label"] = pairs.judged[:20].tolist()
    st.dataframe(
        {name: list(values) for name, values in columns.items()},
        hide_index=True,
        alt="The first sentences that were read",
    )
    link("calibrate", "Calibrate these sentences", icon="tune")


def _data_sets() -> None:
    st.header("Data sets")
    st.dataframe(
        [
            {
                "Name": info.name,
                "Title": info.title,
                "Pairs": ", ".join(f"{split} {n:,}" for split, n in info.splits),
                "Licence": info.licence,
                "Source": info.source,
                "Where": info.where if info.found else "not here",
            }
            for info in services.data_sets()
        ],
        column_config={
            name: st.column_config.TextColumn(width=width)
            for name, width in {"Title": 95, "Pairs": 85, "Licence": 165, "Source": 230}.items()
        },
        row_height=104,  # long texts wrap from 65 pixels on
        height="content",
        hide_index=True,
        alt="Data sets with their sizes, licences and sources",
    )
    st.write(
        "Benchmarks other than captions and teaching are not shipped: fetch them here, or set "
        "`--data-dir` (or `BERTFLOW_DATA`), when the app is started, to a folder that holds "
        "SentEval's files as `senteval` and GLUE's as `glue`."
    )
    fetch_panel()


def _models() -> None:
    st.header("Models")
    st.dataframe(
        [
            {
                "Name": entry.name,
                "Hub id": entry.hub_id,
                "Layers": entry.n_layers,
                "Licence": entry.licence,
                "Installed": "yes" if entry.embedded else "when first used",
                "Note": entry.note,
            }
            for entry in CATALOG.values()
        ],
        column_config={
            name: st.column_config.TextColumn(width=width)
            for name, width in {
                **{"Name": 145, "Hub id": 185, "Licence": 105, "Installed": 95},
                "Note": 220,
            }.items()
        },
        row_height=84,
        height="content",
        hide_index=True,
        alt="Models with their hub ids and layers",
    )


def _cache() -> None:
    st.header("Cache of embeddings")
    entries, limit = services.store_entries()
    st.write("On the server's disk, in the folder that `BERTFLOW_CACHE` names.")
    share_used(sum(entry.n_bytes for entry in entries), limit)
    if entries:
        st.dataframe(
            [
                {
                    "Model": entry.description.get("model", "?"),
                    "Longest input": entry.description.get("max_length"),
                    "Precision": entry.description.get("dtype", "?"),
                    "Sentences": entry.n_sentences,
                    "MB": round(entry.n_bytes / 1e6, 1),
                    "Last used": time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.last_used)),
                }
                for entry in entries
            ],
            hide_index=True,
            alt="What the cache holds of each encoder",
        )
        with st.popover("Clear the cache", icon=":material/delete:", help="Asks once more."):
            st.write(
                "Every stored embedding is deleted; results that need them compute them again."
            )
            st.button("Delete all", on_click=services.clear_store, help="This cannot be undone.")
