"""What `bertflow-lab bench` measures, by name."""

import os
from collections.abc import Iterator, Sequence
from importlib import import_module

from bertflow_core import context

from .record import Record, describe_machine

__all__ = ["BY_DEFAULT", "SUITES", "measure"]

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
"""What is measured where no suite is named: the dashboard takes minutes, and needs a browser."""

# The embedded model needs no network, and the peers' progress bars would tear the tables.
_QUIETLY = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}


def measure(names: Sequence[str], *, quick: bool) -> Iterator[Record]:
    """Run one suite after the other and yield what its results file holds.

    Args:
        names: Of suites.
        quick: Whether small sizes do.
    """
    os.environ |= _QUIETLY
    for done, name in enumerate(names):
        machine, module = describe_machine(), SUITES[name]
        with context.repeating(done, len(names), "benchmarks"):
            outcome = import_module(f"{__package__}.{module}").run(quick=quick)
        yield outcome.record(module, machine)
