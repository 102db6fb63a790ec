"""What a model's folder declares: how its makers turn tokens into one vector.

A folder without `modules.json` stands for mean pooling of the last layer, as it does in
sentence-transformers.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

from bertflow_core.encoders.model_folder import USED_SUFFIXES, ModelFolder, file_digests
from bertflow_core.encoders.modules import (
    TRANSFORMER,
    WITH_WEIGHTS,
    Module,
    list_modules,
    module_weights,
    read_json,
)
from bertflow_core.errors import InputError, check_type
from bertflow_core.wording import quoted

SETTINGS_FILE = "config_sentence_transformers.json"
"""The file of prompts and of how many features are kept."""

_LENGTH_FILE = "sentence_bert_config.json"
_CODE = {
    "activation_function": (
        re.compile(r"torch\.nn\.modules\.(activation|linear)\.\w+"),
        "one of torch.nn",
    ),
    "tokenizer_class": (
        re.compile(r"sentence_transformers\.[\w.]*\.WhitespaceTokenizer"),
        "the one that divides at spaces",
    ),
}
"""Settings that name code, which is imported and called."""

_POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""The older spelling of each mode, in the order in which several are put side by side."""

_MAX_SIZE = 1 << 20
_MOST_PER_BYTE, _NUMBERS_TO_SPARE = 1, 1 << 20
_WITH_OTHER_INPUT = ("xlnet",)
"""Families whose tokenizer gives more than tokens, which only the library hands on."""


@dataclass(frozen=True)
class DeclaredFolder:
    """What follows the transformer of a model, or its table of words.

    Attributes:
        model: The model's folder.
        modules: What follows, in order.
        steps: What each module does, in order, such as `("cls tokens", "unit length")`.
        poolings: Poolings of the last layer whose vectors are put side by side, where with
            `has_unit_length` that is all: such a model needs no sentence-transformers. None where
            it does.
        has_unit_length: Whether vectors get length 1 then.
        max_length: Longest input in tokens that the folder names, if it does.
        n_kept: How many features are kept at the end, the first ones; None keeps all.
        prompt: Put before every sentence; empty where there is none.
        prompt_name: What the folder calls it; None where there is none.
        digest: SHA-256 over the names and contents of the modules' files.
    """

    model: ModelFolder
    modules: tuple[Module, ...]
    steps: tuple[str, ...]
    poolings: tuple[str, ...] | None
    has_unit_length: bool
    max_length: int | None
    n_kept: int | None
    prompt: str
    prompt_name: str | None
    digest: str

    def __str__(self) -> str:
        prompt = f"prompt {quoted(self.prompt)}, " if self.prompt else ""
        last = "last layer, " if self.model.n_layers else ""
        return f"{prompt}{last}{', '.join(self.steps)}"


def open_declared(model: ModelFolder, *, prompt_name: str | None = None) -> DeclaredFolder:
    """Read and check what a model's folder declares; no module is loaded.

    Args:
        model: Its folder.
        prompt_name: Which of its prompts to use; None takes its default, if it has one.

    Raises:
        InputError: A module of another library, whose code would have to be run; one without
            safetensors; a prompt that it does not declare; or files that are not as
            sentence-transformers writes them.

    Example:
        >>> from bertflow_core.encoders import open_declared, resolve_model
        >>> open_declared(resolve_model("minilm")).steps
        ('mean tokens', 'unit length')
    """
    check_type(model, ModelFolder, "model", "what resolve_model returned")
    check_type(prompt_name, (str, NoneType), "prompt_name", "a prompt's name, or None")
    listed = list_modules(model.path, model.name)
    configs = [_checked_config(model, module) for module in listed]
    modules = [each for each in zip(listed, configs, strict=True) if each[0].kind != TRANSFORMER]
    settings = read_json(model.path / SETTINGS_FILE, model.name)
    name = settings.get("default_prompt_name") if prompt_name is None else prompt_name
    prompt, n_kept = _prompt(model, settings, name), _kept(model, settings)
    lengths = _transformer_settings(model)
    steps = [_step(model, module.kind, config) for module, config in modules]
    kept = [f"first {n_kept} features"] if n_kept else []
    return DeclaredFolder(
        model=model,
        modules=tuple(module for module, _ in modules),
        steps=(*(filter(None, steps) if listed else ["mean tokens"]), *kept),
        poolings=_plain_poolings(model, modules, lengths, prompt),
        has_unit_length=any(module.kind == "Normalize" for module, _ in modules),
        max_length=lengths.get("max_seq_length"),
        n_kept=n_kept,
        prompt=prompt,
        prompt_name=name,
        digest=_digest(model, listed),
    )


