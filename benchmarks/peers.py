"""Work of ours beside the same work by a named peer: the rows that `bertflow-lab bench` prints.

The ways take turns in one process, each round gives a ratio, and the median of the rounds counts.
A round before the first is not timed; its results are those that are compared.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from .measure import Measured, Way, compare, in_child, timed

__all__ = ["Checks", "Comparison", "row_of", "rows_of"]

Checks = Mapping[str, Mapping[str, float]]
"""By the name of a row, what was found when results were compared."""


@dataclass(frozen=True)
class Comparison:
    """Ways of ours, and the peer's way of the same work.

    Attributes:
        peer: Its name is that of the peer.
        ways: Of ours, and others beyond --quick; their names are those of the rows.
        checks: Compares results: what was measured by name, the peer's under its own.
        package: What the peer needs to be installed; without it the rows have no ratio.
        module: What of the package is imported; by default the package's name.
    """

    peer: Way
    ways: Sequence[Way]
    checks: Callable[[Mapping[str, Measured]], Checks]
    package: str | None = None
    module: str | None = None

    @property
    def missing(self) -> str | None:
        """Say that the peer is not installed; None where it is."""
        if self.package is None or find_spec(self.module or self.package.replace("-", "_")):
            return None
        return f"{self.package} is not installed (pip install {self.package})"


def row_of(
    ours: Measured, peer: Measured | str, checks: Mapping[str, float], *, missing: str | None = None
) -> dict[str, Any]:
    """Return a row as it is printed and recorded; no ratio where there is no peer.

    Args:
        ours: What was measured beside the peer.
        peer: What was measured of it, or its name where it is missing.
        checks: What was found when results were compared.
        missing: Why it is missing.
    """
    row: dict[str, Any] = {"name": ours.name, "seconds": round(ours.seconds, 5)}
    if isinstance(peer, Measured) and ours.ratios is not None:
        row |= {
            "peer": peer.name,
            "peer_seconds": round(peer.seconds, 5),
            "ratio": round(ours.ratio, 3),
            "spread": [round(ratio, 3) for ratio in ours.ratios],
        }
    else:
        row |= {"peer": peer, "peer_seconds": None, "ratio": None, "spread": None}
        row["missing"] = missing
    row["checks"] = dict(checks)
    if ours.peak_mib is not None:
        row["peak_mib"] = round(ours.peak_mib, 1)
    return row


def rows_of(
    comparisons: Iterable[Comparison], *, repeats: int, with_peaks: bool
) -> list[dict[str, Any]]:
    """Measure comparisons one after the other and return a record for each way of ours.

    Args:
        comparisons: What to measure.
        repeats: Timed rounds of each.
        with_peaks: Whether each way is done once more in a process of its own, for its peak memory.
    """
    return [
        row
        for each in comparisons
        for row in _measured(each, repeats=repeats, with_peaks=with_peaks)
    ]


def _measured(
    comparison: Comparison, *, repeats: int, with_peaks: bool
) -> Iterable[dict[str, Any]]:
    missing = comparison.missing
    ways = [*([comparison.peer] if missing is None else []), *comparison.ways]
    works = {way.name: way.prepare(**way.arguments) for way in ways}
    results = {name: work() for name, work in works.items()}
    runs = {way.name: timed(works[way.name], share=way.share) for way in ways}
    found = {m.name: replace(m, result=results[m.name]) for m in compare(runs, repeats=repeats)}
    checks = comparison.checks(found)
    name = comparison.peer.name
    for way in comparison.ways:
        ours = found[way.name]
        if with_peaks:
            ours = replace(ours, peak_mib=in_child(way).peak_mib)
        yield row_of(ours, found.get(name, name), checks.get(way.name, {}), missing=missing)
