"""Records of benchmarks, with machine and versions, and tables of them.

`python -m benchmarks.record` puts the tables of all recorded results into the README.
"""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from bertflow_core.runtime.files import write_file
from bertflow_core.runtime.shipped import version_of
from bertflow_core.text_table import TextTable

Record = dict[str, Any]
"""The content of a results file, JSON-able."""

RESULTS = Path(__file__).parent / "results"
README = Path(__file__).with_name("README.md")
_START, _END = "<!-- results: make bench -->\n", "<!-- end of results -->\n"
_VERSIONS = (
    "bertflow-lab numpy scikit-learn scipy sentence-transformers tokenizers torch transformers"
).split()
_INSTRUCTION_SETS = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "asimd", "sve")
"""Instruction sets that decide the speed of matrix products."""


def record_of(
    benchmark: str,
    machine: Mapping[str, Any],
    recipe: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
) -> Record:
    """Return the record of a benchmark."""
    return {
        "benchmark": benchmark,
        "date": date.today().isoformat(),
        "machine": dict(machine),
        "versions": {name: found for name in _VERSIONS if (found := version_of(name))},
        "recipe": dict(recipe),
        "results": [dict(row) for row in rows],
    }


def write_record(folder: Path, record: Record) -> None:
    """Write a record to NAME.json in a folder; an interrupted write leaves no partial file."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(record, indent=2, allow_nan=False) + "\n"
    write_file(folder / f"{record['benchmark']}.json", text.encode())


def describe_machine() -> dict[str, Any]:
    """Describe this machine, and how busy it is during one second."""
    busy = None
    with suppress(ImportError):
        import psutil  # type: ignore[import-untyped]

        busy = float(psutil.cpu_percent(interval=1.0))
    listing = Path("/proc/cpuinfo")
    first = listing.read_text(encoding="utf-8").partition("\n\n")[0] if listing.is_file() else ""
    pairs = (line.partition(":") for line in first.splitlines())
    processor = {key.strip(): value.strip() for key, _, value in pairs}
    flags = processor.get("flags", "").split()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": processor.get("model name") or platform.processor(),
        "instruction_sets": [name for name in flags if name in _INSTRUCTION_SETS],
        "cores": os.cpu_count(),
        "memory_gib": round(memory / (1 << 30), 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "busy_percent_before": busy,
    }


def table(record: Record) -> TextTable:
    """Return the rows of a record; the remarks below say how they were measured."""
    columns = dict.fromkeys(key for row in record["results"] for key in row if key != "missing")
    rows = tuple(tuple(_cell(key, row) for key in columns) for row in record["results"])
    missing = [f"{row['name']}: {row['missing']}" for row in record["results"] if "missing" in row]
    remarks = (*missing, f"{record['benchmark']}: {_conditions(record)}")
    return TextTable(tuple(map(_heading, columns)), rows, remarks)


def _conditions(record: Record) -> str:
    """Describe date, machine, versions and sizes in two lines."""
    machine = record["machine"]
    parts = [machine["cpu"], f"{machine['cores']} cores", f"{machine['memory_gib']} GiB"]
    parts += [" ".join(machine["instruction_sets"])] if machine.get("instruction_sets") else []
    if machine["busy_percent_before"] is not None:
        parts.append(f"{machine['busy_percent_before']:.0f} % busy before")
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    recipe = (f"{key.replace('_', ' ')} {value}" for key, value in record["recipe"].items())
    return (
        f"{record['date']}; {', '.join(parts)}; {machine['system']}, Python {machine['python']}; "
        f"{versions}.\nRecipe: {'; '.join(recipe)}."
    )


def _heading(key: str) -> str:
    return key.replace("_mib", " MiB").replace("_", " ")


def _cell(key: str, row: Mapping[str, Any]) -> str:
    match row.get(key):
        case None:
            return "-"
        case dict() as checks:
            return ", ".join(f"{_heading(name)} {value:.3g}" for name, value in checks.items())
        case [low, high] if key == "spread":
            return f"{low:.2f} to {high:.2f}"
        case float() as number:
            return f"{number:.2f}" if key == "ratio" else f"{number:,.4g}"
        case value:
            return str(value)


def put_into_readme(readme: Path = README) -> None:
    """Write the tables of all recorded results between the two markers in the README."""
    before, start, rest = readme.read_text(encoding="utf-8").partition(_START)
    _, end, after = rest.partition(_END)
    if not (start and end):
        raise ValueError(f"{readme.name} needs the markers {_START!r} and {_END!r}, in this order")
    records = [json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    tables = "\n".join(
        f"### {record['benchmark']}\n\n{table(record).write('markdown')}\n" for record in records
    )
    readme.write_text(f"{before}{start}\n{tables}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    put_into_readme()
