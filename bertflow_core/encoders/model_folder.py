"""A model's folder on disk: checked for safetensors, identified by the digest of its files."""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeGuard

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import is_special
from bertflow_core.wording import quoted, reason

__all__ = ["USED_SUFFIXES", "ModelFolder", "file_sha256", "open_model_folder"]

USED_SUFFIXES = (".json", ".txt", ".model", ".safetensors")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack")
_MAX_JSON_BYTES = 64 << 20
_MAX_SIZE = 1 << 20
_POSITIONS_AFTER_PADDING = (
    "camembert",
    "data2vec-text",
    "ibert",
    "longformer",
    "luke",
    "mpnet",
    "roberta",
    "roberta-prelayernorm",
    "xlm-roberta",
    "xlm-roberta-xl",
    "xmod",
)
"""Families that count positions from the padding token's id + 1, and so have fewer of them."""


@dataclass(frozen=True)
class ModelFolder:
    """The files of an encoder.

    Attributes:
        name: The name that the user gave.
        path: Its folder.
        revision: The hub commit, or None.
        digest: SHA-256 over the names and contents of every file that loading reads.
        weights_sha256: SHA-256 of each weights file, in the order of their names.
        n_layers: Number of transformer layers, L.
        dim: Number of features, D.
        max_positions: Longest input in tokens, special tokens included, or None where the model
            names no bound.
        loader: The class of transformers that loads it as an encoder.

    Example:
        >>> from bertflow_core import resolve_model
        >>> folder = resolve_model("minilm")
        >>> folder.name, folder.max_positions, len(folder.digest)
        ('minilm', 512, 64)
    """

    name: str
    path: Path
    revision: str | None
    digest: str
    weights_sha256: tuple[str, ...]
    n_layers: int
    dim: int
    max_positions: int | None
    loader: str = "AutoModel"


def open_model_folder(name: str, path: Path, *, revision: str | None = None) -> ModelFolder:
    """Check the folder of a model and read its dimensions, without loading it.

    Raises:
        InputError: No `config.json`, no `*.safetensors`, or a configuration without the sizes of
            an encoder.
    """
    config = _read_config(name, path)
    weights = _weights(name, path)
    try:
        digests = {file.name: file_sha256(file) for file in _used_files(path)}
    except OSError as error:
        raise ResourceError(
            f"cannot read {quoted(str(error.filename))}: {error.strerror}"
        ) from error
    text = json.dumps(digests, sort_keys=True)
    return ModelFolder(
        name=name,
        path=path,
        revision=revision,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        weights_sha256=tuple(digests[file.name] for file in weights),
        n_layers=_size(name, config, ("num_hidden_layers", "n_layers", "n_layer", "num_layers")),
        dim=_size(name, config, ("hidden_size", "dim", "n_embd", "d_model")),
        max_positions=_max_positions(name, config),
        loader="AutoModelForTextEncoding" if _is_t5(config) else "AutoModel",
    )


def _read_config(name: str, path: Path) -> dict[str, Any]:
    file = path / "config.json"
    if not file.is_file():
        raise InputError(
            f"model folder {quoted(name)} has no config.json: expected a Hugging Face folder with "
            "config.json, model.safetensors and a tokenizer"
        )
    _refuse_huge(file)
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResourceError(f"cannot read {quoted(file)}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"config.json of model {quoted(name)} is not JSON ({reason(error)})"
        ) from error
    if not isinstance(config, dict):
        raise InputError(f"config.json of model {quoted(name)} is not a JSON object")
    if config.get("is_encoder_decoder") and not _is_t5(config):
        raise InputError(
            f"model {quoted(name)} is an encoder-decoder: expected an encoder such as BERT"
        )
    return config


def _is_t5(config: dict[str, Any]) -> bool:
    """Tell whether it is a T5, of which the encoder alone can be loaded."""
    return config.get("model_type") in ("t5", "mt5", "umt5")


def _weights(name: str, path: Path) -> list[Path]:
    weights = sorted(file for file in path.glob("*.safetensors") if file.is_file())
    if weights:
        return weights
    pickles = sorted(file.name for pattern in _PICKLES for file in path.glob(pattern))
    if pickles:
        raise InputError(
            f"model {quoted(name)} has its weights only as {pickles[0]}, which can run code when "
            "it is loaded: convert it with `model.save_pretrained(folder)`, which writes "
            "model.safetensors"
        )
    raise InputError(
        f"model {quoted(name)} has no weights: expected model.safetensors in its folder (other "
        "formats, such as pytorch_model.bin, are neither fetched nor loaded)"
    )


def _used_files(path: Path) -> list[Path]:
    special = next(filter(is_special, sorted(path.iterdir())), None)
    if special is not None:
        raise InputError(f"{quoted(special)} is a pipe or a device: expected a model's files")
    files = sorted(p for p in path.iterdir() if p.suffix in USED_SUFFIXES and p.is_file())
    for file in files:
        _refuse_huge(file)
    return files


def _refuse_huge(file: Path) -> None:
    if file.suffix == ".json" and file.stat().st_size > _MAX_JSON_BYTES:
        raise InputError(f"{file.name} is larger than {_MAX_JSON_BYTES:,} bytes: not a model's")


def _size(name: str, config: dict[str, Any], keys: tuple[str, ...]) -> int:
    value = next((config[key] for key in keys if key in config), None)
    if not _is_size(value):
        raise InputError(
            f"config.json of model {quoted(name)} lacks {keys[0]}: expected an encoder's, got "
            f"{quoted(value)}"
        )
    return value


def _is_size(value: Any) -> TypeGuard[int]:  # noqa: ANN401 - any JSON value
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MAX_SIZE


def _max_positions(name: str, config: dict[str, Any]) -> int | None:
    value = config.get("max_position_embeddings", config.get("n_positions"))
    if value is None or value == -1:
        return None
    padding = config.get("pad_token_id", 1)
    follows = config.get("model_type") in _POSITIONS_AFTER_PADDING and isinstance(padding, int)
    positions = value - padding - 1 if follows and _is_size(value) else value
    if not _is_size(positions):
        raise InputError(
            f"config.json of model {quoted(name)} has max_position_embeddings {quoted(value)}: "
            "expected a number of tokens"
        )
    return positions


def file_sha256(file: Path) -> str:
    """Return the SHA-256 of a file's content, hashed once per version of it.

    Raises:
        OSError: It cannot be read.
    """
    status = file.stat()
    return _sha256_of_version(file, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=256)
def _sha256_of_version(file: Path, size: int, mtime_ns: int) -> str:
    """Hash a file once per version of it; size and time are there to be the key."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