def declared_pipeline(model: ModelFolder) -> str:
    """Return what a folder with modules of its own declares, in words; nothing for any other.

    Modules that are refused are said to be there: their vectors are not made here.

    Example:
        >>> from bertflow_core.encoders import declared_pipeline, resolve_model
        >>> declared_pipeline(resolve_model("minilm"))
        'last layer, mean tokens, unit length'
    """
    if not (model.path / "modules.json").is_file():
        return ""
    try:
        return str(open_declared(model))
    except InputError:
        return "modules that cannot be read here"


def declared_prompts(path: Path, name: str) -> dict[str, str]:
    """Return the prompts of a model's folder, by what it calls them; `name` is the model's.

    Raises:
        InputError: The file that holds them is not as sentence-transformers writes it.
    """
    return _prompts(read_json(path / SETTINGS_FILE, name))


def _checked_config(model: ModelFolder, module: Module) -> dict[str, Any]:
    """Return a module's configuration, which makes nothing larger than its weights."""
    if module.kind == TRANSFORMER:
        return {}
    folder, name = model.path / module.folder, model.name
    is_root = not module.folder  # where config.json is another's
    config = {} if is_root else read_json(folder / "config.json", name)
    if module.kind == "WordEmbeddings":
        config |= read_json(folder / "wordembedding_config.json", name)
    for key, value in config.items():
        if isinstance(value, int | float) and value > _MAX_SIZE:
            raise InputError(
                f"config.json of module {quoted(module.folder)} of model {quoted(name)} has {key} "
                f"{quoted(value)}: expected at most {_MAX_SIZE:,}"
            )
    for key, (known, expected) in _CODE.items():
        if config.get(key) is not None and not known.fullmatch(str(config[key])):
            raise InputError(
                f"a {module.kind} module of model {quoted(name)} has the {key.replace('_', ' ')} "
                f"{quoted(config[key])}: expected {expected}"
            )
    if module.kind in WITH_WEIGHTS:
        held = module_weights(model.path, module, name).stat().st_size
        n_in, n_out = config.get("in_features"), config.get("out_features")
        described = n_in * n_out if isinstance(n_in, int) and isinstance(n_out, int) else 0
        if described > _MOST_PER_BYTE * held + _NUMBERS_TO_SPARE:
            raise InputError(
                f"config.json of module {quoted(module.folder)} of model {quoted(name)} describes "
                f"{described:,} numbers, and its weights have {held:,} bytes"
            )
    return config


def _step(model: ModelFolder, kind: str, config: dict[str, Any]) -> str:
    """Say what a module does; nothing where it does nothing once a model is trained."""
    if kind == "Pooling":
        return "+".join(_modes(model, config)) + " tokens"
    if kind == "Dense":
        return f"dense layer to {quoted(config.get('out_features'))} features"
    others = {"Normalize": "unit length", "LayerNorm": "layer norm"}
    tables = {"StaticEmbedding": "mean of static vectors", "WordEmbeddings": "vectors of words"}
    return {**others, **tables}.get(kind, "")


def _modes(model: ModelFolder, config: dict[str, Any]) -> tuple[str, ...]:
    """Return how a Pooling module pools, in either spelling of its configuration."""
    mode = config.get("pooling_mode")
    known = tuple(_POOLINGS.values())
    modes = [mode] if isinstance(mode, str) else mode
    modes = modes or [name for key, name in _POOLINGS.items() if config.get(key)]
    if not isinstance(modes, list) or not modes or not all(each in known for each in modes):
        raise InputError(
            f"a Pooling module of model {quoted(model.name)} has the mode {quoted(mode)}: expected "
            f"some of {', '.join(known)}"
        )
    return tuple(modes)


