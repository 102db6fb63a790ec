"""Saved things: one `.safetensors` file, arrays and configuration, read without trust."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files.atomic import atomic_write, make_folder, write_errors
from bertflow_core.files.reading import check_file, disk_errors, read_file
from bertflow_core.wording import quoted, reason

__all__ = ["check_saved", "read_saved", "saved_path", "write_saved"]

ENDING = ".safetensors"
KEY = "bertflow"
"""The metadata that holds the configuration, as JSON."""

FORMAT_PREFIX = "bertflow-"
MAX_CONFIG_BYTES = 1 << 20
MAX_BYTES = 2 << 30


def saved_path(path: Path) -> Path:
    """Return the file of a saved thing: `path`, which need not name the ending."""
    return path if path.suffix == ENDING else path.with_name(path.name + ENDING)


def write_saved(path: Path, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Path:
    """Write a configuration and arrays as one file, whole or not at all, and return its path.

    Raises:
        ResourceError: The disk refused.
    """
    from safetensors.numpy import save

    path = saved_path(path)
    text = json.dumps(dict(config), sort_keys=True, allow_nan=False)
    content = save(
        {name: np.asarray(array, order="C") for name, array in arrays.items()}, {KEY: text}
    )
    with write_errors(path):
        make_folder(path.parent)
        with atomic_write(path) as scratch:
            scratch.write_bytes(content)
    return path


def read_saved(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the configuration and arrays of a saved thing; no code is run, no pickle is read.

    A folder of `config.json` and `model.safetensors`, as earlier versions wrote it, is read too.

    Raises:
        InputError: There is nothing saved, or it is damaged or too large.
        ResourceError: The disk refused.
    """
    from safetensors import SafetensorError, safe_open

    with disk_errors(path):
        found = path if path.is_file() else saved_path(path)
        is_folder = not found.exists() and path.is_dir()
    weights = path / f"model{ENDING}" if is_folder else found
    check_file(weights, MAX_BYTES)
    try:
        with disk_errors(weights), safe_open(weights, "numpy") as file:
            text = _config(path) if is_folder else (file.metadata() or {}).get(KEY, "")
            arrays = {name: file.get_tensor(name) for name in file.keys()}
        if len(text) > MAX_CONFIG_BYTES:
            raise ValueError("its configuration is too large")
        config = json.loads(text)
    except (ValueError, RecursionError, SafetensorError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{quoted(weights)} is damaged or was not saved by this program ({reason(error)}): "
            "save it again"
        ) from error
    if not isinstance(config, dict):
        raise InputError(f"{quoted(weights)} has no configuration: save it again")
    return config, arrays


def check_saved(path: Path, *, force: bool) -> None:
    """Refuse, before any work, a name under which `write_saved` would overwrite something.

    What this program saved under it may be replaced with `force`.

    Raises:
        InputError: It exists and is something else, or `force` is off.
        ResourceError: The disk refused.
    """
    file = saved_path(path)
    with write_errors(file):
        is_there = file.exists() or file.is_symlink()
    if is_there and not _is_ours(file):
        raise InputError(f"{quoted(file)} exists and was not saved here: choose another name")
    if is_there and not force:
        raise InputError(f"{quoted(file)} exists: choose another name or give --force")


def _config(folder: Path) -> str:
    return read_file(folder / "config.json", MAX_CONFIG_BYTES).decode()


def _is_ours(file: Path) -> bool:
    try:
        config, _ = read_saved(file)
    except (InputError, ResourceError):
        return False
    return str(config.get("format")).startswith(FORMAT_PREFIX)
