"""A model folder's own settings, which say how a sentence becomes one vector.

`modules.json` begins with a transformer in the folder itself, or with a table of words. Further
modules follow, each in its own subfolder. Without this file, the last layer is mean-pooled, as in
sentence-transformers. Queries and documents may have prompts of their own, or routes of a Router,
which has tables of words. No weights are loaded here.
"""

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from math import prod
from pathlib import Path
from typing import Any

from bertflow_core.encoders.model_folder import (
    ROUTER,
    TABLES,
    ModelFolder,
    file_digests,
    read_json,
)
from bertflow_core.errors import InputError, listed
from bertflow_core.runtime.files import digest_of
from bertflow_core.wording import DOCUMENT, QUERY, SIDES, quoted

SETTINGS_FILE = "config_sentence_transformers.json"
"""The file with the prompts and the number of features to keep."""

CHAT = "a chat template around each text"
"""How descriptions of a model say that its texts become conversations."""

_TRANSFORMER = "Transformer"
_WITH_WEIGHTS = (*TABLES, "Dense", "LayerNorm", "WeightedLayerPooling")
_KNOWN = (_TRANSFORMER, *_WITH_WEIGHTS, "Pooling", "Normalize", "Dropout", ROUTER)
_ROUTER_FILE = "router_config.json"
_TYPE = re.compile(r"sentence_transformers\.[\w.]*?(\w+)")
_FOLDER = re.compile(r"|\.|(?!.{61})[\w.-]*[\w-][\w.-]*")  # a disk refuses a name of 256 bytes
_MAX_MODULES, _MAX_SIZE, _MAX_PRODUCT = 64, 1 << 20, 1 << 28
_MODES = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""The older key of each pooling mode, in the order in which several modes are concatenated."""
_OURS = {"cls": "cls", "max": "max", "mean": "mean", "lasttoken": "last"}
"""Our token poolings, by their names in the library."""
POOLING_KEYS = {_OURS[mode]: key for key, mode in _MODES.items() if mode in _OURS}
"""The older key of each of our token poolings."""
_STEPS = {
    "Normalize": "unit length",
    "LayerNorm": "layer norm",
    "WeightedLayerPooling": "mean of layers",
    "StaticEmbedding": "mean of static vectors",
    "WordEmbeddings": "vectors of words",
}


@dataclass(frozen=True)
class Module:
    """A module of a model: its kind, such as `Pooling`, its subfolder and its options."""

    kind: str
    folder: str
    config: dict[str, Any]

    @property
    def step(self) -> str:
        """A short description; empty for a module without effect after training."""
        if self.kind == "Pooling":
            return "+".join(self.modes) + " tokens"
        if self.kind == "Dense":
            return f"dense layer to {quoted(self.config.get('out_features'))} features"
        return _STEPS.get(self.kind, "")

    @property
    def modes(self) -> list[str]:
        """The modes of a Pooling module, from the newer or the older form of its configuration."""
        given = self.config.get("pooling_mode") or [
            name for key, name in _MODES.items() if self.config.get(key)
        ]
        return given if isinstance(given, list) else [given]


@dataclass(frozen=True)
class DeclaredFolder:
    """A model's folder and the modules that follow its transformer."""

    model: ModelFolder
    modules: tuple[Module, ...]  # in order; without a transformer, a table of words first
    pooling: str | None  # of the last layer; None if more than unit length follows
    max_length: int | None  # in tokens; None if the folder sets no limit
    n_kept: int | None  # number of leading features to keep; None keeps all
    prompt: str  # precedes every sentence; may be empty
    has_chat: bool  # whether the library puts the folder's chat template around each text
    digest: str  # SHA-256 over the names and contents of the modules' files
    route: str = ""  # of a Router; empty without one
    task: str = field(default="", compare=False)  # what asks the Router for this route

    @property
    def has_unit_length(self) -> bool:
        """Whether vectors are scaled to length 1."""
        return any(module.kind == "Normalize" for module in self.modules)

    @property
    def is_last_layer(self) -> bool:
        """Whether its vectors can be computed from the pooled last layer alone."""
        return self.pooling is not None and not self.prompt

    def __str__(self) -> str:
        steps = [module.step for module in self.modules] if self.model.modules else ["mean tokens"]
        said = (
            f"prompt {quoted(self.prompt)}" if self.prompt else "",
            f"route {quoted(self.route)}" if self.route else "",
            CHAT if self.has_chat else "",
            "last layer" if self.model.n_layers else "",
            *steps,
            f"first {self.n_kept} features" if self.n_kept else "",
        )
        return ", ".join(filter(None, said))


