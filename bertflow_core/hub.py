"""The Hugging Face hub by its own client: a repository's files fetched, a folder sent, its faults.

The client caches, resumes, checks and times out; here stand the bound on what is fetched, progress,
and one sentence for each kind of failure.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import httpx2 as httpx
from huggingface_hub import (
    CommitOperationAdd,
    HfApi,
    constants,
    errors,
    get_session,
    set_client_factory,
    snapshot_download,
)
from tqdm import tqdm

from bertflow_core import context
from bertflow_core.errors import BertFlowError, InputError, ResourceError, explain, nearest
from bertflow_core.wording import quoted

__all__ = ["Repository", "check_push", "fetch", "push"]


@dataclass(frozen=True)
class Repository:
    """What is asked of the hub, and how sentences about it call it.

    Attributes:
        hub_id: Such as `org/model`.
        revision: Branch, tag or commit; None is the main branch.
        noun: `model` or `data set`.
        most_bytes: How much may be fetched.
        known: Names to offer where the hub has no such repository.
        otherwise: What to do where the hub fails, besides asking again.
        name: What the user called it; None is `hub_id`.
    """

    hub_id: str
    revision: str | None
    noun: str
    most_bytes: int
    known: Iterable[str]
    otherwise: str
    name: str | None = None

    @property
    def called(self) -> str:
        """Noun and name, for a sentence."""
        return f"{self.noun} {quoted(self.name or self.hub_id)}"


def fetch(
    repository: Repository,
    patterns: Sequence[str],
    *,
    ignored: Sequence[str] = (),
) -> Path:
    """Return the hub's snapshot folder, which is named by its commit and holds the wanted files.

    What its cache lacks is fetched. While the hub fails, a whole snapshot is taken from the cache.

    Args:
        repository: What is asked for.
        patterns: Of the wanted files' paths, as shells write them; * stands for / too.
        ignored: Of paths among them that are not wanted.

    Raises:
        InputError: No such repository or revision, no right to it, or more bytes than it may have.
        ResourceError: The disk, the network or the hub failed.
    """
    ask = partial(
        snapshot_download,
        repository.hub_id,
        repo_type="model" if repository.noun == "model" else "dataset",
        revision=repository.revision,
        allow_patterns=[*patterns],
        ignore_patterns=[*ignored],
    )
    _end_waits()
    try:
        if not _is_cached(ask):
            _check_size(ask, repository)
        return Path(ask(tqdm_class=_bar()))
    except BertFlowError:
        raise
    except Exception as error:  # the client lets its HTTP library's own errors through
        raise _fetch_fault(repository, _root(error)) from error


def check_push(name: str) -> None:
    """Ask the hub who is logged in, and send nothing: what fails here would fail later.

    Raises:
        InputError: Nobody is logged in, or the name is not OWNER/NAME.
        ResourceError: The network or the hub failed.
    """
    owner, _, model = name.partition("/")
    if not owner or not model or "/" in model:
        raise InputError(f"{quoted(name)} is no name for the hub: expected OWNER/NAME")
    _end_waits()
    try:
        HfApi().whoami()
    except Exception as error:  # as in `fetch`
        raise _push_fault(name, _root(error)) from error


def push(folder: Path, name: str, *, private: bool = False) -> str:
    """Make a model of that name, send a folder's files in one commit, and return its address.

    Raises:
        InputError: No right to write there, or there is a model of that name.
        ResourceError: The network, the hub or the disk failed.
    """
    api = HfApi()
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    additions = [CommitOperationAdd(str(path.relative_to(folder)), path) for path in files]
    try:
        api.create_repo(name, private=private)
        api.create_commit(name, additions, commit_message="Upload a calibrated encoder")
    except Exception as error:  # as in `fetch`
        raise _push_fault(name, _root(error)) from error
    return f"{api.endpoint}/{name}"


class _Client(httpx.Client):
    """The hub's client with an end to each wait; its own lets some last for ever."""

    def request(self, *args: Any, timeout: Any = None, **options: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
        return super().request(*args, timeout=timeout or self.timeout, **options)


@cache
def _end_waits() -> None:
    hooks = get_session().event_hooks
    seconds = constants.HF_HUB_DOWNLOAD_TIMEOUT
    set_client_factory(lambda: _Client(event_hooks=hooks, follow_redirects=True, timeout=seconds))


def _is_cached(ask: Callable[..., Any]) -> bool:
    try:
        ask(local_files_only=True)
    except (errors.LocalEntryNotFoundError, errors.IncompleteSnapshotError):
        return False
    return True


def _check_size(ask: Callable[..., Any], repository: Repository) -> None:
    try:
        files = ask(dry_run=True)
    except errors.DryRunError as error:
        if isinstance(error.__cause__, Exception):
            raise error.__cause__ from None
        raise
    n_bytes = sum(each.file_size for each in files if each.will_download)
    if n_bytes > repository.most_bytes:
        raise InputError(
            f"{repository.called} takes {n_bytes / 1e9:,.0f} GB, expected at most "
            f"{repository.most_bytes / 1e9:,.0f} GB: choose a smaller one"
        )


def _bar() -> Any:  # noqa: ANN401 - a class, as the client wants one
    """Return a bar that draws nothing and reports the megabytes that came."""
    report = context.listener()  # here: the client's own threads have no listener

    class Bar(tqdm):  # type: ignore[type-arg]
        def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - tqdm's own
            self.counts = str(options.get("desc", "")).startswith("Downloading")
            options.pop("name", None)
            super().__init__(*args, **{**options, "disable": True})

        def update(self, n: float | None = 1) -> bool | None:
            self.n += n or 0
            if self.counts and self.total:
                report(round(self.n / 1e6), max(1, round(self.total / 1e6)), "MB fetched")
            return None

    return Bar


def _root(error: Exception) -> Exception:
    """Return the failure that made the client look into its cache, or name a file."""
    while isinstance(error, errors.LocalEntryNotFoundError | RuntimeError) and isinstance(
        error.__cause__, Exception
    ):
        error = error.__cause__
    return error


def _fetch_fault(repository: Repository, root: Exception) -> BertFlowError:
    """Return what to raise in place of a failure of the client, of the hub or of the disk."""
    called = repository.called
    if isinstance(root, errors.GatedRepoError):
        return InputError(
            f"{called} is gated on the hub: accept its terms there, and `hf auth login`"
        )
    if isinstance(root, errors.RevisionNotFoundError):
        return InputError(
            f"{called} has no revision {quoted(repository.revision)} on the hub: name a branch, "
            "tag or commit of it"
        )
    if isinstance(root, errors.RepositoryNotFoundError | errors.HFValidationError):
        offered = "" if repository.name else f"; {nearest(repository.hub_id, repository.known)}"
        return InputError(
            f"unknown {called}: neither a local folder nor on the hub, or a private one (`hf auth "
            f"login`){offered}"
        )
    if _status(root) in (401, 403):
        return InputError(f"{called} is not given to this login: `hf auth login`")
    return ResourceError(f"{called} cannot be fetched: {_failure(root)}, {repository.otherwise}")


def _push_fault(name: str, root: Exception) -> BertFlowError:
    what = f"model {quoted(name)} cannot be uploaded"
    refusals = {
        401: "the hub does not know this login: `hf auth login` with a token that may write",
        403: "this login may not write there: name an owner that it belongs to",
        404: "the hub has no such owner: check the name",
        409: "the hub has a model of that name: choose another name",
    }
    if isinstance(root, errors.LocalTokenNotFoundError):
        return InputError(f"{what}: nobody is logged in: `hf auth login`")
    if isinstance(root, errors.HFValidationError) or _status(root) in refusals:
        return InputError(f"{what}: {refusals.get(_status(root), str(root))}")
    return ResourceError(f"{what}: {_failure(root)}")


def _failure(root: Exception) -> str:
    """Say what failed that may work another time, and what to do."""
    status = _status(root)
    if status == 429:
        return "the hub has had too many requests (HTTP 429): try again in some minutes"
    if status:
        return f"the hub has a fault (HTTP {status}): try again"
    if isinstance(root, OSError) and root.errno is not None:
        return f"{root.strerror}: free some space or set HF_HOME to another folder"
    if isinstance(root, OSError | httpx.TransportError):
        whole = "it did not arrive whole: ask again (what arrived is kept)"
        return str(explain(root) or whole)
    return f"what answers is not a hub ({type(root).__name__}): check HF_ENDPOINT"


def _status(root: Exception) -> int:
    return root.response.status_code if isinstance(root, errors.HfHubHTTPError) else 0
