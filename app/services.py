"""Values that this process keeps for all pages.

Visitors' jobs, results and tables are not in Streamlit's caches, since any visitor can empty these
for everybody.
"""

import threading
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import streamlit as st
from bertflow_app.work.registry import kept

from bertflow_core.datasets import available
from bertflow_core.datasets.catalog import DatasetInfo, missing_downloads
from bertflow_core.datasets.corpus import NLI, NLI_CORPUS, nli_here
from bertflow_core.datasets.word_counts import VOCABULARY, WORDFREQ, counts_files
from bertflow_core.errors import InputError
from bertflow_core.report.report import Report
from bertflow_core.studies import published

if TYPE_CHECKING:
    from bertflow_core.figures import Figure

_READING = threading.BoundedSemaphore(2)
"""Two pages at most parse a table at once: parsed rows take far more memory than their file."""

_STORED: dict[str, tuple[str, ...]] = {
    "advice": ("advice.study", "stored_advice"),
    "cone": ("space.cone", "stored_cone"),
    "language-model-cone": ("space.cone", "stored_cone", "language-model-cone"),
    "tune": ("tune", "stored_tune"),
}
"""The module, function and arguments that load each stored report."""

T = TypeVar("T")


def once(name: str, doing: str, make: Callable[[], T]) -> T:
    """Return the cached value of that name. If there is none, make it and show `doing`."""
    value: T | None = kept().get(name)
    if value is None:
        with st.spinner(doing), _READING:
            value = make()
        kept().put(name, value)
    return value


@st.cache_data(ttl=60, max_entries=1, show_spinner=False)
def data_sets() -> list[DatasetInfo]:
    """List the data sets; the list is renewed after a minute."""
    try:
        return available()
    except InputError:  # BERTFLOW_DATA names no folder: list the built-in ones
        return [info for info in available(Path(__file__).parent) if info.found]


def missing_data() -> list[str]:
    """Return the data sets that can be downloaded and are not here yet."""
    try:
        here = {info.name for info in data_sets() if info.found}
        here |= {name for name in NLI if nli_here(None, name)}
        return [name for name in missing_downloads() if name not in here]
    except InputError:  # no folder to fetch into
        return []


@st.cache_data(ttl=60, max_entries=1, show_spinner=False)
def fit_corpora() -> list[str]:
    """List the fit corpora that are not data sets of pairs; renewed after a minute."""
    try:
        return [NLI_CORPUS] if any(nli_here(None, name) for name in NLI) else []
    except InputError:  # BERTFLOW_DATA names no folder
        return []


def count_sources() -> dict[str, str]:
    """Return the available sources of word frequencies, as values of `counts`, by label.

    Visitors cannot name a path: the files are those in word_counts/ of the data folder.
    """
    sources = {name.rpartition("/")[2]: name for name in counts_files()}
    sources["order of the vocabulary"] = VOCABULARY
    return sources | ({WORDFREQ: WORDFREQ} if find_spec(WORDFREQ) else {})


@st.cache_resource(max_entries=len(_STORED), show_spinner=False)
def shipped(name: str) -> Report:
    """Return a report of the package by its name in `_STORED`; callers must not change it."""
    module, function, *arguments = _STORED[name]
    report: Report = getattr(import_module(f"bertflow_core.studies.{module}"), function)(*arguments)
    return report


@st.cache_resource(max_entries=64, show_spinner=False)
def figure_of(name: str, _draw: "Callable[[], Figure]") -> "Figure":
    """Return the figure of that name, drawn once for all visitors; callers must not change it."""
    return _draw()


@st.cache_resource(max_entries=4, show_spinner=False)
def tracked_results(name: str) -> tuple[published.TrackedResult, ...]:
    """Return the results that the package ships under a name; callers must not change them."""
    return published.tracked_results(name)
