"""A calibrated encoder as a folder for all versions of sentence-transformers.

`save_pretrained` of version 6 writes class names that versions 3 to 5 do not know. This module
writes the older names, which all versions and embedding servers read. A module class of our own
would need `trust_remote_code=True`.
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.encoders import LayerSet, ModelFolder
from bertflow_core.encoders.declared_folder import (
    POOLING_KEYS,
    SETTINGS_FILE,
    chosen_prompt,
    declared_prompts,
    open_declared,
)
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.model_folder import LAYER_KEYS, read_json, weights_files
from bertflow_core.encoders.template import SLOT
from bertflow_core.errors import InputError
from bertflow_core.export.dense import Dense
from bertflow_core.export.suffix import tokenizer_with_suffix
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import SIDES, quoted

_LENGTH_FILE = "sentence_bert_config.json"
_TOKENIZER_SETTINGS = "tokenizer_config.json"
_CHOSEN = "chosen"
"""The name of a prompt for all texts in an exported model."""

_TOKENIZER_FILES = (
    *("tokenizer.json", _TOKENIZER_SETTINGS, "special_tokens_map.json", "added_tokens.json"),
    *("vocab.txt", "vocab.json", "merges.txt", "*.model"),
)
_LAYER = re.compile(r"(?:^|\.)(?:layer|layers|h|block)\.(\d+)\.")
_ACTIVATIONS = {False: "torch.nn.modules.linear.Identity", True: "torch.nn.modules.activation.ReLU"}


def write_model(
    folder: Path,
    model: ModelFolder,
    recipe: Recipe,
    layers: Sequence[Dense],
    sentences: Sequence[str],
    *,
    normalize: bool = False,
    cut: bool = True,
) -> int:
    """Fill an empty folder with an encoder, pooling, dense layers and optional normalization.

    The end of a template is checked on `sentences`, those of the fit corpus. With `cut` the encoder
    ends at the layer that is read, if it is a single one. Without it all layers are written, as an
    encoder with a final norm after its last layer needs. Returns the number of layers written.
    """
    modules = _Modules(folder)
    if recipe.layers == PLAIN_LAYERS:
        n_layers = _add_declared(modules, model, recipe, sentences)
    else:
        n_layers = _add_encoder(modules, model, recipe, sentences, cut=cut)
    for layer in layers:
        n_out, n_in = layer.matrix.shape
        config = {"in_features": n_in, "out_features": n_out, "bias": True}
        config["activation_function"] = _ACTIVATIONS[layer.relu]
        modules.add("Dense", config, {"linear.weight": layer.matrix, "linear.bias": layer.shift})
    if normalize:
        modules.add("Normalize")
    write_json(folder / "modules.json", modules.listed)
    return n_layers


class _Modules:
    """The list of modules, and the folder of each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.listed: list[dict[str, Any]] = []

    def add(
        self,
        kind: str,
        config: Mapping[str, Any] | None = None,
        arrays: Mapping[str, FloatArray] | None = None,
    ) -> Path:
        """Register and write one more module; return its folder, the root for the first module."""
        from safetensors.numpy import save

        index = len(self.listed)
        path = f"{index}_{kind}" if index else ""
        module = {"idx": index, "name": str(index), "path": path}
        self.listed.append(module | {"type": f"sentence_transformers.models.{kind}"})
        folder = self.folder / path
        folder.mkdir(exist_ok=True)
        if config is not None:
            write_json(folder / "config.json", config)
        if arrays is not None:
            tensors = {key: np.array(each, np.float32, order="C") for key, each in arrays.items()}
            (folder / "model.safetensors").write_bytes(save(tensors, metadata={"format": "pt"}))
        return folder


def _add_encoder(
    modules: _Modules, model: ModelFolder, recipe: Recipe, sentences: Sequence[str], *, cut: bool
) -> int:
    """Write the encoder up to the last layer that is read, and the pooling of its tokens."""
    indices = LayerSet(recipe.layers).indices(model.n_layers)
    if recipe.tokens not in POOLING_KEYS:
        raise InputError(
            f"token pooling {recipe.tokens} cannot be exported, since sentence-transformers pools "
            f"every token: expected one of {', '.join(POOLING_KEYS)}"
        )
    if recipe.tokens == "max" and len(indices) > 1:
        raise InputError(
            f"token pooling max of layers {quoted(recipe.layers)} cannot be exported: choose "
            "another, since sentence-transformers averages layers before it pools tokens"
        )
    is_last = indices == (model.n_layers,) or (cut and len(indices) == 1 and indices[0] > 0)
    n_layers = max(*indices, 1) if cut else model.n_layers
    root = modules.add("Transformer")
    _copy_encoder(model, root, n_layers=n_layers, all_layers=not is_last)
    _copy_tokenizer(model, root, recipe.template, sentences)
    lengths = {"max_seq_length": recipe.max_length, "do_lower_case": False}
    write_json(root / _LENGTH_FILE, lengths)
    settings: dict[str, Any] = {
        "prompts": {},
        "default_prompt_name": None,
        "similarity_fn_name": "cosine",
    }
    write_json(root / SETTINGS_FILE, settings | _prompts_of(recipe, model))
    if not is_last:
        first = min(indices)
        read = np.isin(np.arange(first, n_layers + 1), indices)
        config = {"word_embedding_dimension": model.dim, "layer_start": first}
        config["num_hidden_layers"] = n_layers
        modules.add("WeightedLayerPooling", config, {"layer_weights": read.astype(np.float64)})
    _add_pooling(modules, recipe.tokens, model.dim)
    return n_layers