def open_declared(
    model: ModelFolder, *, prompt: str | None = None, has_prompt: bool = True, side: str = ""
) -> DeclaredFolder:
    """Read and check a folder's settings for texts of one side, or of none.

    Args:
        model: The folder.
        prompt: Name of one of its prompts, or a text to put before every sentence; None takes what
            sentence-transformers takes: the prompt `query` in `encode_query`, `document` in
            `encode_document`, and the default prompt in `encode`.
        has_prompt: Whether there is a prompt at all.
        side: `query`, `document`, or empty.
    """
    modules = _modules(model)
    settings = read_json(model.path / SETTINGS_FILE)
    n_kept = settings.get("truncate_dim")
    if n_kept is not None and not (type(n_kept) is int and n_kept > 0):
        raise InputError(
            f"{SETTINGS_FILE} of {model} has truncate_dim {quoted(n_kept)}: expected a number of "
            "features"
        )
    default = _prompt(model, side or settings.get("default_prompt_name"))
    text = (default if prompt is None else chosen_prompt(model, prompt)) if has_prompt else ""
    transformer, route, every = _transformer_settings(model), "", modules
    if modules and modules[0].kind == ROUTER:
        routes = _routes(model)
        route = _route(model, routes, side)
        every = (*chain.from_iterable(routes.values()), *modules[1:])
        modules = (*routes[route], *modules[1:])
    has_chat = _has_chat(model, transformer)
    pooling = None
    if not has_chat:
        pooling = _plain_pooling(model, modules, transformer, has_prompt=bool(text))
    return DeclaredFolder(
        model,
        modules,
        pooling,
        transformer.get("max_seq_length"),
        n_kept,
        text,
        has_chat,
        _digest(model, every),
        route,
        side if route else "",
    )


def _prompt(model: ModelFolder, name: object) -> str:
    """Return the prompt of this name; sentence-transformers has empty ones for both sides."""
    prompts = {QUERY: "", DOCUMENT: "", **declared_prompts(model.path)}
    if name is None:
        return ""
    if name not in [*prompts]:
        raise _no_prompt(model, name)
    return prompts[str(name)]


def chosen_prompt(model: ModelFolder, given: str) -> str:
    """Return the prompt of this name, or the given text.

    A text that ends with a letter or a digit is refused: it is a wrong name, or would join with the
    first word of a sentence.
    """
    prompts = declared_prompts(model.path)
    if given not in prompts and given[-1].isalnum():
        raise _no_prompt(model, given)
    return prompts.get(given, given)


def _no_prompt(model: ModelFolder, name: object) -> InputError:
    names = ", ".join(map(quoted, declared_prompts(model.path))) or "none"
    return InputError(
        f"{model} has no prompt {quoted(name)}: it declares {names}; to give the text of a prompt, "
        "end it with a space or a punctuation mark"
    )


def declared_prompts(path: Path) -> dict[str, str]:
    """Return the prompts of a model's folder by name."""
    prompts = read_json(path / SETTINGS_FILE).get("prompts")
    known = prompts.items() if isinstance(prompts, dict) else ()
    return {key: prompt for key, prompt in known if isinstance(prompt, str)}


