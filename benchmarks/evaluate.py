"""Evaluate on the teaching pairs as a user does: the command, from start to result.

`bertflow-lab evaluate --dataset teaching` in a process of its own and offline, with an empty cache,
so that the sentences are embedded, and with the vectors that this left. And what the imports take
against an interpreter that does nothing.
"""

import os
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

from .measure import Run, compare, run_command
from .record import Outcome

__all__ = ["run"]

_ARGUMENTS = ("evaluate", "--dataset", "teaching")
_IMPORTS = {
    "python, nothing imported": "pass",
    "import bertflow_core": "import bertflow_core",
    "import bertflow_core.cli": "import bertflow_core.cli",
    "import bertflow_core.lab": "import bertflow_core.lab",
}


def run(*, quick: bool) -> Outcome:
    """Measure the command and the imports, once or in several rounds."""
    repeats = 1 if quick else 3
    with tempfile.TemporaryDirectory() as folder:
        commands = {
            "evaluate, empty cache": lambda: _evaluate(_new_cache(Path(folder))),
            "evaluate, vectors kept": lambda: _evaluate(max(Path(folder).iterdir())),
        }
        measured = compare(commands, repeats=repeats)
    measured += compare({name: _python(code) for name, code in _IMPORTS.items()}, repeats=repeats)
    return Outcome(
        {"command": " ".join(("bertflow-lab", *_ARGUMENTS)), "repeats": repeats},
        [way.row() for way in measured],
    )


def _evaluate(cache: Path) -> Run:
    script = Path(sysconfig.get_path("scripts")) / "bertflow-lab"
    environment = {"BERTFLOW_CACHE": str(cache), "HF_HUB_OFFLINE": "1"}
    return run_command([str(script), *_ARGUMENTS], environment=environment)


def _new_cache(folder: Path) -> Path:
    cache = folder / f"{len(os.listdir(folder)):03d}"
    cache.mkdir()
    return cache


def _python(code: str) -> Callable[[], Run]:
    return lambda: run_command([sys.executable, "-c", code])
