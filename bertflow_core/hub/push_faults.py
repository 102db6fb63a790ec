"""What a failure of an upload to the hub means, in one sentence that says what to do."""

import httpx2 as httpx
from huggingface_hub import errors

from bertflow_core.errors import BertFlowError, InputError, ResourceError
from bertflow_core.wording import quoted

__all__ = ["push_fault"]

_REFUSALS = {
    401: "the hub does not know this login: log in with `hf auth login` and a token that may write",
    403: "this login may not write there: name an owner that it belongs to, and log in with a "
    "token that may write",
    404: "the hub has no such owner, or does not show it to this login: check the name and "
    "HF_ENDPOINT",
    409: "somebody else changes it at this moment: try again",
}


def push_fault(name: str, error: Exception) -> BertFlowError:
    """Return what to raise in place of an error of the hub's client.

    Args:
        name: Of the model that was to be written.
        error: What the client raised.
    """
    root = _root(error)
    what = f"model {quoted(name)} cannot be uploaded"
    if isinstance(root, errors.LocalTokenNotFoundError):
        return InputError(
            f"{what}: nobody is logged in: log in with `hf auth login` and a token that may write"
        )
    if not isinstance(root, errors.HfHubHTTPError):
        return ResourceError(f"{what}: {_failure(root)}")
    status = root.response.status_code
    if status in _REFUSALS:
        return InputError(f"{what}: {_REFUSALS[status]} (HTTP {status})")
    if status == 429:
        said = "the hub has had too many requests: try again in some minutes"
    else:
        said = "the hub has a fault: try again"
    return ResourceError(f"{what}: {said} (HTTP {status})")


def _root(error: Exception) -> Exception:
    """Return the failure behind one that only says which file it was of."""
    while isinstance(error, RuntimeError) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    return error


def _failure(root: Exception) -> str:
    if isinstance(root, errors.OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE forbids to ask the hub: unset it"
    if isinstance(root, httpx.ConnectError | httpx.ConnectTimeout):
        return "the hub cannot be reached (no network?): connect and try again"
    if isinstance(root, httpx.TimeoutException):
        return "the hub did not answer in time: try again"
    if isinstance(root, OSError | httpx.TransportError):
        return "the connection broke off: try again"
    return f"what answers is not a hub ({type(root).__name__}): check HF_ENDPOINT"
