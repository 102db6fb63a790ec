"""Saved things looked into and changed, as a careless or hostile hand would."""

import json

from safetensors import safe_open
from safetensors.numpy import load_file, save_file


def config_of(path):
    with safe_open(path, "numpy") as file:
        return json.loads(file.metadata()["bertflow"])


def change_config(path, **changes):
    """Change fields of a saved configuration; return what it was."""
    config = config_of(path)
    write_config(path, json.dumps({**config, **changes}))
    return config


def write_config(path, text):
    save_file(load_file(path), path, metadata={"bertflow": text})
