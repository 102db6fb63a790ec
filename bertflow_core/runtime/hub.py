"""Download repositories from the Hugging Face hub, with the hub's own client.

The client caches and checks files and resumes downloads. This module adds progress reports, a
timeout for every request, bounds of what is received, and one sentence for each kind of failure.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
from huggingface_hub import (
    HfApi,
    constants,
    errors,
    get_session,
    set_client_factory,
    snapshot_download,
)
from huggingface_hub.file_download import repo_folder_name
from tqdm import tqdm

from bertflow_core.errors import BertFlowError, InputError, ResourceError, explain
from bertflow_core.runtime import context
from bertflow_core.runtime.files import too_large
from bertflow_core.wording import quoted

_LOGIN = "`hf auth login`"
_MOST_LISTING = 64 << 20
_CALLED = {
    "model": ("model", "or choose the installed model minilm"),
    "dataset": ("data set", "or choose the built-in data set captions"),
}
"""What messages call each kind of repository, and the alternative they offer on failure."""


def fetch(
    hub_id: str,
    patterns: Sequence[str],
    *,
    revision: str | None = None,
    most: int,
    kind: str = "model",
    name: str = "",
    ignored: Sequence[str] = (),
    cache: str | None = None,
) -> Path:
    """Return the folder of a repository's snapshot, fetching the files that the cache lacks.

    If the hub fails, a complete snapshot from the cache is used. `kind` is `model` or `dataset`.
    `name` is the user's name for the repository. `cache` is a folder that replaces the hub's cache.
    No more than `most` bytes are received, nor more than the hub has declared.
    """
    name, place = name or hub_id, Path(cache or constants.HF_HUB_CACHE)
    with _fetching(kind, name, revision):
        try:
            return Path(
                snapshot_download(
                    hub_id,
                    repo_type=kind,
                    revision=revision,
                    cache_dir=place,
                    allow_patterns=[*patterns],
                    ignore_patterns=[*ignored],
                    tqdm_class=_bar(name, most),
                )
            )
        except InputError:  # too large: the next attempt must not go on from there
            blobs = place / repo_folder_name(repo_id=hub_id, repo_type=kind) / "blobs"
            for unfinished in blobs.glob("*.incomplete"):
                unfinished.unlink()
            raise


def model_listing(hub_id: str, *, revision: str | None = None) -> tuple[dict[str, int], int | None]:
    """Return the size of each file of a model in bytes, and its number of parameters if known."""
    with _fetching("model", hub_id, revision):
        found = HfApi().model_info(hub_id, revision=revision, files_metadata=True)
    sizes = {file.rfilename: file.size or 0 for file in found.siblings or ()}
    for file, size in sizes.items():
        if type(size) is not int or size < 0:
            raise InputError(
                f"model {quoted(hub_id)} cannot be fetched: the hub lists {quoted(file)} with a "
                f"size of {quoted(size)}"
            )
    return sizes, found.safetensors.total if found.safetensors else None


@contextmanager
def _fetching(kind: str, name: str, revision: str | None) -> Iterator[None]:
    """Turn an exception into an error of one sentence."""
    called, otherwise = _CALLED[kind]
    # What the user can correct, by class of exception or HTTP status.
    refusals: dict[Any, str] = {
        errors.GatedRepoError: f"it is gated: accept its terms on the hub, and {_LOGIN}",
        errors.RevisionNotFoundError: f"it has no revision {quoted(revision)} on the hub: choose "
        "a branch, tag or commit of it",
        (
            errors.RepositoryNotFoundError,
            errors.HFValidationError,
        ): "it is neither on this machine nor on the hub, or it is private: check the name, or "
        f"{_LOGIN}",
        401: f"this login has no access to it: {_LOGIN}",
        403: f"this login has no access to it: {_LOGIN}",
    }
    what = f"{called} {quoted(name)} cannot be fetched"
    try:
        yield
    except Exception as error:  # the client passes errors of its HTTP library through
        cause = error
        while isinstance(cause, errors.LocalEntryNotFoundError | RuntimeError) and isinstance(
            cause.__cause__, Exception
        ):
            cause = cause.__cause__  # the error that made the client search its cache
        if isinstance(cause, BertFlowError):  # the user cancelled
            raise cause from error
        status = cause.response.status_code if isinstance(cause, errors.HfHubHTTPError) else 0
        for key, message in refusals.items():
            if status == key if isinstance(key, int) else isinstance(cause, key):
                raise InputError(f"{what}: {message}") from error
        unknown = (
            f"the hub's answer was incomplete ({type(cause).__name__}): try again, or check "
            "HF_ENDPOINT"
        )
        raise ResourceError(f"{what}: {explain(cause) or unknown}, {otherwise}") from error


class _Client(httpx.Client):
    """The hub's HTTP client; the default client would send some requests without a timeout."""

    def request(self, *args: Any, timeout: Any = None, **options: Any) -> httpx.Response:  # noqa: ANN401 - httpx's own
        seconds = timeout or constants.HF_HUB_DOWNLOAD_TIMEOUT
        return super().request(*args, timeout=seconds, **options)


class _Listing(httpx.SyncByteStream):
    """An answer of the hub's API, which is held in memory and thus bounded."""

    def __init__(self, stream: Any) -> None:  # noqa: ANN401 - httpx's own
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        n_bytes = 0
        for part in self._stream:
            n_bytes += len(part)
            context.check_cancelled()
            if n_bytes > _MOST_LISTING:
                raise InputError(too_large("the hub's list of files", n_bytes, _MOST_LISTING))
            yield part

    def close(self) -> None:
        self._stream.close()


def _ask_uncompressed(request: httpx.Request) -> None:
    request.headers["Accept-Encoding"] = "identity"  # a small answer may unpack to gigabytes


def _bound(response: httpx.Response) -> None:
    if not response.request.url.path.startswith("/api/"):
        return  # a file, which the progress bar bounds
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise ResourceError("the hub's answer is compressed although it must not be")
    response.stream = _Listing(response.stream)


_HOOKS = get_session().event_hooks
_HOOKS = {
    "request": [*_HOOKS["request"], _ask_uncompressed],
    "response": [*_HOOKS["response"], _bound],
}
set_client_factory(lambda: _Client(event_hooks=_HOOKS, follow_redirects=True))


def _bar(name: str, most: int) -> Any:  # noqa: ANN401 - a class, as the client expects
    """Return a class of progress bars that draw nothing and report the megabytes received.

    They end a download that exceeds `most` bytes, or what the hub has declared.
    """
    report = context.listener()  # here, since the client's own threads have no listener

    class Bar(tqdm):  # type: ignore[type-arg]
        def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - tqdm's own
            self.is_sent = str(options.get("desc", "")).startswith("Downloading")
            self.is_written = str(options.get("desc", "")).startswith("Reconstructing")
            options.pop("name", None)
            super().__init__(*args, **{**options, "disable": True})

        def update(self, n: float | None = 1) -> bool | None:
            self.n += n or 0
            declared = self.total or 0
            size, bound = max(self.n, declared), min(declared or most, most)
            if self.is_written and (size > most or self.n > bound):
                raise InputError(too_large(name, int(size), int(bound)))
            if self.is_sent and declared:
                report(round(self.n / 1e6), max(1, round(declared / 1e6)), "MB fetched")
            return None

    return Bar
