"""The list of modules in a model's folder, as sentence-transformers lays it out.

`modules.json` lists what turns sentences into one vector each: a transformer in the folder itself
or a table of words, and what follows it, each module in a folder of its own.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.files import is_special
from bertflow_core.wording import quoted, reason

TRANSFORMER = "Transformer"
TABLES = ("StaticEmbedding", "WordEmbeddings")
"""Modules that average vectors of tokens or words, without a network."""

WITH_WEIGHTS = (*TABLES, "Dense", "LayerNorm")
_KNOWN = (TRANSFORMER, *WITH_WEIGHTS, "Pooling", "Normalize", "Dropout")
_TYPE = re.compile(r"sentence_transformers\.[\w.]*?(\w+)")
_FOLDER = re.compile(r"|\.|[\w.-]*[\w-][\w.-]*")
_MAX_MODULES = 64
_MAX_BYTES = 16 << 20


@dataclass(frozen=True)
class Module:
    """A step of a model: its kind, such as `Pooling`, and its folder, relative to the model's."""

    kind: str
    folder: str


def list_modules(path: Path, model: str) -> tuple[Module, ...]:
    """Read and check the modules of a folder; none where it has no such list.

    Raises:
        InputError: A module of another library, whose code would have to be run, one in another
            folder, or a list that does not begin with what reads sentences.
    """
    listed = read_json(path / "modules.json", model, expected=list)
    if len(listed) > _MAX_MODULES:
        raise InputError(f"modules.json of model {quoted(model)} lists {len(listed)} modules")
    modules = tuple(_module(each, model) for each in listed)
    if modules and not (modules[0].kind in TABLES or modules[0] == Module(TRANSFORMER, "")):
        raise InputError(
            f"modules.json of model {quoted(model)} must begin with a table of words, or with a "
            f"Transformer in the folder itself, got {quoted(modules[0].kind)}"
        )
    return modules


def table_file(path: Path, model: str) -> Path | None:
    """Return the weights of a table of words that a folder has in place of a transformer."""
    listed = read_json(path / "modules.json", model, expected=list)
    kind = listed[0].get("type") if listed and isinstance(listed[0], dict) else None
    if str(kind).rpartition(".")[2] not in TABLES:
        return None
    return module_weights(path, list_modules(path, model)[0], model)


def module_weights(path: Path, module: Module, model: str) -> Path:
    """Return the file of a module's weights, of which there is one.

    Raises:
        InputError: There is none.
    """
    file = path / module.folder / "model.safetensors"
    if not file.is_file():
        raise InputError(
            f"module {quoted(module.folder)} of model {quoted(model)} has no model.safetensors: "
            "save the model again with sentence-transformers 3 or newer"
        )
    return file


def read_json(file: Path, model: str, *, expected: type = dict) -> Any:  # noqa: ANN401
    """Return what a file of a model holds; an empty value where there is no such file.

    Raises:
        InputError: It is large, damaged, no file, or holds another type than expected.
    """
    try:
        if not file.exists():
            return expected()
        if is_special(file) or file.stat().st_size > _MAX_BYTES:
            raise InputError(f"{file.name} of model {quoted(model)} is no small regular file")
        value = json.loads(file.read_text(encoding="utf-8"))
    except InputError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(
            f"{file.name} of model {quoted(model)} cannot be read ({reason(error)})"
        ) from error
    if not isinstance(value, expected):
        raise InputError(
            f"{file.name} of model {quoted(model)} must hold a JSON {expected.__name__}"
        )
    return value


def _module(listed: object, model: str) -> Module:
    values = listed if isinstance(listed, dict) else {}
    kind = _TYPE.fullmatch(str(values.get("type")))
    folder = str(values.get("path"))
    if kind is None or kind[1] not in _KNOWN or not _FOLDER.fullmatch(folder):
        raise InputError(
            f"modules.json of model {quoted(model)} names {quoted(listed)}: expected a module of "
            f"sentence-transformers ({', '.join(_KNOWN)}) in a folder beside it; code of other "
            "libraries is never run (choose a layer set, such as last)"
        )
    return Module(kind[1], "" if folder == "." else folder)
