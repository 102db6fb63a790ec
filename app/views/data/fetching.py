"""Data sets fetched by name into the server's data folder."""

import streamlit as st
from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.parts.components import follow
from bertflow_app.shared_jobs import find_or_start

from bertflow_core.downloads import DOWNLOADS, get_data
from bertflow_core.progress import Progress
from bertflow_core.wording import size_text

KEY = "fetch"


def fetch_panel() -> None:
    """Let the visitor fetch a data set that is missing, and show how far that is."""
    missing = {each.name for each in services.missing_data()}
    names = [name for name in DOWNLOADS if name in missing or _job(name, start=False)]
    if not names:
        st.write("Every data set that can be fetched is here.")
        return
    name = st.selectbox(
        "Data set to fetch",
        names,
        key=KEY,
        help="From the Hugging Face hub, at a set commit. What breaks off is resumed; revision and "
        "digests are recorded beside the data.",
    )
    entry = DOWNLOADS[name]
    st.text(
        f"{entry.title}: about {entry.megabytes} MB from {entry.repository}. Licence: "
        f"{entry.licence}."
    )
    pressed = st.button(
        "Fetch",
        icon=":material/download:",
        help="Writes the files into this server's data folder, where every page finds them.",
    )
    job = _job(name, start=pressed)
    if job is not None and follow(job):
        services.note_fetched(name)
        st.success(job.result)


def _job(name: str, *, start: bool) -> Job | None:
    """Return the job that fetches a data set: one for all visitors."""

    def work(progress: Progress) -> str:
        record, _ = get_data(name, progress=progress)
        size = size_text(sum(file.size for file in record.files.values()))
        return f"{name} is here: {size} at revision {record.revision}"

    return find_or_start(f"data get {name}", work, start=start)
