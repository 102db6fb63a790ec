"""A model's files from the Hugging Face hub: listed, fetched under limits, checked."""

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TypeVar

import httpx2 as httpx
from huggingface_hub import (
    HfApi,
    RepoFile,
    errors,
    get_cached_repo_tree,
    hf_hub_download,
    snapshot_download,
)
from tqdm import tqdm

from bertflow_core.encoders.declared_folder import MODULE_FILES
from bertflow_core.encoders.hub_faults import hub_fault, root_of
from bertflow_core.encoders.hub_watch import LONGEST_WAIT, Watch, asked_wait, watched
from bertflow_core.encoders.model_folder import USED_SUFFIXES
from bertflow_core.environment import positive_number
from bertflow_core.errors import BertFlowError, Cancelled, InputError, ResourceError
from bertflow_core.progress import Progress
from bertflow_core.wording import quoted

__all__ = ["fetch_model"]

_SECONDS = 7_200.0
_PAUSES = (1.0, 3.0)
_MOST_BYTES = 32 << 30
_FINAL = (
    errors.RevisionNotFoundError,
    errors.RepositoryNotFoundError,  # and gated ones
    errors.HFValidationError,
    Cancelled,
    InputError,
)
_PASSING = (httpx.ReadError, httpx.RemoteProtocolError)
_SILENT = partial(tqdm, disable=True)

T = TypeVar("T")


def fetch_model(
    hub_id: str, revision: str | None, *, known: Iterable[str], progress: Progress
) -> Path:
    """Return the hub's snapshot folder, which is named by its commit.

    Of the files that loading reads, those that the hub's cache lacks are fetched. While the hub
    fails, a model that the cache holds is taken from there.

    Args:
        hub_id: Repository, such as `org/model`.
        revision: Branch, tag or commit; None is the main branch.
        known: Names to offer where the hub has no such model.
        progress: Called with megabytes of what is fetched; may raise `Cancelled`.

    Raises:
        InputError: No such model or revision, no right to it, or one of more than 32 GiB.
        ResourceError: The disk or the network failed, or a file is not what was announced.
    """
    watch = Watch(positive_number("BERTFLOW_HUB_SECONDS", _SECONDS, "seconds"), progress)
    try:
        with watched(watch):
            folder = _list(hub_id, revision, watch)
            missing = [each for each in _files(hub_id, folder) if not (folder / each.path).exists()]
            watch.total = sum(each.size for each in missing)
            _check_size(watch.total)
            for each in missing:
                _fetch(hub_id, each.path, folder, watch)
    except Cancelled:
        raise
    except BertFlowError as error:
        raise type(error)(f"model {quoted(hub_id)} cannot be fetched: {error}") from error
    except Exception as error:  # the hub's client lets its HTTP library's own errors through
        raise hub_fault(hub_id, revision, error, known=known) from error
    return folder


def _list(hub_id: str, revision: str | None, watch: Watch) -> Path:
    """Return the folder of a revision's commit, whose files the client then has a list of."""
    ask = partial(
        snapshot_download, hub_id, revision=revision, allow_patterns=[], tqdm_class=_SILENT
    )
    try:
        return Path(_repeatedly(ask, watch))
    except _FINAL:
        raise
    except Exception:  # also an answer that is not a hub's
        folder = _cached(ask)
        if folder is None:
            raise
        return folder


def _cached(ask: Callable[..., str]) -> Path | None:
    try:
        return Path(ask(local_files_only=True))
    except errors.LocalEntryNotFoundError:
        return None


def _files(hub_id: str, folder: Path) -> list[RepoFile]:
    """Return the files that loading reads; none where the cache is older than lists are."""
    try:
        files = get_cached_repo_tree(hub_id, revision=folder.name)
    except errors.CachedRepoTreeNotFoundError:
        if folder.is_dir():
            return []
        listed = HfApi().list_repo_tree(hub_id, revision=folder.name, recursive=True)
        files = [each for each in listed if isinstance(each, RepoFile)]
    return [
        each
        for each in files
        if MODULE_FILES.fullmatch(each.path)
        or ("/" not in each.path and Path(each.path).suffix in USED_SUFFIXES)
    ]


def _check_size(n_bytes: int) -> None:
    if n_bytes > _MOST_BYTES:
        raise InputError(
            f"it takes {n_bytes / 1e9:,.0f} GB, expected an encoder of at most "
            f"{_MOST_BYTES / 1e9:,.0f} GB: choose a smaller model"
        )


def _fetch(hub_id: str, name: str, folder: Path, watch: Watch) -> None:
    """Fetch a file; what breaks off is resumed by the client."""
    ask = partial(hf_hub_download, hub_id, name, revision=folder.name, tqdm_class=_SILENT)
    file = Path(_repeatedly(ask, watch))
    if _is_damaged(file):
        file.resolve().unlink()
        file.unlink()
        raise ResourceError(
            f"{name} is not the file that the hub announced (another digest): ask again, and "
            "check HF_ENDPOINT if it stays so"
        )


def _is_damaged(file: Path) -> bool:
    """Whether a new file of the cache, a link to one that is named by its digest, has another.

    The digest is that of Git large file storage, or of Git; some mirrors give a plain SHA-1.
    """
    announced = file.readlink().name if file.is_symlink() else ""
    if len(announced) == 64:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() != announced
    if len(announced) == 40:
        content = file.read_bytes()
        as_git = b"blob %d\0" % len(content) + content
        return announced not in {hashlib.sha1(each).hexdigest() for each in (as_git, content)}
    return False


def _repeatedly(ask: Callable[[], T], watch: Watch) -> T:
    """Ask the hub, and again after a pause where the failure is one that passes."""
    for pause in _PAUSES:
        try:
            return ask()
        except Exception as error:
            wait = _wait_after(error, pause)
            if wait is None:
                raise
            watch.pause(wait)
    return ask()


def _wait_after(error: Exception, pause: float) -> float | None:
    """Return the seconds until another attempt, or None where it would fail as well."""
    root = root_of(error)
    if isinstance(root, errors.HfHubHTTPError):
        status = root.response.status_code
        wait = max(pause, asked_wait(root.response))
        return wait if (status == 429 or status >= 500) and wait <= LONGEST_WAIT else None
    return pause if isinstance(root, _PASSING) else None
