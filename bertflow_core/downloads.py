"""Data sets fetched by name into the Hugging Face hub's cache, where they are read."""

from dataclasses import dataclass

from bertflow_core.datasets.benchmarks import BENCHMARKS
from bertflow_core.datasets.places import HUB, HubSource
from bertflow_core.errors import check_name

_NLI = {
    "snli": ("SNLI", "CC BY-SA 4.0"),
    "mnli": (
        "MultiNLI",
        "OANC, CC BY-SA 3.0 and CC BY 3.0, by genre (Williams et al., 2018)",
    ),
}


@dataclass(frozen=True)
class Download:
    """A data set that can be fetched: its name, what to call it, its terms of use, its files."""

    name: str
    title: str
    licence: str
    source: HubSource


def _download(name: str, source: HubSource) -> Download:
    known = BENCHMARKS.get(name)
    title, licence = _NLI[name] if known is None else (known.title, known.licence)
    return Download(name, title, licence, source)


DOWNLOADS = {name: _download(name, source) for name, source in HUB.items()}


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
