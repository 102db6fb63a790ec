"""A calibrated encoder as a folder of sentence-transformers, in modules that all versions know.

The names of modules and keys are those that sentence-transformers wrote before its version 5, which
it still reads and which servers of embeddings know: a class of ours would need
`trust_remote_code=True` there.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.encoders import LayerSet, ModelFolder, open_declared
from bertflow_core.encoders.declared_folder import SETTINGS_FILE
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError
from bertflow_core.export.dense import Dense
from bertflow_core.export.encoder_files import copy_encoder, write_json
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

__all__ = ["Modules", "write_modules"]

_POOLINGS = {
    "mean": "pooling_mode_mean_tokens",
    "cls": "pooling_mode_cls_token",
    "last": "pooling_mode_lasttoken",
    "max": "pooling_mode_max_tokens",
}
_ACTIVATIONS = {False: "torch.nn.modules.linear.Identity", True: "torch.nn.modules.activation.ReLU"}


@dataclass(frozen=True)
class Modules:
    """What is written.

    Attributes:
        model: The encoder's folder.
        recipe: Its layers, token pooling and maximum length.
        head: What follows the pooling, in order.
        normalize: Whether vectors get length 1 at the end.
    """

    model: ModelFolder
    recipe: Recipe
    head: Sequence[Dense]
    normalize: bool


def write_modules(modules: Modules, folder: Path, *, cut: bool = True) -> None:
    """Fill an empty folder with the modules.

    Args:
        modules: What to write.
        folder: Where.
        cut: Whether a single layer is read as the last one of an encoder cut there; otherwise as
            one of all layers, as an encoder needs that normalises its last layer once more.

    Raises:
        InputError: A layer set and token pooling that no such modules say.
        OSError: The disk refused.
    """
    writer = _Writer(folder)
    if modules.recipe.layers == DECLARED:
        _copy_declared(modules.model, modules.recipe, writer)
    else:
        _write_encoder(modules, writer, cut=cut)
    for dense in modules.head:
        _write_dense(dense, writer)
    if modules.normalize:
        writer.add("Normalize")
    write_json(folder / "modules.json", writer.listed)


class _Writer:
    """The list of modules, and the folder of each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.listed: list[dict[str, Any]] = []

    def add(self, kind: str, *, at_root: bool = False) -> Path:
        """List one more module; return its folder, which is made."""
        index = len(self.listed)
        path = "" if at_root else f"{index}_{kind}"
        module = {"idx": index, "name": str(index), "path": path}
        self.listed.append(module | {"type": f"sentence_transformers.models.{kind}"})
        (self.folder / path).mkdir(exist_ok=True)
        return self.folder / path


def _write_encoder(modules: Modules, writer: _Writer, *, cut: bool) -> None:
    model, recipe = modules.model, modules.recipe
    indices = LayerSet(recipe.layers).indices(model.n_layers)
    is_last = indices == (model.n_layers,) or (cut and len(indices) == 1 and indices[0] > 0)
    n_layers = max(*indices, 1) if cut else model.n_layers
    root = writer.add("Transformer", at_root=True)
    copy_encoder(model, root, n_layers=n_layers, all_layers=not is_last)
    write_json(
        root / "sentence_bert_config.json",
        {"max_seq_length": recipe.max_length, "do_lower_case": False},
    )
    write_json(
        root / SETTINGS_FILE,
        {"prompts": {}, "default_prompt_name": None, "similarity_fn_name": "cosine"},
    )
    if not is_last:
        _write_layers(indices, n_layers, model.dim, writer)
    write_json(writer.add("Pooling") / "config.json", _pooling(recipe, model.dim, len(indices)))


def _write_layers(indices: Sequence[int], n_layers: int, dim: int, writer: _Writer) -> None:
    """Write the mean of some layers' tokens."""
    first, folder = min(indices), writer.add("WeightedLayerPooling")
    config = {"word_embedding_dimension": dim, "layer_start": first, "num_hidden_layers": n_layers}
    write_json(folder / "config.json", config)
    weights = np.zeros(n_layers + 1 - first, np.float32)
    weights[[index - first for index in indices]] = 1
    _save(folder, {"layer_weights": weights})


def _pooling(recipe: Recipe, dim: int, n_averaged: int) -> dict[str, Any]:
    if recipe.tokens == "max" and n_averaged > 1:
        raise InputError(
            f"token pooling max of layers {quoted(recipe.layers)} cannot be exported: expected "
            "another, since layers are averaged before tokens are pooled there"
        )
    modes = {key: name == recipe.tokens for name, key in _POOLINGS.items()}
    return {"word_embedding_dimension": dim, **modes, "include_prompt": True}


def _write_dense(dense: Dense, writer: _Writer) -> None:
    folder = writer.add("Dense")
    n_out, n_in = dense.weight.shape
    arrays = {"linear.weight": dense.weight, "linear.bias": dense.bias}
    config = {
        "in_features": n_in,
        "out_features": n_out,
        "bias": True,
        "activation_function": _ACTIVATIONS[dense.relu],
    }
    write_json(folder / "config.json", config)
    _save(folder, arrays)


def _save(folder: Path, arrays: dict[str, Any]) -> None:
    from safetensors.numpy import save

    tensors = {name: np.array(array, np.float32, order="C") for name, array in arrays.items()}
    (folder / "model.safetensors").write_bytes(save(tensors, metadata={"format": "pt"}))


def _copy_declared(model: ModelFolder, recipe: Recipe, writer: _Writer) -> None:
    """Copy what a model's folder declares: its files at the root, and each module's own."""
    if recipe.truncate_dim:
        raise InputError(
            f"the first {recipe.truncate_dim} features of a model cannot be exported, since there "
            "the end of a model is cut and not what a calibrator reads: fit on all features"
        )
    root = writer.add("Transformer", at_root=True)
    copy_encoder(model, root, n_layers=model.n_layers, all_layers=False)
    for name in ("sentence_bert_config.json", SETTINGS_FILE):
        if (model.path / name).is_file():
            shutil.copyfile(model.path / name, root / name)
    declared = open_declared(model, prompt_name=recipe.prompt)
    if recipe.prompt is not None:
        settings = json.loads((model.path / SETTINGS_FILE).read_text(encoding="utf-8"))
        write_json(root / SETTINGS_FILE, settings | {"default_prompt_name": recipe.prompt})
    for kind, source in declared.modules:
        folder = writer.add(kind)
        for file in ("config.json", "model.safetensors"):
            if (model.path / source / file).is_file():
                shutil.copyfile(model.path / source / file, folder / file)
    if not declared.modules:
        write_json(writer.add("Pooling") / "config.json", _pooling(Recipe(), model.dim, 1))
