"""A model's folder on disk: checked before loading, bounded in size, identified by its content."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from bertflow_core.encoders.bounds import (
    MAX_LAYERS,
    OF_CONFIG,
    OF_TOKENIZER_CONFIG,
    check_numbers,
    check_tokenizer,
)
from bertflow_core.errors import InputError
from bertflow_core.runtime.files import (
    check_file,
    digest_of,
    disk_errors,
    file_sha256,
    is_special,
    read_file,
)
from bertflow_core.wording import quoted, reason

USED_SUFFIXES = (".json", ".txt", ".model", ".jinja", ".safetensors")
TABLES = ("StaticEmbedding", "WordEmbeddings")
"""Modules that average vectors of tokens or words without a network."""
ROUTER = "Router"
"""The module with routes of their own for queries and documents."""

_TOKENIZER, _SETTINGS = "tokenizer.json", "tokenizer_config.json"
MOST_WEIGHTS, MOST_TEXT, _MOST_JSON = 32 << 30, 64 << 20, 16 << 20
_MAX_SIZE = 1 << 20
LAYER_KEYS = ("num_hidden_layers", "n_layers", "n_layer", "num_layers")
_DIM_KEYS = ("hidden_size", "dim", "n_embd", "d_model")
_POSITION_KEYS = ("max_position_embeddings", "n_positions")
_AFTER_PADDING = re.compile(r".*roberta.*|camembert|data2vec-text|ibert|longformer|luke|mpnet|xmod")
"""Families that count positions from the padding token's id + 1 and so have fewer positions."""


@dataclass(frozen=True)
class ModelFolder:
    """The files of an encoder.

    Attributes:
        name: The user's name for it.
        path: Its folder.
        revision: The hub commit, or None.
        digest: SHA-256 over the names and contents of all files that loading reads; empty before
            they are read.
        n_layers: Number of transformer layers, L; 0 for a table of words.
        dim: Number of features, D, of the hidden states; 0 for a table of words.
        max_positions: Longest input in tokens, special tokens included; None if unbounded.
        config: Content of config.json; empty for a table of words.
        modules: Content of modules.json; empty where there is none.

    Example:
        >>> from bertflow_core import resolve_model
        >>> folder = resolve_model("minilm")
        >>> folder.name, folder.max_positions, len(folder.digest)
        ('minilm', 512, 64)
    """

    name: str
    path: Path
    revision: str | None
    digest: str = ""
    n_layers: int = 0
    dim: int = 0
    max_positions: int | None = None
    config: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    modules: list[Any] = field(default_factory=list, repr=False, compare=False)

    def __str__(self) -> str:
        return f"model {quoted(self.name)}"

    @property
    def is_t5(self) -> bool:
        """Whether it is a T5, of which only the encoder is loaded."""
        return self.config.get("model_type") in ("t5", "mt5", "umt5")


def open_model_folder(name: str, path: Path, *, revision: str | None = None) -> ModelFolder:
    """Check a model's folder and weight files, and read its dimensions, without loading it."""
    model = read_model_folder(name, path, revision=revision)
    return replace(model, digest=digest_of(file_digests(path, weights_files(model))))


def read_model_folder(name: str, path: Path, *, revision: str | None = None) -> ModelFolder:
    """Check the small files of a model's folder; its weights may be missing."""
    if (path / "adapter_config.json").exists():
        raise InputError(
            f"model {quoted(name)} is an adapter, which needs another model: merge the two with "
            "peft's merge_and_unload, and save the result"
        )
    modules = read_json(path / "modules.json", list)
    first = modules[0].get("type") if modules and isinstance(modules[0], dict) else None
    if str(first).rpartition(".")[2] in (*TABLES, ROUTER):
        return ModelFolder(name, path, revision, modules=modules)
    config = read_json(path / "config.json")
    if not config:
        raise InputError(
            f"model folder {quoted(name)} has no config.json: expected a Hugging Face folder with "
            "config.json, model.safetensors and a tokenizer"
        )
    check_numbers(f"config.json of model {quoted(name)}", config, OF_CONFIG)
    model = ModelFolder(
        name,
        path,
        revision,
        n_layers=_size(name, config, LAYER_KEYS, MAX_LAYERS),
        dim=_size(name, config, _DIM_KEYS),
        max_positions=_max_positions(name, config),
        config=config,
        modules=modules,
    )
    if config.get("is_encoder_decoder") and not model.is_t5:
        raise InputError(
            f"model {quoted(name)} is an encoder-decoder: expected an encoder such as BERT"
        )
    return model


