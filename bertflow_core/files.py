"""Files of our own: saved folders, `.npy` vectors and the tracked data, read without trust."""

import errno
import json
import os
import shutil
import tempfile
import uuid
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.linalg import FloatArray

__all__ = [
    "check_folder",
    "check_target",
    "read_folder",
    "read_npy",
    "resource",
    "write_folder",
    "write_npy",
]

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
    from safetensors.numpy import save_file

    check_folder(folder)
    try:
        folder = Path(folder).resolve()  # a link stays one, and "." has a name
        folder.parent.mkdir(parents=True, exist_ok=True)
        scratch = folder.with_name(f".{folder.name}-{uuid.uuid4().hex[:8]}")
        scratch.mkdir()
        try:
            text = json.dumps(dict(config), indent=2, sort_keys=True, allow_nan=False)
            (scratch / CONFIG).write_text(text + "\n", encoding="utf-8")
            contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
            save_file(contiguous, scratch / WEIGHTS)
            _swap(scratch, folder)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise ResourceError(f"cannot write {str(folder)!r}: {error.strerror or error}") from error


def check_folder(folder: Path) -> None:
    """Refuse, before any work, a name under which `write_folder` would have to overwrite something.

    Raises:
        InputError: It exists and is neither empty nor a saved object.
        ResourceError: The disk refused.
    """
    try:
        is_free = not folder.exists() or _is_ours(folder)
    except OSError as error:
        raise ResourceError(f"cannot write {str(folder)!r}: {error.strerror or error}") from error
    if not is_free:
        raise InputError(
            f"{str(folder)!r} exists and holds other things than {CONFIG} and {WEIGHTS} of a saved "
            "object: choose a new folder name"
        )


def read_folder(folder: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read what `write_folder` wrote: the configuration and the named arrays.

    Raises:
        InputError: Not such a folder, damaged, or larger than any that this package writes.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    folder = Path(folder)
    for name, limit in ((CONFIG, MAX_CONFIG_BYTES), (WEIGHTS, MAX_WEIGHTS_BYTES)):
        _check_file(folder / name, limit)
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        arrays = load_file(folder / WEIGHTS)
    except OSError as error:
        raise ResourceError(f"cannot read {str(folder)!r}: {error.strerror or error}") from error
    except (ValueError, RecursionError, SafetensorError, AttributeError, TypeError) as error:
        raise InputError(f"{str(folder)!r} is damaged ({error}): save it again") from error
    if not isinstance(config, dict):
        raise InputError(f"{str(folder / CONFIG)!r} is not a JSON object: save it again")
    return config, arrays


def _check_file(path: Path, limit: int) -> None:
    if not path.is_file():
        raise InputError(f"{str(path)!r} is missing: expected a folder with {CONFIG} and {WEIGHTS}")
    if path.stat().st_size > limit:
        raise InputError(f"{str(path)!r} is larger than {limit:,} bytes: not one of ours")


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


def _swap(scratch: Path, folder: Path) -> None:
    """Put `scratch` in the place of `folder`; what was there goes only once the new one stands."""
    if not folder.exists():
        os.replace(scratch, folder)
        return
    old = folder.with_name(f".{folder.name}-old-{uuid.uuid4().hex[:8]}")
    os.replace(folder, old)
    try:
        os.replace(scratch, folder)
    except BaseException:
        os.replace(old, folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


_MAX_BYTES = 16 << 30


def check_target(path: Path, *, force: bool) -> None:
    """Refuse, before any work, a file name that cannot be written or would overwrite something.

    Raises:
        InputError: The name does not end in `.npy`, its folder is missing, or it exists and
            `force` is off.
        ResourceError: The disk refused such a name.
    """
    if path.suffix != ".npy":
        raise InputError(f"{str(path)!r} must end in .npy")
    try:
        if not path.parent.is_dir():
            raise InputError(f"folder {str(path.parent)!r} does not exist: make it first")
        if path.is_dir():
            raise InputError(f"{str(path)!r} is a folder: choose another name")
        if path.exists() and not force:
            raise InputError(f"{str(path)!r} exists: choose another name or give --force")
        if not os.access(path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _cannot_write(path, error) from error


def write_npy(path: Path, x: FloatArray) -> None:
    """Write an array as `path`, whole or not at all.

    Raises:
        ResourceError: The disk refused.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=".bertflow-", dir=path.parent) as scratch:
            whole = Path(scratch, "x.npy")
            np.save(whole, x, allow_pickle=False)
            os.replace(whole, path)
    except OSError as error:
        raise _cannot_write(path, error) from error


def read_npy(path: Path) -> FloatArray:
    """Read embeddings, shape (N, D), as float32 or float64.

    Raises:
        InputError: Missing, too large, not a `.npy` file, or not a matrix of numbers.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{str(path)!r} is larger than {_MAX_BYTES:,} bytes")
        x = np.lib.format.open_memmap(path, mode="r")  # refuses objects, which it would unpickle
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{str(path)!r} does not exist: check the path") from None
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder: expected a .npy file") from None
    except OSError as error:
        raise ResourceError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except InputError:
        raise
    except Exception as error:  # numpy's reader of headers lets every kind through
        raise InputError(f"{str(path)!r} is not a plain .npy file of numbers") from error
    if x.ndim != 2 or x.dtype.kind not in "fiu":
        raise InputError(f"{str(path)!r} must hold real numbers of shape (N, D)")
    return np.array(x, np.float64 if x.dtype.newbyteorder("=") == np.float64 else np.float32)


def _cannot_write(path: Path, error: OSError) -> ResourceError:
    return ResourceError(f"cannot write {str(path)!r}: {error.strerror or error}")


def resource(name: str) -> Traversable:
    """Return the tracked data file `name`, for example `resource("teaching.tsv")`.

    Raises:
        FileNotFoundError: No such file ships with the package.
    """
    found = files("bertflow_data") / name
    if not found.is_file():
        raise FileNotFoundError(f"bertflow_data holds no file named {name!r}")
    return found