def _plain_poolings(
    model: ModelFolder,
    modules: list[tuple[Module, dict[str, Any]]],
    lengths: dict[str, Any],
    prompt: str,
) -> tuple[str, ...] | None:
    """Return the poolings of a transformer that is followed by nothing but unit length."""
    config = read_json(model.path / "config.json", model.name)
    needs_library = lengths.get("do_lower_case") or "message" in lengths.get("modality_config", {})
    if needs_library or config.get("model_type") in _WITH_OTHER_INPUT or not model.n_layers:
        return None
    if not (model.path / "modules.json").is_file():
        return None if _has_chat(model) else ("mean",)
    kinds = [module.kind for module, _ in modules if module.kind != "Dropout"]
    if kinds not in (["Pooling"], ["Pooling", "Normalize"]):
        return None
    by_kind = {module.kind: config for module, config in modules}
    excludes_prompt = prompt and not by_kind["Pooling"].get("include_prompt", True)
    names = set(by_kind.get("Normalize", {}).values())
    if excludes_prompt or not names <= {"sentence_embedding", None}:
        return None
    return _modes(model, by_kind["Pooling"])


def _has_chat(model: ModelFolder) -> bool:
    """Tell whether the library would put sentences into a conversation."""
    tokenizer = read_json(model.path / "tokenizer_config.json", model.name)
    return "chat_template" in tokenizer or (model.path / "chat_template.jinja").exists()


def _transformer_settings(model: ModelFolder) -> dict[str, Any]:
    """Return how the transformer is to be run; what reads other files or calls others is refused.

    Raises:
        InputError: Settings that are not of a plain transformer of texts.
    """
    others = sorted(model.path.glob("sentence_*_config.json"))  # of versions long ago
    found: list[dict[str, Any]] = []
    for file in (model.path / _LENGTH_FILE, *others):
        found.append(read_json(file, model.name))
        strange = [key for key, value in found[-1].items() if value and not _is_usual(key, value)]
        if strange:
            raise InputError(
                f"{file.name} of model {quoted(model.name)} has {strange[0]} "
                f"{quoted(found[-1][strange[0]])}: expected a transformer of texts, whose last "
                "layer is read"
            )
    return next(filter(None, found), {})


def _is_usual(key: str, value: object) -> bool:
    """Tell whether a setting is one of a plain transformer of texts."""
    if key == "max_seq_length":
        return type(value) is int and value > 0
    if key == "modality_config":
        ways = [*value.values()] if isinstance(value, dict) else [value]
        return all(
            isinstance(way, dict)
            and (way.get("method"), way.get("method_output_name"))
            == ("forward", "last_hidden_state")
            for way in ways
        )
    fixed = {"transformer_task": "feature-extraction", "module_output_name": "token_embeddings"}
    return key in ("do_lower_case", "unpad_inputs") or (key, value) in fixed.items()


def _kept(model: ModelFolder, settings: dict[str, Any]) -> int | None:
    """Return how many features are kept of all, if the folder says so."""
    n_kept = settings.get("truncate_dim")
    if n_kept is not None and (not isinstance(n_kept, int) or n_kept < 1):
        raise InputError(
            f"{SETTINGS_FILE} of model {quoted(model.name)} has a truncate_dim that is no number "
            f"of features, got {quoted(n_kept)}"
        )
    return n_kept


def _prompts(settings: dict[str, Any]) -> dict[str, str]:
    prompts = settings.get("prompts")
    known = prompts.items() if isinstance(prompts, dict) else ()
    return {name: prompt for name, prompt in known if isinstance(prompt, str)}


def _prompt(model: ModelFolder, settings: dict[str, Any], name: object) -> str:
    """Return the prompt of a name; none where there is no name."""
    if name is None:
        return ""
    known = _prompts(settings)
    if not isinstance(name, str) or name not in known:
        declared = f"it declares {', '.join(map(quoted, known))}" if known else "it declares none"
        raise InputError(f"model {quoted(model.name)} has no prompt {quoted(name)}: {declared}")
    return known[name]


def _digest(model: ModelFolder, modules: tuple[Module, ...]) -> str:
    """Return the SHA-256 of the list and of all that modules in folders of their own read."""
    files = {"": read_json(model.path / "modules.json", model.name, expected=list)}
    for module in modules:
        if module.folder and (model.path / module.folder).is_dir():  # Normalize may have none
            files[module.folder] = file_digests(model.path / module.folder, USED_SUFFIXES)
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()
