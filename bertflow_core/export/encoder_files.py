"""The files of an encoder that an export takes along, without the layers that nothing reads."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

from bertflow_core.encoders import ModelFolder

__all__ = ["copy_encoder", "write_json"]

_TOKENIZER_FILES = (
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.txt", "vocab.json", "merges.txt", "*.model"),
)
_LAYER_KEYS = ("num_hidden_layers", "n_layers", "n_layer", "num_layers")
_LAYER = re.compile(r"(?:^|\.)(?:layer|layers|h|block)\.(\d+)\.")


def copy_encoder(model: ModelFolder, folder: Path, *, n_layers: int, all_layers: bool) -> None:
    """Write configuration, tokenizer and weights of a model's first `n_layers` layers.

    Args:
        model: The model's folder.
        folder: Where to write.
        n_layers: Layers to keep.
        all_layers: Whether the model shall hand out what each layer gives, not the last alone.

    Raises:
        OSError: The disk refused.
    """
    from safetensors.torch import load_file, save

    config = json.loads((model.path / "config.json").read_text(encoding="utf-8"))
    config |= {key: n_layers for key in _LAYER_KEYS if key in config}
    if all_layers:
        config["output_hidden_states"] = True
    if isinstance(config.get("layer_types"), list):  # one an attention layer, in newer families
        config["layer_types"] = config["layer_types"][:n_layers]
    write_json(folder / "config.json", config)
    for pattern in _TOKENIZER_FILES:
        for file in model.path.glob(pattern):
            shutil.copyfile(file, folder / file.name)
    _let_older_readers_in(folder / "tokenizer_config.json")
    weights: dict[str, Any] = {}
    for file in sorted(model.path.glob("*.safetensors")):
        weights |= {k: v for k, v in load_file(file).items() if _layer_of(k) < n_layers}
    (folder / "model.safetensors").write_bytes(save(weights, metadata={"format": "pt"}))


def write_json(file: Path, value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Write a value as JSON that people can read."""
    file.write_text(json.dumps(value, indent=2, allow_nan=False) + "\n", encoding="utf-8")


def _let_older_readers_in(file: Path) -> None:
    """Name a fast tokenizer as transformers 4 and 5 do, not by the name of 5 alone."""
    if file.is_file():
        config = json.loads(file.read_text(encoding="utf-8"))
        if config.get("tokenizer_class") == "TokenizersBackend":
            write_json(file, {**config, "tokenizer_class": "PreTrainedTokenizerFast"})


def _layer_of(key: str) -> int:
    """Return the layer that a weight belongs to; -1 where it belongs to none."""
    found = _LAYER.search(key)
    return int(found[1]) if found else -1
