"""Files of a repository of the Hugging Face hub: listed, fetched under limits, checked."""

import hashlib
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import httpx2 as httpx
from huggingface_hub import (
    HfApi,
    RepoFile,
    constants,
    errors,
    get_cached_repo_tree,
    get_hf_file_metadata,
    hf_hub_download,
    hf_hub_url,
    snapshot_download,
)

from bertflow_core.environment import positive_number
from bertflow_core.errors import BertFlowError, Cancelled, InputError, ResourceError
from bertflow_core.hub.faults import hub_fault, root_of
from bertflow_core.hub.part import SILENT, grow, name_part
from bertflow_core.hub.repository import Repository
from bertflow_core.hub.watch import LONGEST_WAIT, Watch, asked_wait, watched
from bertflow_core.progress import Progress

__all__ = ["fetch"]

_SECONDS = 7_200.0
_PAUSES = (1.0, 3.0)
_FINAL = (
    errors.RevisionNotFoundError,
    errors.RepositoryNotFoundError,  # and gated ones
    errors.HFValidationError,
    Cancelled,
    InputError,
)
_PASSING = (httpx.ReadError, httpx.RemoteProtocolError)
_SHA256 = re.compile("[0-9a-f]{64}")

T = TypeVar("T")


def fetch(repository: Repository, wanted: Callable[[str], bool], *, progress: Progress) -> Path:
    """Return the hub's snapshot folder, which is named by its commit and holds the wanted files.

    Those that the hub's cache lacks are fetched; what broke off before is resumed. While the hub
    fails, what the cache holds is taken from there.

    Args:
        repository: What is asked for.
        wanted: Says of a file's path in the repository whether it is.
        progress: Called with megabytes of what is fetched; may raise `Cancelled`.

    Raises:
        InputError: No such repository or revision, no right to it, or more bytes than it may have.
        ResourceError: The disk or the network failed, or a file is not what was announced.
    """
    seconds = positive_number("BERTFLOW_HUB_SECONDS", _SECONDS, "seconds")
    watch = Watch(seconds, progress, repository.noun)
    try:
        with watched(watch):
            folder = _list(repository, watch)
            listed = [each for each in _files(repository, folder) if wanted(each.path)]
            missing = [each for each in listed if not (folder / each.path).exists()]
            watch.total = sum(each.size for each in missing)
            _check_size(watch.total, repository)
            for each in missing:
                _fetch(repository, each, folder, watch)
    except Cancelled:
        raise
    except BertFlowError as error:
        raise type(error)(f"{repository.called} cannot be fetched: {error}") from error
    except Exception as error:  # the hub's client lets its HTTP library's own errors through
        raise hub_fault(repository, error) from error
    return folder


def _list(repository: Repository, watch: Watch) -> Path:
    """Return the folder of a revision's commit, whose files the client then has a list of."""
    ask = partial(
        snapshot_download,
        repository.hub_id,
        repo_type=repository.kind,
        revision=repository.revision,
        allow_patterns=[],
        tqdm_class=SILENT,
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


def _files(repository: Repository, folder: Path) -> list[RepoFile]:
    """Return the files of a commit; none where the cache is older than lists are."""
    hub_id, kind, commit = repository.hub_id, repository.kind, folder.name
    try:
        return get_cached_repo_tree(hub_id, repo_type=kind, revision=commit)
    except errors.CachedRepoTreeNotFoundError:
        if folder.is_dir():
            return []
        listed = HfApi().list_repo_tree(hub_id, repo_type=kind, revision=commit, recursive=True)
        return [each for each in listed if isinstance(each, RepoFile)]


def _check_size(n_bytes: int, repository: Repository) -> None:
    if n_bytes > repository.most_bytes:
        raise InputError(
            f"it takes {n_bytes / 1e9:,.0f} GB, expected at most "
            f"{repository.most_bytes / 1e9:,.0f} GB: choose a smaller one"
        )


def _fetch(repository: Repository, file: RepoFile, folder: Path, watch: Watch) -> None:
    """Fetch a file; a large one goes on where it broke off, and is named by its digest."""
    where = {"repo_type": repository.kind, "revision": folder.name}
    if file.size > constants.DOWNLOAD_CHUNK_SIZE:
        url = hf_hub_url(repository.hub_id, file.path, **where)
        announced = _repeatedly(partial(get_hf_file_metadata, url), watch).etag or ""
        if _SHA256.fullmatch(announced):
            blob = folder.parents[1] / "blobs" / announced
            _repeatedly(partial(grow, url, blob, file.size, watch), watch)
            if not name_part(blob):
                raise _another(file.path)
    ask = partial(hf_hub_download, repository.hub_id, file.path, tqdm_class=SILENT, **where)
    path = Path(_repeatedly(ask, watch))  # of a large file the name alone
    if _is_damaged(path):
        path.resolve().unlink()
        path.unlink()
        raise _another(file.path)


def _another(name: str) -> ResourceError:
    return ResourceError(
        f"{name} is not the file that the hub announced (another digest): ask again, and check "
        "HF_ENDPOINT if it stays so"
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
