"""What a hub's failure means, in one sentence that says what to do."""

import httpx2 as httpx
from huggingface_hub import constants, errors

from bertflow_core.errors import BertFlowError, InputError, ResourceError, nearest
from bertflow_core.hub.repository import Repository
from bertflow_core.wording import quoted

__all__ = ["hub_fault", "root_of"]


def hub_fault(repository: Repository, error: Exception) -> BertFlowError:
    """Return what to raise in place of an error of the hub's client or of its cache folder."""
    root = root_of(error)
    refusal = _refusal(repository.revision, root)
    if refusal:
        return InputError(f"{repository.called} {refusal}")
    if isinstance(root, errors.RepositoryNotFoundError) and repository.name:
        return InputError(
            f"{repository.called} cannot be fetched: the hub has no repository "
            f"{quoted(repository.hub_id)}, or a private one (`hf auth login`); check HF_ENDPOINT"
        )
    if isinstance(root, errors.RepositoryNotFoundError | errors.HFValidationError):
        return InputError(
            f"unknown {repository.called}: neither a local folder nor on the hub, or a private one "
            f"(`hf auth login`); {nearest(repository.hub_id, repository.known)}"
        )
    return ResourceError(f"{repository.called} {_failure(root, repository.otherwise)}")


def root_of(error: Exception) -> Exception:
    """Return the failure that made the client look into its cache, where it found nothing."""
    while isinstance(error, errors.LocalEntryNotFoundError) and isinstance(
        error.__cause__, Exception
    ):
        error = error.__cause__
    return error


def _refusal(revision: str | None, root: Exception) -> str:
    if isinstance(root, errors.GatedRepoError):
        return "is gated on the hub: accept its terms there and log in with `hf auth login`"
    if isinstance(root, errors.RevisionNotFoundError):
        return f"has no revision {quoted(revision)} on the hub: name a branch, tag or commit of it"
    status = _status(root)
    if status == 401 and not isinstance(root, errors.RepositoryNotFoundError):
        return "is not given to this login (HTTP 401): log in again with `hf auth login`"
    if status == 403:
        return (
            "is forbidden to this login (HTTP 403): ask its owner, or log in as somebody else with "
            "`hf auth login`"
        )
    return ""


def _failure(root: Exception, otherwise: str) -> str:
    """Return the rest of a sentence on a failure of the network, the hub or the cache folder."""
    status = _status(root)
    if status == 429:
        return (
            "cannot be fetched: the hub has had too many requests (HTTP 429): try again in some "
            "minutes, or log in with `hf auth login`"
        )
    if status:
        return f"cannot be fetched: the hub has a fault (HTTP {status}): try again, {otherwise}"
    if isinstance(root, errors.OfflineModeIsEnabled | errors.LocalEntryNotFoundError):
        return (
            "is not whole in the local cache and HF_HUB_OFFLINE forbids to ask the hub: unset it "
            f"once, {otherwise}"
        )
    if isinstance(root, httpx.ConnectError | httpx.ConnectTimeout):
        return (
            "is not in the local cache and the hub cannot be reached (no network?): connect once, "
            f"{otherwise}"
        )
    if isinstance(root, httpx.TimeoutException):
        return (
            f"cannot be fetched: the hub did not answer within {constants.HF_HUB_DOWNLOAD_TIMEOUT}"
            f" s (HF_HUB_DOWNLOAD_TIMEOUT): try again, {otherwise}"
        )
    if isinstance(root, OSError) and root.errno is not None:
        return f"cannot be kept ({root.strerror}): free some space or set HF_HOME to another folder"
    if isinstance(root, OSError | httpx.TransportError):
        return "did not arrive whole: ask again (what arrived is kept)"
    return (
        f"cannot be fetched: what answers is not a hub ({type(root).__name__}): check HF_ENDPOINT"
    )


def _status(root: Exception) -> int:
    return root.response.status_code if isinstance(root, errors.HfHubHTTPError) else 0
