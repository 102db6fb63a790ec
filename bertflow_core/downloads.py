"""Data sets fetched by name into the Hugging Face hub's cache, where they are read."""

from dataclasses import dataclass

from bertflow_core.datasets.benchmarks import BENCHMARKS, INFERENCE
from bertflow_core.datasets.places import HUB, HubSource
from bertflow_core.errors import check_name


@dataclass(frozen=True)
class Download:
    """A data set that can be fetched: its name, what to call it, its terms of use, its files."""

    name: str
    title: str
    licence: str
    source: HubSource


_KNOWN = BENCHMARKS | INFERENCE
DOWNLOADS = {
    name: Download(name, _KNOWN[name].title, _KNOWN[name].licence, source)
    for name, source in HUB.items()
}


def get_data(name: str) -> int:
    """Fetch what the hub's cache lacks of a data set; return the bytes of its files.

    Args:
        name: A name of `DOWNLOADS`.
    """
    check_name(name, DOWNLOADS, "data set to fetch")
    source = HUB[name]
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


def missing_downloads() -> list[Download]:
    """Return what can be fetched and has not been."""
    return [each for each in DOWNLOADS.values() if not each.source.files()]
