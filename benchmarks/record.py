"""A benchmark's results with what they depend on: the day, the machine, versions and sizes."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bertflow_core.files import atomic_write

__all__ = ["Outcome", "Record", "conditions", "describe_machine", "read_records", "write_record"]

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


_INSTRUCTION_SETS = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "asimd", "sve")
"""Those that decide how fast products of matrices are."""


@dataclass(frozen=True)
class Outcome:
    """What a benchmark gives back.

    Attributes:
        recipe: The sizes and choices that decide its numbers, JSON-able.
        rows: What was measured of each way, JSON-able.
    """

    recipe: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]

    def record(self, benchmark: str, machine: Mapping[str, Any]) -> Record:
        """Return what its results file holds."""
        return {
            "benchmark": benchmark,
            "date": date.today().isoformat(),
            "machine": dict(machine),
            "versions": _versions(),
            "recipe": dict(self.recipe),
            "results": [dict(row) for row in self.rows],
        }


def describe_machine() -> dict[str, Any]:
    """Return what kind of machine this is, and how busy others keep it during one second."""
    return {
        "cpu": _of_processor("model name") or platform.processor(),
        "instruction_sets": [
            name for name in _of_processor("flags").split() if name in _INSTRUCTION_SETS
        ],
        "cores": os.cpu_count(),
        "memory_gib": round(
            os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30), 1
        ),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "busy_percent_before": _busy_percent(),
    }


def conditions(record: Record) -> str:
    """Say what the numbers of a record depend on, in one paragraph."""
    machine = record["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    parts = [machine["cpu"], f"{machine['cores']} cores", f"{machine['memory_gib']} GiB"]
    parts += [" ".join(machine["instruction_sets"])] if machine.get("instruction_sets") else []
    if machine["busy_percent_before"] is not None:
        parts.append(f"{machine['busy_percent_before']:.0f} % busy before")
    return (
        f"{record['date']}; {', '.join(parts)}; {machine['system']}, Python {machine['python']}; "
        f"{versions}.\nRecipe: {_listed(record['recipe'])}."
    )


def _listed(recipe: Mapping[str, Any]) -> str:
    return "; ".join(f"{key.replace('_', ' ')} {value}" for key, value in recipe.items())


def write_record(folder: Path, record: Record) -> None:
    """Write a record as `folder`/NAME.json, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{record['benchmark']}.json"
    with atomic_write(path) as scratch:
        scratch.write_text(json.dumps(record, indent=2, allow_nan=False) + "\n", encoding="utf-8")


def read_records(folder: Path) -> list[Record]:
    """Read every record of a folder, in the order of their names."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]


def _versions() -> dict[str, str]:
    """Return the versions of what is installed."""
    found = {}
    for name in _VERSIONS:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _busy_percent() -> float | None:
    """Return how much of the machine was used during one second; None where psutil is missing."""
    try:
        import psutil  # type: ignore[import-untyped]
    except ImportError:
        return None
    return float(psutil.cpu_percent(interval=1.0))


def _of_processor(key: str) -> str:
    """Return what Linux lists of the first processor, or nothing."""
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []
    values = (line.partition(":")[2].strip() for line in lines if line.startswith(key))
    return next(values, "")
