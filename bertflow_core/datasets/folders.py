"""Where benchmarks are: what `--data-dir` or `BERTFLOW_DATA` names, and the layouts below it."""

import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from types import NoneType

from bertflow_core.datasets.source import Layout, Source
from bertflow_core.errors import BertFlowError, InputError, check_type, listed
from bertflow_core.files import PATHS, cache_folder, disk_errors
from bertflow_core.wording import quoted

__all__ = ["DATA_VARIABLE", "data_root", "every_root", "locate", "missing", "own_data_folder"]

DATA_VARIABLE = "BERTFLOW_DATA"

# A user may name SentEval's checkout, its `downstream` folder, GLUE's folder, or one above them.
ROOTS = {
    Layout.SENTEVAL.value: (
        ".",
        "data/downstream",
        "downstream",
        "senteval",
        "senteval/data/downstream",
        "senteval/downstream",
    ),
    Layout.GLUE.value: (".", "glue"),
}


def own_data_folder() -> Path:
    """Return where data sets are fetched to when no folder is named; it may be missing.

    Raises:
        InputError: There is no home for a cache.
    """
    return cache_folder() / "data"


def data_root(data_dir: str | Path | None) -> Path | None:
    """Return `data_dir`, else the folder that `BERTFLOW_DATA` names, else that of fetched data.

    None where there is none of them.

    Raises:
        InputError: What is named is not a folder.
    """
    check_type(data_dir, (*PATHS, NoneType), "data_dir", "a folder's path, or None")
    named = data_dir or os.environ.get(DATA_VARIABLE)
    if not named:
        return _fetched_root()
    root = Path(named)
    with disk_errors(root), suppress(RuntimeError):  # `~` of nobody
        root = root.expanduser()
        if root.is_dir():
            return root
    origin = "--data-dir" if data_dir else DATA_VARIABLE
    raise InputError(f"{origin} names {quoted(root)}, which is not a folder: check the path")


def _fetched_root() -> Path | None:
    with suppress(BertFlowError, OSError):
        folder = own_data_folder()
        return folder if folder.is_dir() else None
    return None


def every_root(root: Path) -> tuple[Path, ...]:
    """Return the folders below `root` in which some layout may lie, `root` itself first."""
    return tuple(root / below for below in dict.fromkeys(chain(*ROOTS.values())))


def locate(sources: Sequence[Source], root: Path | None) -> tuple[Source, Path] | None:
    """Return the first of `sources` that has a split below `root`, with its layout's folder."""
    if root is None:
        return None
    with disk_errors(root):
        for source in sources:
            for below in ROOTS[source.layout]:
                if source.present(root / below):
                    return source, root / below
    return None


def missing(sources: Sequence[Source], root: Path | None) -> str:
    """Return the sentence that `sources`, the layouts of one data set, were not found."""
    name = sources[0].name
    if root is None:
        return (
            f"{name} is not shipped with the package: fetch it with `bertflow-lab data get {name}`,"
            f" or name the folder that holds it with --data-dir or {DATA_VARIABLE} (the data "
            "set teaching needs nothing)"
        )
    patterns = [pattern for source in sources for pattern in source.files.values()]
    below = [folder for source in sources for folder in ROOTS[source.layout] if folder != "."]
    return (
        f"{name} was not found: looked for {listed(patterns)} in {quoted(root)} and, there, "
        f"in {listed(below)}; fetch it with `bertflow-lab data get {name}`, or name another folder "
        f"with --data-dir or {DATA_VARIABLE} (the data set teaching needs nothing)"
    )
