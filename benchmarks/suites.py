"""What `bertflow-lab bench` measures, by name; `python -m benchmarks` records it as well."""

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from bertflow_core import context

from .record import Record, describe_machine

__all__ = ["BY_DEFAULT", "SUITES", "comparison_of", "measure"]

SUITES = {
    "embedding": "embed",
    "flow": "flow",
    "linear": "closed_forms",
    "neighbours": "neighbours",
    "bootstrap": "bootstrap",
    "app": "app",
}
"""Each suite's module."""

BY_DEFAULT = ("embedding", "flow", "linear", "neighbours", "bootstrap")
"""What is measured where no suite is named: the others take minutes, or need a browser."""

# The embedded model needs no network, and the peers' progress bars would tear the tables.
_QUIETLY = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
_COMPARED = ("seconds", "peer", "peer_seconds", "ratio", "spread", "checks")


def measure(modules: Sequence[str], *, quick: bool) -> Iterator[Record]:
    """Run one benchmark after the other and yield what its results file holds.

    Args:
        modules: Names of modules of this package, which have `run`.
        quick: Whether small sizes do.
    """
    os.environ |= _QUIETLY
    for done, name in enumerate(modules):
        machine = describe_machine()
        with context.repeating(done, len(modules), "benchmarks"):
            outcome = import_module(f"{__package__}.{name}").run(quick=quick)
        yield outcome.record(name, machine)


def comparison_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a record with the keys that every row of `bertflow-lab bench` has.

    What was measured without a peer has no ratio; its other numbers are checks.
    """
    others = {
        key: value
        for key, value in row.items()
        if key not in ("name", *_COMPARED) and isinstance(value, int | float)
    }
    known = {key: row.get(key) for key in _COMPARED}
    checks = {**(row.get("checks") or {}), **others}
    missing = {"missing": row["missing"]} if "missing" in row else {}
    return {"name": row["name"], **known, "checks": checks, **missing}
