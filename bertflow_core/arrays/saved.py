"""A configuration and arrays in one `.safetensors` file, without pickle or code."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.runtime.files import begins_with_mark, check_file, disk_errors, write_file
from bertflow_core.wording import quoted, reason

SAVED = ".safetensors"
_CONFIG_KEY, _DIGEST_KEY = "bertflow", "sha256"
_OURS = r"{\"format\": \"bertflow-"  # the beginning of our configurations, a text in JSON
_MAX_CONFIG_BYTES = 1 << 20
_MAX_SAVED_BYTES = 2 << 30


def write_saved(path: Path, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Path:
    """Write a configuration and arrays as one `.safetensors` file, and return its path."""
    from safetensors.numpy import save

    path = _saved_path(path)
    text = json.dumps(dict(config), sort_keys=True, allow_nan=False)
    ordered = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    with disk_errors(path, does="write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        about = {_CONFIG_KEY: text, _DIGEST_KEY: digest_of_arrays(ordered, text)}
        write_file(path, save(ordered, about))
    return path


def digest_of_arrays(arrays: Mapping[str, np.ndarray], text: str = "") -> str:
    """Return the SHA-256 of named arrays, and of a text beside them, in hexadecimal."""
    digest = hashlib.sha256(text.encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def read_saved(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the configuration and arrays of a saved file; no code or pickle is run."""
    from safetensors import SafetensorError, safe_open

    with disk_errors(path):
        weights = path if path.is_file() else _saved_path(path)
    check_file(weights, _MAX_SAVED_BYTES)
    try:
        with disk_errors(weights), safe_open(weights, "numpy") as file:
            about = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}
        text = about.get(_CONFIG_KEY, "")
        config = json.loads(text) if len(text) <= _MAX_CONFIG_BYTES else None
        if not isinstance(config, dict):
            raise TypeError("it has no configuration")
        if about.get(_DIGEST_KEY) != digest_of_arrays(arrays, text):
            raise ValueError("its checksum is another one")
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
        is_there = file.exists() or file.is_symlink()
        is_ours = begins_with_mark(file, [_OURS])
    if is_there and not is_ours:
        raise InputError(
            f"{quoted(file)} exists and was not saved by this program: choose another name"
        )
    if is_there and not force:
        raise InputError(f"{quoted(file)} exists: choose another name or give --force")


def _saved_path(path: Path) -> Path:
    return path if path.suffix == SAVED else path.with_name(path.name + SAVED)
