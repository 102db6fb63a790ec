"""Saved objects: a folder with a configuration and named arrays, read without trust."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files.atomic import cannot_write, flush, make_folder
from bertflow_core.files.exchange import put_in_place
from bertflow_core.files.reading import check_file, disk_errors
from bertflow_core.files.scratch import scratch_beside, sweep_scratch
from bertflow_core.wording import quoted, reason

__all__ = ["check_folder", "filled_folder", "read_folder", "replace_folder", "write_folder"]

CONFIG, WEIGHTS = "config.json", "model.safetensors"

FORMAT_PREFIX = "bertflow-"

MAX_CONFIG_BYTES = 1 << 20

MAX_WEIGHTS_BYTES = 2 << 30


def write_folder(folder: Path, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write `config` and `arrays` as `folder`, replacing a saved one only when complete.

    A folder counts as a saved one by the `format` in its configuration, "bertflow-" and the kind,
    so that no other program's `config.json` and `model.safetensors` are overwritten.

    Raises:
        InputError: `folder` exists and is not such a folder, so that nothing of the user's is lost.
        ResourceError: The disk refused.
    """
    check_folder(folder)
    replace_folder(folder, config, arrays)


def replace_folder(
    folder: Path, config: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
) -> None:
    """Do as `write_folder` where nothing that has the name `folder` is the user's.

    Raises:
        ResourceError: The disk refused.
    """
    from safetensors.numpy import save

    text = json.dumps(dict(config), indent=2, sort_keys=True, allow_nan=False)
    weights = save({name: np.asarray(array, order="C") for name, array in arrays.items()})
    with filled_folder(folder) as new:
        (new / CONFIG).write_text(text + "\n", encoding="utf-8")
        (new / WEIGHTS).write_bytes(weights)


@contextmanager
def filled_folder(folder: Path) -> Iterator[Path]:
    """Give a new folder to fill, which gets the name `folder` once it is complete and on the disk.

    What had that name is replaced: check it before.

    Raises:
        ResourceError: The disk refused.
    """
    try:
        folder = _place(folder)
        make_folder(folder.parent)
        with scratch_beside(folder) as scratch:
            scratch.new.mkdir()
            yield scratch.new
            for path in (*sorted(scratch.new.rglob("*")), scratch.new):
                flush(path)
            put_in_place(scratch.new, folder, scratch.old)
            flush(folder.parent)
    except ResourceError:
        raise
    except OSError as error:
        raise cannot_write(folder, error) from error


def check_folder(folder: Path) -> None:
    """Refuse, before any work, a name under which `write_folder` would have to overwrite something.

    Raises:
        InputError: It exists and is neither empty nor a saved object.
        ResourceError: The disk refused.
    """
    _put_back(folder)
    try:
        is_free = not folder.exists() or _is_ours(folder)
    except OSError as error:
        raise cannot_write(folder, error) from error
    if not is_free:
        raise InputError(
            f"{quoted(folder)} exists and holds other things than {CONFIG} and {WEIGHTS} of a "
            "saved object: choose a new folder name"
        )


def read_folder(folder: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read what `write_folder` wrote: the configuration and the named arrays.

    Raises:
        InputError: Not such a folder, damaged, or larger than any that this package writes.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    folder = Path(folder)
    _put_back(folder)
    for name, limit in ((CONFIG, MAX_CONFIG_BYTES), (WEIGHTS, MAX_WEIGHTS_BYTES)):
        _check_file(folder / name, limit)
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        arrays = load_file(folder / WEIGHTS)
    except OSError as error:
        raise ResourceError(f"cannot read {quoted(folder)}: {error.strerror or error}") from error
    except (ValueError, RecursionError, SafetensorError, AttributeError, TypeError) as error:
        raise InputError(f"{quoted(folder)} is damaged ({reason(error)}): save it again") from error
    if not isinstance(config, dict):
        raise InputError(f"{quoted(folder / CONFIG)} is not a JSON object: save it again")
    return config, arrays


def _check_file(path: Path, limit: int) -> None:
    with disk_errors(path):
        exists = path.exists()
    if not exists:
        raise InputError(
            f"{quoted(path)} is missing: expected a folder with {CONFIG} and {WEIGHTS}"
        )
    check_file(path, limit)


def _is_ours(folder: Path) -> bool:
    """Tell whether `folder` is empty or holds only what `write_folder` wrote, by its format."""
    if not folder.is_dir():
        return False
    names = {entry.name for entry in folder.iterdir()}
    return not names or (names <= {CONFIG, WEIGHTS} and _has_our_format(folder / CONFIG))


def _has_our_format(path: Path) -> bool:
    try:
        _check_file(path, MAX_CONFIG_BYTES)
        config = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):  # an InputError is a ValueError
        return False
    return isinstance(config, dict) and str(config.get("format")).startswith(FORMAT_PREFIX)


def _place(folder: Path) -> Path:
    """Return where a folder lies: a link stays one, and "." has a name."""
    try:
        return Path(folder).resolve()
    except RuntimeError:  # older Pythons raise it
        raise InputError(f"{quoted(folder)} is a link to itself: choose another folder") from None


def _put_back(folder: Path) -> None:
    """Give a saved folder its name again if a process was killed while it replaced it."""
    with suppress(OSError):
        if not folder.exists():
            sweep_scratch(_place(folder).parent)