def _add_declared(
    modules: _Modules, model: ModelFolder, recipe: Recipe, sentences: Sequence[str]
) -> int:
    """Copy the files of a model's own modules: those at the root, and each module's folder."""
    if recipe.truncate_dim:
        raise InputError(
            f"a fit on the first {recipe.truncate_dim} features cannot be exported, since "
            "sentence-transformers truncates only the final output: fit on all features"
        )
    declared = open_declared(model)
    root = modules.add("Transformer")
    _copy_encoder(model, root, n_layers=model.n_layers, all_layers=False)
    _copy_tokenizer(model, root, recipe.template, sentences)
    _copy_files(model, "", root, _LENGTH_FILE, SETTINGS_FILE)
    chosen = _prompts_of(recipe, model)
    if chosen:
        settings = read_json(root / SETTINGS_FILE)
        write_json(root / SETTINGS_FILE, settings | chosen)
    for module in declared.modules:
        new = modules.add(module.kind)
        _copy_files(model, module.folder, new, "config.json", "model.safetensors")
    if not declared.modules:
        _add_pooling(modules, "mean", model.dim)
    return model.n_layers


def _prompts_of(recipe: Recipe, model: ModelFolder) -> dict[str, Any]:
    """Return the settings of the chosen prompts, or of the texts of templates before the sentence.

    A choice for all texts is the default prompt, and also that of queries and documents, for which
    sentence-transformers does not take the default prompt.
    """
    found, ends = {}, set()
    for side in SIDES:
        template, prompt = recipe.template_of(side), recipe.prompt_of(side)
        before, end = (template or SLOT).split(SLOT)
        ends.add(end)
        if template is not None:
            found[side] = before
        elif prompt is not None:
            found[side] = chosen_prompt(model, prompt)
    if len(ends) > 1:
        raise InputError(
            f"the query template {quoted(recipe.query_template)} cannot be exported, since a "
            f"tokenizer adds one text after all sentences: write the same text after {SLOT} in "
            "both templates"
        )
    if not found:
        return {}
    declared = declared_prompts(model.path) if recipe.layers == PLAIN_LAYERS else {}
    prompts = declared | {side or _CHOSEN: text for side, text in found.items()}
    return {"prompts": prompts} | ({"default_prompt_name": _CHOSEN} if "" in found else {})


def _add_pooling(modules: _Modules, tokens: str, dim: int) -> None:
    modes = {key: name == tokens for name, key in POOLING_KEYS.items()}
    modules.add("Pooling", {"word_embedding_dimension": dim, **modes, "include_prompt": True})


def _copy_encoder(model: ModelFolder, folder: Path, *, n_layers: int, all_layers: bool) -> None:
    """Write a model's first layers; with `all_layers` its config requests all hidden states."""
    from safetensors.torch import load_file, save

    config = json.loads((model.path / "config.json").read_text(encoding="utf-8"))
    config |= {key: n_layers for key in LAYER_KEYS if key in config}
    config |= dict.fromkeys(("dtype", "torch_dtype"), "float32")  # ours; the weights may be halves
    if all_layers:
        config["output_hidden_states"] = True
    if isinstance(config.get("layer_types"), list):  # one per attention layer, in newer families
        config["layer_types"] = config["layer_types"][:n_layers]
    write_json(folder / "config.json", config)
    weights: dict[str, Any] = {}
    for file in weights_files(model):
        for key, array in load_file(file).items():
            of_layer = _LAYER.search(key)  # None for weights outside the layers
            if of_layer is None or int(of_layer[1]) < n_layers:
                weights[key] = array
    (folder / "model.safetensors").write_bytes(save(weights, metadata={"format": "pt"}))


def _copy_tokenizer(
    model: ModelFolder, folder: Path, template: str | None, sentences: Sequence[str]
) -> None:
    """Copy a model's tokenizer; it adds the text of a template that follows the sentence."""
    _copy_files(model, "", folder, *_TOKENIZER_FILES)
    settings = read_json(folder / _TOKENIZER_SETTINGS)
    if template is not None and not template.endswith(SLOT):
        content, settings = tokenizer_with_suffix(model, template, sentences)
        (folder / "tokenizer.json").write_text(content, encoding="utf-8")
    if settings.get("tokenizer_class") in ("TokenizersBackend", "PreTrainedTokenizerFast"):
        # Transformers 4 knows only the second class, which adds token types by default.
        settings["tokenizer_class"] = "PreTrainedTokenizerFast"
        if "type_vocab_size" not in read_json(model.path / "config.json"):
            settings.setdefault("model_input_names", ["input_ids", "attention_mask"])
        write_json(folder / _TOKENIZER_SETTINGS, settings)


def _copy_files(model: ModelFolder, source: str, folder: Path, *patterns: str) -> None:
    """Copy files of a model's folder or subfolder; refuse links to files that are not its own."""
    own = model.path.resolve()
    places = [own, *([own.parents[1] / "blobs"] if own.parent.name == "snapshots" else [])]
    for pattern in patterns:
        for file in (model.path / source).glob(pattern):
            if not any(file.resolve().is_relative_to(place) for place in places):
                raise InputError(
                    f"{quoted(file.name)} of {model} is a link to a file outside its folder, "
                    "which would be copied into the export: put the file itself there"
                )
            if file.is_file():
                shutil.copyfile(file, folder / file.name)


def write_json(file: Path, value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Write a value as indented JSON."""
    file.write_text(json.dumps(value, indent=2, allow_nan=False) + "\n", encoding="utf-8")
