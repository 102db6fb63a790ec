"""A benchmark's results with what they depend on: the day, the machine, versions and sizes."""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from bertflow_core.files import atomic_write

__all__ = ["Outcome", "Record", "describe_machine", "read_records", "write_record"]

Record = dict[str, Any]
"""What a results file holds, JSON-able."""

_VERSIONS = (
    "bertflow-lab",
    "numpy",
    "scikit-learn",
    "scipy",
    "sentence-transformers",
    "tokenizers",
    "torch",
    "transformers",
)


@dataclass(frozen=True)
class Outcome:
    """What a benchmark gives back.

    Attributes:
        recipe: The sizes and choices that decide its numbers, JSON-able.
        rows: `Measured.row()` of each way.
    """

    recipe: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]

    def record(self, benchmark: str, machine: Mapping[str, Any]) -> Record:
        """Return what its results file holds."""
        return {
            "benchmark": benchmark,
            "date": date.today().isoformat(),
            "machine": dict(machine),
            "versions": {name: version(name) for name in _VERSIONS},
            "recipe": dict(self.recipe),
            "results": [dict(row) for row in self.rows],
        }


def describe_machine() -> dict[str, Any]:
    """Return what kind of machine this is, and how busy others keep it during one second."""
    return {
        "cpu": _cpu_model(),
        "cores": psutil.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / (1 << 30), 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "busy_percent_before": psutil.cpu_percent(interval=1.0),
    }


def write_record(folder: Path, record: Record) -> None:
    """Write a record as `folder`/NAME.json, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{record['benchmark']}.json"
    with atomic_write(path) as scratch:
        scratch.write_text(json.dumps(record, indent=2, allow_nan=False) + "\n", encoding="utf-8")


def read_records(folder: Path) -> list[Record]:
    """Read every record of a folder, in the order of their names."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]


def _cpu_model() -> str:
    """Return the processor's name; Linux keeps the readable one in a file."""
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())
