"""A folder sent to the Hugging Face hub as a new model: one commit, whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import CommitOperationAdd, HfApi, errors
from huggingface_hub.utils._validators import validate_repo_id

from bertflow_core.environment import positive_number
from bertflow_core.errors import BertFlowError, Cancelled, InputError
from bertflow_core.hub.push_faults import push_fault
from bertflow_core.hub.watch import Watch, watched
from bertflow_core.progress import Progress, silent
from bertflow_core.wording import quoted, reason

__all__ = ["HubPlace", "check_place", "push_folder"]

_SECONDS = 7_200.0
_PATIENCE = 120.0
_OF_A_NEW_ONE = {".gitattributes"}


@dataclass(frozen=True)
class HubPlace:
    """A model's name on the hub.

    Attributes:
        name: `owner/name`.
        private: Whether only its owners shall see it.

    Raises:
        InputError: The hub takes no such name.
    """

    name: str
    private: bool = False

    def __post_init__(self) -> None:
        try:
            validate_repo_id(self.name)
        except errors.HFValidationError as error:
            raise InputError(
                f"{quoted(self.name)} is no name for the hub: {reason(error)}"
            ) from error
        if "/" not in self.name:
            raise InputError(f"{quoted(self.name)} names no owner: expected OWNER/NAME")


def check_place(place: HubPlace, *, progress: Progress = silent) -> None:
    """Ask the hub who is logged in, and send nothing: what fails here would fail later.

    Raises:
        InputError: Nobody is logged in.
        ResourceError: The network or the hub failed.
    """
    with _visit(place, progress):
        HfApi().whoami()


def push_folder(folder: Path, place: HubPlace, *, progress: Progress = silent) -> str:
    """Make a model of that name, send a folder's files in one commit, and return its address.

    A model of that name that holds nothing yet is taken: an upload that broke off leaves one.

    Args:
        folder: What to send.
        place: Where.
        progress: Called with megabytes that are sent; may raise `Cancelled`.

    Raises:
        InputError: No right to write there, or a model of that name has files.
        ResourceError: The network, the hub or the disk failed.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with _visit(place, progress) as watch:
        api = HfApi()
        _make(api, place)
        watch.total = sum(path.stat().st_size for path in files)
        additions = [CommitOperationAdd(str(path.relative_to(folder)), path) for path in files]
        for addition in additions:  # one after the other and in this thread, under the watch
            api.preupload_lfs_files(place.name, [addition], free_memory=False)
        api.create_commit(place.name, additions, commit_message="Upload a calibrated encoder")
        return f"{api.endpoint}/{place.name}"


@contextmanager
def _visit(place: HubPlace, progress: Progress) -> Iterator[Watch]:
    """Let the client work under limits, and say its failures in a sentence."""
    seconds = positive_number("BERTFLOW_HUB_SECONDS", _SECONDS, "seconds")
    watch = Watch(seconds, progress, "upload", patience=_PATIENCE, sends=True)
    try:
        with watched(watch):
            yield watch
    except Cancelled:
        raise
    except BertFlowError as error:
        raise type(error)(f"model {quoted(place.name)} cannot be uploaded: {error}") from error
    except Exception as error:  # the hub's client lets its HTTP library's own errors through
        raise push_fault(place.name, error) from error


def _make(api: HfApi, place: HubPlace) -> None:
    """Make a model, or take one that is empty.

    Raises:
        InputError: It has files, or everybody sees what shall be private.
    """
    try:
        api.create_repo(place.name, private=place.private)
        return
    except errors.HfHubHTTPError as error:
        if error.response.status_code != 409:
            raise
    there = api.model_info(place.name)
    names = {each.rfilename for each in there.siblings or ()}
    if names - _OF_A_NEW_ONE:
        raise InputError("the hub has one of that name with files (HTTP 409): choose another name")
    if place.private and not there.private:
        raise InputError("the hub has one of that name that everybody sees: choose another name")