def declares_chat(model: ModelFolder) -> bool:
    """Tell whether a folder declares that its chat template is put around each text."""
    with suppress(InputError):  # the error is raised when the plain output is requested
        return _has_chat(model, _transformer_settings(model))
    return False


def declared_pooling(model: ModelFolder) -> str:
    """Return the token pooling that a folder declares, such as `mean`; empty if there is none."""
    pooled = ["mean"]
    with suppress(InputError):  # the error is raised when the plain output is requested
        for module in _modules(model):
            pooled = module.modes if module.kind == "Pooling" else pooled
    return "+".join(map(str, pooled))


def _modules(model: ModelFolder) -> tuple[Module, ...]:
    modules = [_module(model, each) for each in model.modules[: _MAX_MODULES + 1]]
    first = modules[0] if modules else Module(_TRANSFORMER, "", {})
    is_transformer = first.kind == _TRANSFORMER and not first.folder
    is_first = is_transformer or first.kind in TABLES or (first.kind == ROUTER and not first.folder)
    if not is_first or len(modules) > _MAX_MODULES or ROUTER in [m.kind for m in modules[1:]]:
        raise InputError(
            f"modules.json of {model} must begin with word embeddings, or with a Transformer or a "
            f"Router in the folder itself, and list at most {_MAX_MODULES}, got "
            f"{quoted(first.kind)}"
        )
    return tuple(modules[is_transformer:])


def _routes(model: ModelFolder) -> dict[str, list[Module]]:
    """Return the modules of each route of a Router; all of them are loaded together."""
    config = read_json(model.path / _ROUTER_FILE)
    types, routes, options = (
        value if isinstance(value, dict) else {}
        for value in map(config.get, ("types", "structure", "parameters"))
    )
    lists = [names if isinstance(names, list) else [] for names in routes.values()]
    names = [str(name) for each in lists for name in each]
    modules: dict[str, Module] = {}
    if all(lists) and len(names) <= _MAX_MODULES and {*names} == {*types}:
        modules = {name: _module(model, {"type": types[name], "path": name}) for name in names}
    is_static = all(modules[str(first)].kind in TABLES for first, *_ in lists) if modules else False
    is_static &= all(m.folder and m.kind not in (_TRANSFORMER, ROUTER) for m in modules.values())
    if not is_static or options.get("route_mappings"):
        raise InputError(
            f"{_ROUTER_FILE} of {model} cannot be used here: expected routes that begin with a "
            f"table of words ({' or '.join(TABLES)}), at most {_MAX_MODULES} modules in "
            "subfolders, and no route_mappings"
        )
    return {
        route: [modules[str(name)] for name in each]
        for route, each in zip(routes, lists, strict=True)
    }


def _route(model: ModelFolder, routes: Collection[str], side: str) -> str:
    """Return the route that sentence-transformers takes for a side, or for texts of none."""
    options = read_json(model.path / _ROUTER_FILE)["parameters"]
    default = None if side else options.get("default_route")
    if not side and default is None and options.get("allow_empty_key", True):
        default = next(iter(routes))
    found = next((each for each in (side, "text", default) if each in [*routes]), None)
    if found is None:
        raise InputError(
            f"the Router of {model} has no route for {SIDES[side]}: it has {listed([*routes])}"
        )
    return found


