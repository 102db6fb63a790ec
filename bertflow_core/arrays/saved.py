"""A configuration and arrays in one `.safetensors` file, without pickle or code."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.runtime.files import check_file, disk_errors, write_file
from bertflow_core.wording import quoted, reason

SAVED = ".safetensors"
_CONFIG_KEY = "bertflow"
_MAX_CONFIG_BYTES, _MAX_SAVED_BYTES = 1 << 20, 2 << 30


def write_saved(path: Path, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Path:
    """Write a configuration and arrays as one `.safetensors` file, and return its path."""
    from safetensors.numpy import save

    path = _saved_path(path)
    text = json.dumps(dict(config), sort_keys=True, allow_nan=False)
    ordered = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    with disk_errors(path, does="write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, save(ordered, {_CONFIG_KEY: text}))
    return path


def read_saved(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the configuration and arrays of a saved file; no code or pickle is run."""
    from safetensors import SafetensorError, safe_open

    with disk_errors(path):
        weights = path if path.is_file() else _saved_path(path)
    check_file(weights, _MAX_SAVED_BYTES)
    try:
        with disk_errors(weights), safe_open(weights, "numpy") as file:
            text = (file.metadata() or {}).get(_CONFIG_KEY, "")
            arrays = {name: file.get_tensor(name) for name in file.keys()}
        config = json.loads(text) if len(text) <= _MAX_CONFIG_BYTES else None
        if not isinstance(config, dict):
            raise TypeError("it has no configuration")
    except (ValueError, RecursionError, SafetensorError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{quoted(weights)} is damaged or was not saved by this program ({reason(error)}): "
            "save it again"
        ) from error
    return config, arrays


def check_saved(path: Path, *, force: bool) -> None:
    """Refuse to overwrite a file, unless `force` is set and this program saved it."""
    file = _saved_path(path)
    with disk_errors(file, does="write"):
        if not file.exists() and not file.is_symlink():
            return
    config: dict[str, Any] = {}
    with suppress(InputError, ResourceError):
        config, _ = read_saved(file)
    if not str(config.get("format")).startswith("bertflow-"):
        raise InputError(
            f"{quoted(file)} exists and was not saved by this program: choose another name"
        )
    if not force:
        raise InputError(f"{quoted(file)} exists: choose another name or give --force")


def _saved_path(path: Path) -> Path:
    return path if path.suffix == SAVED else path.with_name(path.name + SAVED)
