"""A dialog that lists models, data sets and calibrators, and shows the embedding cache."""

import time

import streamlit as st
from bertflow_app import services
from bertflow_app.widgets.components import problem, show_rows

from bertflow_core.calibrators import Calibrator
from bertflow_core.calibrators.registry import CALIBRATORS
from bertflow_core.calibrators.spec import Spec
from bertflow_core.encoders.catalog import CATALOG
from bertflow_core.errors import BertFlowError
from bertflow_core.store import EmbeddingStore


@st.dialog("Models, data sets and calibrators", width="large")
def catalogue() -> None:
    """Show a tab each for models, data sets, calibrators and the cache."""
    tabs = st.tabs(["Models", "Data sets", "Calibrators", "Cache"])
    for tab, show in zip(tabs, (_models, _data_sets, calibrators, _cache), strict=True):
        with tab:
            show()


def _models() -> None:
    show_rows(
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
        row_height=84,  # long texts wrap from 65 pixels on
        alt="Models with their hub ids and layers",
    )


def _data_sets() -> None:
    show_rows(
        [
            {
                "Name": info.name,
                "Title": info.title,
                "Size": "; ".join(f"{split} {size}" for split, size in info.splits),
                "Licence": info.licence,
                "Source": info.source,
                "Where": info.where if info.found else "not here",
            }
            for info in services.data_sets()
        ],
        row_height=84,
        alt="Data sets with their sizes, licences and sources",
    )
    st.caption(
        "Captions, teaching and questions are built in. Others are downloaded, or read from the "
        "folder that you name with `--data-dir` (or `BERTFLOW_DATA`) when you start the app."
    )


def calibrators() -> None:
    """Show what every calibrator does, and details of the one that the visitor chooses."""
    show_rows(
        [
            {"Name": info.name, "In words": Spec(info.name).words, "Source": info.source}
            for info in CALIBRATORS.values()
        ],
        alt="Calibrators, what each does, and where it comes from",
    )
    for sentence in CALIBRATORS.plugins.refused.values():
        st.text(sentence)  # plain text: it quotes other packages
    names = list(CALIBRATORS)
    name = st.selectbox(
        "Formula and parameters of",
        names,
        index=names.index("flow"),
        key="calibrator_in_full",
        help="To use it, type its name where a page lets you choose calibrators. Parameters follow "
        "a colon: null-top-k:k=6.",
    )
    _in_full(CALIBRATORS[name])


def _in_full(info: type[Calibrator]) -> None:
    st.code(info.formula, language=None, wrap_lines=True)
    st.text(f"Invertible: {info.invertible}. Density: {info.density}.")
    if info.presets:
        st.text("Presets: " + ", ".join(f"{info.name}:preset={each.name}" for each in info.presets))
    if info.url:
        st.markdown(f"Source: [{info.source}]({info.url})")
    if not info.parameters():
        st.text("It takes no parameters.")
        return
    st.table(
        [
            {
                "Parameter": each.name,
                "What it is": each.help,
                "Expected": each.expected,
                "Default": "none" if each.default is None else str(each.default),
            }
            for each in info.parameters()
        ],
        hide_index=True,
    )


def _cache() -> None:
    store = EmbeddingStore()
    entries, limit = store.entries(), store.limit_bytes
    used = sum(entry.n_bytes for entry in entries)
    st.write("Embeddings on the server's disk, in the folder that `BERTFLOW_CACHE` names.")
    st.progress(
        min(1.0, used / limit), text=f"{used / 1e6:,.1f} MB of at most {limit / 1e9:,.1f} GB"
    )
    if not entries:
        return
    show_rows(
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
        alt="What the cache holds for each encoder",
    )
    with st.popover("Clear the cache", icon=":material/delete:", help="Asks for confirmation."):
        st.write(
            "Every stored embedding will be deleted, and computed again when a result needs it."
        )
        if st.button("Delete all", help="This cannot be undone."):
            try:
                store.clear()
            except BertFlowError as error:
                problem(error)
            else:
                st.rerun()
