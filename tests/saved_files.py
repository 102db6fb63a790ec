"""What lies in a folder and in saved files, changed as a careless or hostile hand would."""

import json
from pathlib import Path

from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from bertflow_core.arrays.saved import digest_of_arrays


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Return every path below a folder, hidden ones too, with the content of files."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def config_of(path):
    with safe_open(path, "numpy") as file:
        return json.loads(file.metadata()["bertflow"])


def change_config(path, **changes):
    """Change fields of a saved configuration; return what it was."""
    config = config_of(path)
    write_config(path, json.dumps({**config, **changes}))
    return config


def write_config(path, text, **arrays):
    """Replace a saved configuration, and some arrays, with a checksum that is right."""
    arrays = load_file(path) | arrays
    save_file(arrays, path, {"bertflow": text, "sha256": digest_of_arrays(arrays, text)})
