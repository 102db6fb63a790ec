"""What a model's folder declares in `modules.json`: how its makers turn tokens into one vector.

The layout is that of sentence-transformers: a list of modules, the transformer in the folder itself
and each of the others in a folder of its own. A folder without `modules.json` stands for mean
pooling of the last layer, as it does there.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any

from bertflow_core.encoders.model_folder import ModelFolder, refuse_huge
from bertflow_core.errors import InputError, check_type
from bertflow_core.files import disk_errors, is_special
from bertflow_core.wording import quoted, reason

__all__ = [
    "SETTINGS_FILE",
    "DeclaredFolder",
    "declared_pipeline",
    "declared_prompts",
    "open_declared",
]

"""The files of a module, in a folder of its own."""

SETTINGS_FILE = "config_sentence_transformers.json"
"""The file of prompts and of how many features are kept."""

_TYPE = re.compile(r"sentence_transformers\.[\w.]*?(\w+)")
_FOLDER = re.compile(r"[\w.-]*[\w-][\w.-]*")
_ACTIVATION = re.compile(r"torch\.nn\.modules\.(activation|linear)\.\w+")
_WITHOUT_WEIGHTS = ("Pooling", "Normalize", "Dropout")
_WITH_WEIGHTS = ("Dense", "LayerNorm")
_POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_MAX_BYTES = 1 << 20
_MAX_MODULES = 64


@dataclass(frozen=True)
class DeclaredFolder:
    """What follows the transformer of a model.

    Attributes:
        model: The model's folder.
        modules: Kind and folder of each module, in order.
        steps: What each module does, in order, such as `("cls tokens", "unit length")`.
        prompt: Put before every sentence; empty where there is none.
        prompt_name: What the folder calls it; None where there is none.
        digest: SHA-256 over the names and contents of the modules' files.
    """

    model: ModelFolder
    modules: tuple[tuple[str, str], ...]
    steps: tuple[str, ...]
    prompt: str
    prompt_name: str | None
    digest: str

    def __str__(self) -> str:
        prompt = f"prompt {quoted(self.prompt)}, " if self.prompt else ""
        return f"{prompt}last layer, {', '.join(self.steps)}"


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
    modules, names = _modules(model), ["modules.json", SETTINGS_FILE]
    steps = []
    for kind, folder in modules:
        config = (
            _read_json(model.path / folder / "config.json", model.name)
            if kind != "Normalize"
            else {}
        )
        if kind in _WITH_WEIGHTS and not (model.path / folder / "model.safetensors").is_file():
            raise InputError(
                f"module {quoted(folder)} of model {quoted(model.name)} has no model.safetensors: "
                "save the model again with sentence-transformers 3 or newer"
            )
        steps.append(_step(model, kind, config))
        names += [f"{folder}/config.json", f"{folder}/model.safetensors"]
    settings = _read_json(model.path / SETTINGS_FILE, model.name)
    name = settings.get("default_prompt_name") if prompt_name is None else prompt_name
    return DeclaredFolder(
        model=model,
        modules=tuple(modules),
        steps=(*(filter(None, steps) if modules else ("mean tokens",)), *_kept(model, settings)),
        prompt=_prompt(model, settings, name),
        prompt_name=name,
        digest=_digest(model, names),
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


def _modules(model: ModelFolder) -> list[tuple[str, str]]:
    """Return kind and folder of the modules after the transformer."""
    listed = _read_json(model.path / "modules.json", model.name, expected=list) or []
    if not listed:
        return []
    if len(listed) > _MAX_MODULES:
        raise InputError(f"modules.json of model {quoted(model.name)} lists {len(listed)} modules")
    modules = [_module(model, each) for each in listed]
    if modules[0] != ("Transformer", ""):
        raise InputError(
            f"modules.json of model {quoted(model.name)} must begin with a Transformer in the "
            f"folder itself, got {quoted(modules[0])}"
        )
    return modules[1:]


def _module(model: ModelFolder, listed: object) -> tuple[str, str]:
    values = listed if isinstance(listed, dict) else {}
    kind = _TYPE.fullmatch(str(values.get("type")))
    folder = str(values.get("path"))
    known = ("Transformer", *_WITHOUT_WEIGHTS, *_WITH_WEIGHTS)
    if kind is None or kind[1] not in known or not (folder == "" or _FOLDER.fullmatch(folder)):
        raise InputError(
            f"modules.json of model {quoted(model.name)} names {quoted(listed)}: expected a module "
            f"of sentence-transformers ({', '.join(known)}) in a folder beside it; code of other "
            "libraries is never run (choose a layer set, such as last)"
        )
    return kind[1], folder


def _step(model: ModelFolder, kind: str, config: dict[str, Any]) -> str:
    """Say what a module does; nothing where it does nothing once a model is trained."""
    if kind == "Pooling":
        return "+".join(_modes(model, config)) + " tokens"
    if kind == "Dense":
        activation = config.get("activation_function")
        if activation is not None and not _ACTIVATION.fullmatch(str(activation)):
            raise InputError(
                f"a Dense module of model {quoted(model.name)} has the activation function "
                f"{quoted(activation)}: expected one of torch.nn"
            )
        return f"dense layer to {quoted(config.get('out_features'))} features"
    return {"Normalize": "unit length", "LayerNorm": "layer norm"}.get(kind, "")


def _modes(model: ModelFolder, config: dict[str, Any]) -> list[str]:
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
    return modes


def _kept(model: ModelFolder, settings: dict[str, Any]) -> tuple[str, ...]:
    """Say how many features are kept of all, if the folder says so."""
    n_kept = settings.get("truncate_dim")
    if n_kept is None:
        return ()
    if not isinstance(n_kept, int) or n_kept < 1:
        raise InputError(
            f"{SETTINGS_FILE} of model {quoted(model.name)} has a truncate_dim that is no number "
            f"of features, got {quoted(n_kept)}"
        )
    return (f"first {n_kept} features",)


def declared_prompts(path: Path, name: str) -> dict[str, str]:
    """Return the prompts that a model's folder declares, by what it calls them.

    Args:
        path: The folder.
        name: Of the model, for the error.

    Raises:
        InputError: The file that holds them is not as sentence-transformers writes it.
    """
    return _prompts(_read_json(path / SETTINGS_FILE, name))


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


def _read_json(file: Path, model: str, *, expected: type = dict) -> Any:  # noqa: ANN401
    """Return what a file of a model holds; an empty value where there is no such file."""
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


def _digest(model: ModelFolder, names: list[str]) -> str:
    total = hashlib.sha256()
    with disk_errors(model.path):
        for name in sorted(set(names)):
            file = model.path / name
            if file.is_file():
                refuse_huge(file)
                with file.open("rb") as stream:
                    content = hashlib.file_digest(stream, "sha256").hexdigest()
                total.update(f"{name} {content}\n".encode())
    return total.hexdigest()
