"""The thresholds of the advice, read from the measurements that the package ships."""

import json
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from bertflow_core.files import resource

__all__ = ["Fact", "Threshold", "fact", "measured_on", "threshold"]

_FILE = "thresholds.json"


@dataclass(frozen=True)
class Threshold:
    """One number that decides a recommendation, with the measurements behind it.

    Attributes:
        name: Question, number and recommendation, such as `shift.auc.stop`.
        value: The threshold.
        low: Lower end of its 95 % interval; None where the measurements give none.
        high: Upper end.
        unit: Unit of the threshold.
        meaning: What the measurements show there.
        smallest: Smallest number measured.
        largest: Largest number measured.
        n: Measurements.
        n_wrong: Those on the wrong side of the threshold.
    """

    name: str
    value: float
    low: float | None
    high: float | None
    unit: str
    meaning: str
    smallest: float
    largest: float
    n: int
    n_wrong: int

    @property
    def source(self) -> str:
        """Where the threshold comes from, one sentence."""
        interval = (
            "too few kinds of data for an interval"
            if self.low is None or self.high is None
            else f"95 % interval {self.low:.3g} to {self.high:.3g}"
        )
        return (
            f"Threshold: {self.unit} {self.value:.3g} ({interval}). {self.meaning[0].upper()}"
            f"{self.meaning[1:]}, in {self.n} measurements on {measured_on()}."
        )


@dataclass(frozen=True)
class Fact:
    """A summary of measurements that a sentence quotes; its unit is points."""

    median: float
    smallest: float
    largest: float
    n: int


def threshold(name: str) -> Threshold:
    """Return a threshold by its name.

    Raises:
        KeyError: No such threshold was derived.
        ValueError: The measurements gave it no value.
    """
    entry = _file()["thresholds"][name]
    if entry["value"] is None:
        raise ValueError(f"the measurements give {name} no value: it cannot decide anything")
    return Threshold(name=name, **{f.name: entry[f.name] for f in fields(Threshold)[1:]})


def fact(name: str) -> Fact:
    """Return a summary of measurements by its name in the file."""
    return Fact(**_file()["facts"][name])


def measured_on() -> str:
    """Say what the measurements were made with, and when."""
    file = _file()
    return f"{file['recipe']['model']} alone, {file['date']}"


@cache
def _file() -> dict[str, Any]:
    file: dict[str, Any] = json.loads(resource(_FILE).read_text(encoding="utf-8"))
    return file
