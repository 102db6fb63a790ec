"""A model's folder on disk: checked for safetensors, identified by the digest of its files."""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeGuard

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import disk_errors, is_special
from bertflow_core.wording import quoted, reason

__all__ = [
    "USED_SUFFIXES",
    "ModelFolder",
    "file_sha256",
    "open_model_folder",
    "refuse_huge",
    "weights_files",
]

USED_SUFFIXES = (".json", ".txt", ".model", ".safetensors")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack")
_MOST_BYTES = {".safetensors": 32 << 30}
_MOST_BYTES_OF_TEXT = 64 << 20
_MAX_SIZE = 1 << 20
_MAX_COUNT = 1 << 10
_COUNTS = re.compile(r"(layers?|heads|experts|blocks|depths?)$")
"""Numbers in `config.json` of which each makes modules, however small they are."""
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
        InputError: No `config.json`, no `model.safetensors` (or one in parts beside its index), a
            configuration without the sizes of an encoder, or a file too large for a model's.
    """
    config = _read_config(name, path)
    weights = weights_files(name, path)
    with disk_errors(path):
        digests = {file.name: file_sha256(file) for file in _used_files(path, weights)}
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
    refuse_huge(file)
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
    _check_counts(name, config)
    return config


def _is_t5(config: dict[str, Any]) -> bool:
    """Tell whether it is a T5, of which the encoder alone can be loaded."""
    return config.get("model_type") in ("t5", "mt5", "umt5")


def weights_files(name: str, path: Path) -> list[Path]:
    """Return the files of weights that loading reads: one, or the parts that an index names.

    Raises:
        InputError: There are none, or an index names what is not beside it.
    """
    whole, index = path / "model.safetensors", path / "model.safetensors.index.json"
    if whole.is_file():
        return [whole]
    if index.is_file():
        return _parts(name, index)
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


def _parts(name: str, index: Path) -> list[Path]:
    refuse_huge(index)
    try:
        files = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise InputError(
            f"{index.name} of model {quoted(name)} lists no parts ({reason(error)})"
        ) from error
    beside = {file.name: file for file in index.parent.glob("*.safetensors") if file.is_file()}
    strange = sorted(map(str, files - beside.keys()))
    if strange or not files:
        raise InputError(
            f"{index.name} of model {quoted(name)} names {quoted(''.join(strange[:1]))}: expected "
            "*.safetensors files beside it, all of them"
        )
    return [beside[file] for file in sorted(files)]


def _used_files(path: Path, weights: list[Path]) -> list[Path]:
    special = next(filter(is_special, sorted(path.iterdir())), None)
    if special is not None:
        raise InputError(f"{quoted(special)} is a pipe or a device: expected a model's files")
    texts = [suffix for suffix in USED_SUFFIXES if suffix != ".safetensors"]
    files = sorted([p for p in path.iterdir() if p.suffix in texts and p.is_file()] + weights)
    for file in files:
        refuse_huge(file)
    return files


def refuse_huge(file: Path) -> None:
    """Refuse a file larger than any model's, which would be read for hours."""
    most = _MOST_BYTES.get(file.suffix, _MOST_BYTES_OF_TEXT)
    if file.stat().st_size > most:
        raise InputError(f"{file.name} is larger than {most:,} bytes: not a model's, move it away")


def _check_counts(name: str, config: dict[str, Any]) -> None:
    """Refuse numbers of layers and the like that no encoder has, wherever they stand."""
    for key, value in config.items():
        if isinstance(value, dict):
            _check_counts(name, value)
        elif _COUNTS.search(key) and isinstance(value, int | float) and value > _MAX_COUNT:
            raise InputError(
                f"config.json of model {quoted(name)} has {key} {quoted(value)}: expected at most "
                f"{_MAX_COUNT:,}"
            )


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
