"""The folder of data sets that `--data-dir` or `BERTFLOW_DATA` names."""

import os
from contextlib import suppress
from pathlib import Path
from types import NoneType

from bertflow_core.errors import InputError, check_type
from bertflow_core.files import PATHS, disk_errors
from bertflow_core.wording import quoted

DATA_VARIABLE = "BERTFLOW_DATA"


def data_root(data_dir: str | Path | None) -> Path | None:
    """Return `data_dir`, else the folder that `BERTFLOW_DATA` names; None where none is named."""
    check_type(data_dir, (*PATHS, NoneType), "data_dir", "a folder's path, or None")
    named = data_dir or os.environ.get(DATA_VARIABLE)
    if not named:
        return None
    root = Path(named)
    with disk_errors(root), suppress(RuntimeError):  # `~` of nobody
        root = root.expanduser()
        if root.is_dir():
            return root
    origin = "--data-dir" if data_dir else DATA_VARIABLE
    raise InputError(f"{origin} names {quoted(root)}, which is not a folder: check the path")


def every_folder(root: Path | None) -> tuple[Path, ...]:
    """Return the folders in which a layout may lie: `root` itself, and its senteval and glue."""
    return () if root is None else (root, root / "senteval", root / "glue")


def how_to_get(name: str) -> str:
    """Return what to do where a data set is not there."""
    return (
        f"fetch it with `bertflow-lab data get {name}`, or name the folder that holds it with "
        f"--data-dir or {DATA_VARIABLE} (the data set teaching needs nothing)"
    )