def weights_files(model: ModelFolder) -> list[Path]:
    """Return the weight files that loading reads: one file, or the parts that an index names."""
    name, path = model.name, model.path
    whole, index = path / "model.safetensors", path / "model.safetensors.index.json"
    if not model.n_layers:
        return []
    if whole.is_file():
        return [whole]
    if not index.is_file():
        raise InputError(
            f"model {quoted(name)} has no weights: expected model.safetensors in its folder "
            "(other formats such as pytorch_model.bin can run code and are never loaded: convert "
            "them with `model.save_pretrained(folder)`)"
        )
    weight_map = read_json(index).get("weight_map")
    files = set(map(str, weight_map.values())) if isinstance(weight_map, dict) else set()
    beside = {file.name: file for file in path.glob("*.safetensors") if file.is_file()}
    strange = sorted(files - beside.keys())
    if strange or not files:
        raise InputError(
            f"{index.name} of model {quoted(name)} names {quoted(''.join(strange[:1]))}: "
            "expected only *.safetensors files in the same folder, none missing"
        )
    return [beside[file] for file in sorted(files)]


def read_json(file: Path, expected: type = dict, limit: int = _MOST_JSON) -> Any:  # noqa: ANN401
    """Return the content of a JSON file of a model; an empty value if it does not exist."""
    if not file.exists():
        return expected()
    try:
        value = json.loads(read_file(file, limit))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{quoted(file)} cannot be read ({reason(error)})") from error
    if not isinstance(value, expected):
        raise InputError(f"{quoted(file)} must hold a JSON {expected.__name__}")
    return value


def file_digests(path: Path, weights: Iterable[Path] = ()) -> dict[str, str]:
    """Return the SHA-256 of each text and weight file of a folder; check the tokenizer's files."""
    with disk_errors(path):
        beside, read = sorted(path.iterdir()), USED_SUFFIXES[:-1]
    texts = [f for f in beside if is_special(f) or (f.suffix in read and f.is_file())]
    sizes = {**dict.fromkeys(texts, MOST_TEXT), **dict.fromkeys(weights, MOST_WEIGHTS)}
    for file, most in sizes.items():
        check_file(file, most)
    digests = {file.name: file_sha256(file) for file in sizes}
    _check_tokenizer(path, digests.get(_TOKENIZER, ""), digests.get(_SETTINGS, ""))
    return digests


@lru_cache(maxsize=256)
def _check_tokenizer(path: Path, *digests: str) -> None:
    """Check a tokenizer once per version, since its file may be large."""
    tokenizer, settings = path / _TOKENIZER, path / _SETTINGS
    check_tokenizer(quoted(tokenizer), read_json(tokenizer, limit=MOST_TEXT))
    check_numbers(quoted(settings), read_json(settings), OF_TOKENIZER_CONFIG)


def _size(name: str, config: dict[str, Any], keys: tuple[str, ...], most: int = _MAX_SIZE) -> int:
    key = next((key for key in keys if key in config), keys[0])
    value = config.get(key)
    if type(value) is not int or not 0 < value <= most:
        found = f"has {key} {quoted(value)}" if key in config else f"lacks {key}"
        raise InputError(f"config.json of model {quoted(name)} {found}: expected 1 to {most:,}")
    return value


def _max_positions(name: str, config: dict[str, Any]) -> int | None:
    if next((config[key] for key in _POSITION_KEYS if key in config), None) in (None, -1):
        return None
    n_positions, padding = _size(name, config, _POSITION_KEYS), config.get("pad_token_id", 1)
    if _AFTER_PADDING.fullmatch(str(config.get("model_type"))) and type(padding) is int:
        n_positions -= padding + 1
    return n_positions