def _module(model: ModelFolder, listed: object) -> Module:
    """Return a module after checking that it is one of the library's and of limited size."""
    values = listed if isinstance(listed, dict) else {}
    found = _TYPE.fullmatch(str(values.get("type")))
    kind, folder = found[1] if found else "", str(values.get("path")).removeprefix(".")
    if kind not in _KNOWN or not _FOLDER.fullmatch(str(values.get("path"))):
        raise InputError(
            f"modules.json of {model} names {quoted(listed)}: expected a module of "
            f"sentence-transformers ({', '.join(_KNOWN)}) in its own subfolder. Code of other "
            "libraries is never run; choose a layer set such as last"
        )
    is_own = folder and kind != _TRANSFORMER  # in the root, config.json is the model's
    config = read_json(model.path / folder / "config.json") if is_own else {}
    activation = str(config.get("activation_function") or "torch.nn.")
    sizes = [each for each in config.values() if isinstance(each, int | float) and each > 1]
    largest, product = max(sizes, default=0), prod(sizes)
    if largest > _MAX_SIZE or product > _MAX_PRODUCT or not activation.startswith("torch.nn."):
        raise InputError(
            f"module {quoted(folder)} of {model} has sizes up to {largest:,} (product "
            f"{product:,}) and the activation {quoted(activation)}: expected sizes up to "
            f"{_MAX_SIZE:,} (product {_MAX_PRODUCT:,}) and a torch.nn class"
        )
    return Module(kind, folder, config)


def _plain_pooling(
    model: ModelFolder, modules: tuple[Module, ...], settings: dict[str, Any], *, has_prompt: bool
) -> str | None:
    is_other = model.config.get("model_type") == "xlnet"  # its tokenizer returns more than tokens
    if is_other or settings.get("do_lower_case") or not model.n_layers:
        return None
    if not model.modules:
        return "mean"
    following = [module for module in modules if module.kind != "Dropout"]
    if [module.kind for module in following] not in (["Pooling"], ["Pooling", "Normalize"]):
        return None
    pooling, *unit_length = following
    excludes_prompt = has_prompt and not pooling.config.get("include_prompt", True)
    inputs = {name for module in unit_length for name in module.config.values()}
    if excludes_prompt or not inputs <= {"sentence_embedding", None} or len(pooling.modes) != 1:
        return None
    return _OURS.get(str(pooling.modes[0]))


def _has_chat(model: ModelFolder, settings: dict[str, Any]) -> bool:
    """Tell whether the library makes a conversation of each text.

    A folder without modules needs only a chat template; others ask for it in their settings.
    """
    if model.modules:
        return "message" in settings.get("modality_config", {})
    template = read_json(model.path / "tokenizer_config.json").get("chat_template")
    return bool(template) or (model.path / "chat_template.jinja").exists()


def _transformer_settings(model: ModelFolder) -> dict[str, Any]:
    """Return the settings of a transformer; refuse one with unusual inputs or outputs."""
    files = sorted(model.path.glob("sentence_*_config.json"), key=lambda file: len(file.name))
    found = [read_json(file) for file in files]  # sentence_bert_config.json comes first
    for key, value in (setting for each in found for setting in each.items()):
        if value and not _is_usual(key, value):
            raise InputError(
                f"sentence_bert_config.json of {model} has {key} {quoted(value)}: expected a "
                "transformer that reads texts and returns its last layer"
            )
    return next(filter(None, found), {})


def _is_usual(key: str, value: object) -> bool:
    if key == "max_seq_length":
        return type(value) is int and value > 0
    if key == "modality_config":
        ways = [*value.values()] if isinstance(value, dict) else [value]
        usual = {"method": "forward", "method_output_name": "last_hidden_state"}
        return all(isinstance(way, dict) and usual.items() <= way.items() for way in ways)
    fixed = {"transformer_task": "feature-extraction", "module_output_name": "token_embeddings"}
    return key in ("do_lower_case", "unpad_inputs") or (key, value) in fixed.items()


def _digest(model: ModelFolder, modules: tuple[Module, ...]) -> str:
    """Return the SHA-256 of the list of modules and of the files in their subfolders.

    Weights must be safetensors. The library would also read other files, whose changes the digest
    would miss.
    """
    files: dict[str, Any] = {"": model.modules}
    for module in modules:
        folder, has_weights = model.path / module.folder, module.kind in _WITH_WEIGHTS
        if has_weights or (module.folder and folder.is_dir()):  # Normalize may have none
            weights = [folder / "model.safetensors"] if has_weights else []
            files[module.folder] = file_digests(folder, weights)
    return digest_of(files)
