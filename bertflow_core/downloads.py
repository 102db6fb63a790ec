"""Data sets fetched by name into the Hugging Face hub's cache, where they are read."""

from typing import NamedTuple

from bertflow_core.datasets.benchmarks import BENCHMARKS, INFERENCE, Benchmark
from bertflow_core.datasets.places import HubSource
from bertflow_core.errors import check_name


class Download(NamedTuple):
    """A data set that can be fetched, and where from."""

    data: Benchmark
    source: HubSource


DOWNLOADS = {
    each.name: Download(each, each.hub)
    for each in (*BENCHMARKS.values(), *INFERENCE.values())
    if each.hub is not None
}


def get_data(name: str) -> int:
    """Fetch what the hub's cache lacks of a data set; return the bytes of its files.

    Args:
        name: A name of `DOWNLOADS`.
    """
    check_name(name, DOWNLOADS, "data set to fetch")
    source = DOWNLOADS[name].source
    from bertflow_core.hub import fetch  # late: the hub's client is slow to import

    fetch(
        source.repository,
        source.patterns,
        revision=source.revision,
        kind="dataset",
        name=name,
        otherwise="or choose the data set captions, which is built in",
    )
    return sum(path.stat().st_size for path in source.files())


def missing_downloads() -> list[str]:
    """Return the names of what can be fetched and has not been."""
    return [name for name, each in DOWNLOADS.items() if not each.source.files()]
