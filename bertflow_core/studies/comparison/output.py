"""The folder that `bertflow-lab compare --out` writes: finished fits and the tables of them."""

from collections.abc import Sequence
from pathlib import Path

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import SCRATCH, atomic_write, cannot_write
from bertflow_core.studies.comparison.report import WRITERS
from bertflow_core.studies.comparison.result import Comparison
from bertflow_core.studies.comparison.significance import Assessment

__all__ = ["CELLS", "check_output", "write_output"]

CELLS = "cells"
_ENDINGS = {"csv": "csv", "json": "json", "latex": "tex", "markdown": "md"}
_TABLES = {f"comparison.{ending}" for ending in _ENDINGS.values()}
_TESTS = {"significance.csv", "significance.md", "significance.tex"}
_OURS = {CELLS, *_TABLES, *_TESTS}


def check_output(folder: Path) -> None:
    """Refuse, before any work, a folder that holds anything else than such a comparison.

    Raises:
        InputError: It is a file, or holds what no comparison wrote.
        ResourceError: The disk refused.
    """
    try:
        if not folder.exists():
            return
        if not folder.is_dir():
            raise InputError(f"{str(folder)!r} is a file: name a folder")
        names = {entry.name for entry in folder.iterdir()}
        strange = {n for n in names if not n.startswith(SCRATCH)} - _OURS
    except OSError as error:
        raise ResourceError(f"cannot read {str(folder)!r}: {error.strerror or error}") from error
    if strange:
        raise InputError(
            f"{str(folder)!r} holds {min(strange)!r}, which no comparison wrote: choose a new "
            "folder, or one of an earlier comparison to go on with it"
        )


def write_output(folder: Path, comparison: Comparison, tests: Sequence[Assessment] = ()) -> None:
    """Write the tables of a comparison, each file whole or not at all.

    Args:
        folder: As `check_output` passed it.
        comparison: The filled grid.
        tests: What is known of its differences, a data set each.

    Raises:
        ResourceError: The disk refused.
    """
    texts = {f"comparison.{ending}": WRITERS[form](comparison) for form, ending in _ENDINGS.items()}
    if tests:
        tables = [test.table() for test in tests]
        texts |= {
            "significance.csv": "\n".join(
                text if i == 0 else text.partition("\n")[2]
                for i, text in enumerate(test.to_csv() for test in tests)
            ),
            "significance.md": "\n\n".join(table.to_markdown() for table in tables),
            "significance.tex": "\n\n".join(table.to_latex() for table in tables),
        }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _TESTS - set(texts):
            (folder / name).unlink(missing_ok=True)  # those of an earlier table
        for name, text in texts.items():
            with atomic_write(folder / name) as scratch:
                scratch.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise cannot_write(folder, error) from error
