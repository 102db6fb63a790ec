"""Errors for users, and the wording of refusals.

Each error has one sentence that says what is wrong and what to do. `explain` finds such a sentence
for errors of libraries and of the system.
"""

import errno
import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from bertflow_core.wording import quoted, reason, shortened

MAX_LISTED = 20

Choice = TypeVar("Choice", bound=StrEnum)


class BertFlowError(Exception):
    """An expected failure; its text is one sentence on what is wrong and what to do."""

    exit_code = 1


class InputError(BertFlowError, ValueError):
    """The user's input or usage is wrong (exit code 2)."""

    exit_code = 2


class InputTypeError(InputError, TypeError):
    """A value of an unsuitable type, such as a number in place of a text."""


class NothingLeftError(InputError):
    """A calibrator would leave only rounding error of the embeddings."""


class NotInvertibleError(InputError):
    """A calibrator that discards information has no inverse; the message says what is lost."""


class ResourceError(BertFlowError, OSError):
    """The disk or the network failed (exit code 1)."""


class Cancelled(BertFlowError):
    """Long work was stopped on request; the progress callback raises it (exit code 130)."""

    exit_code = 130


_NO_MEMORY = re.compile(r"out of memory|allocate .*memory", re.IGNORECASE)


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether memory ran out; torch and mmap say so only in the texts of their errors."""
    said = isinstance(error, RuntimeError | OSError) and _NO_MEMORY.search(str(error))
    return isinstance(error, MemoryError) or bool(said)


_FEWER = "choose fewer sentences, layers or calibrators"
_FILE = "any file"

_OF_USERS: dict[tuple[int | str, ...], str] = {
    (errno.ENOENT, errno.ENOTDIR): "{where} does not exist: check the path",
    (errno.EISDIR,): "{where} is a folder: choose a file",
    ("builtins.UnicodeDecodeError",): "a text is not UTF-8 ({why}): save it again as UTF-8",
    ("builtins.UnicodeEncodeError",): "a text cannot be written ({why}): set "
    "PYTHONIOENCODING=utf-8, or remove the character",
    ("pyarrow.ArrowException",): "a parquet file is damaged or not parquet ({why}): write it again",
    (
        "safetensors.SafetensorError",
    ): "a .safetensors file is damaged or truncated ({why}): save or fetch it again",
}
_OF_RESOURCES: dict[tuple[int | str, ...], str] = {
    (errno.ENOSPC, errno.EDQUOT, errno.EFBIG): "{where} cannot be written ({why}): free some space",
    (errno.EACCES, errno.EPERM, errno.EROFS): "{where} cannot be used ({why}): change its "
    "permissions or choose another location",
    (errno.EMFILE, errno.ENFILE): "too many files are open at once ({why}): close other programs "
    "or raise `ulimit -n`",
    (errno.EIO,): "{where} cannot be read or written ({why}): check the disk",
    (_FILE,): "{where} cannot be used ({why}): choose another name or location",
    ("builtins.ConnectionError", "builtins.TimeoutError", "socket.gaierror"): "the network failed "
    "({why}): check the connection and try again",
    ("concurrent.BrokenProcessPool",): "a worker process was killed, perhaps because memory ran "
    f"out: {_FEWER}",
    ("httpx2.ConnectError", "httpx2.ConnectTimeout"): "the hub cannot be reached (no network?): "
    "connect once",
    ("httpx2.TimeoutException",): "the hub did not answer in time: try again, or set "
    "HF_HUB_DOWNLOAD_TIMEOUT to more seconds",
    ("httpx2.TransportError",): "the hub's answer was incomplete: try again (the received part "
    "is kept)",
    ("huggingface_hub.HfHubHTTPError",): "the hub refused or failed: try again in a few minutes",
    (
        "huggingface_hub.LocalEntryNotFoundError",
        "huggingface_hub.OfflineModeIsEnabled",
    ): "the local cache is incomplete and HF_HUB_OFFLINE forbids downloads: unset it once",
}
_KNOWN: dict[int | str, tuple[type[BertFlowError], str]] = {
    key: (kind, said)
    for kind, table in ((InputError, _OF_USERS), (ResourceError, _OF_RESOURCES))
    for keys, said in table.items()
    for key in keys
}
"""Messages for system errors, by errno, and for library errors, by package and class.

A class covers its subclasses. It is given by name, so that no library is imported.
"""


def explain(error: BaseException) -> BertFlowError | None:
    """Return a `BertFlowError` as it is, a known error as one with a message, else None."""
    if isinstance(error, BertFlowError):
        return error
    if is_out_of_memory(error):
        return ResourceError(f"there is too little memory: {_FEWER}")
    keys: list[int | str] = [
        f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(error).__mro__
    ]
    where, why = "a file or folder", reason(error)
    if isinstance(error, OSError):
        if error.errno is not None:
            keys.insert(0, error.errno)
        if error.filename is not None:
            where = quoted(error.filename)
            keys.append(_FILE)
        why = error.strerror or why
    row = next((_KNOWN[key] for key in keys if key in _KNOWN), None)
    return row and row[0](row[1].format(where=where, why=why))


def nearest(name: str, choices: Iterable[str], *, at_most: int = 3) -> str:
    """Return a clause with the names nearest to `name`, or with all names if none is near."""
    choices = tuple(choices)
    close = get_close_matches(name, choices, n=at_most, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(map(shortened, close)) + "?"
    return "expected one of " + _joined([shortened(choice) for choice in choices])


def listed(names: Collection[str]) -> str:
    """Join `names` for a sentence; beyond twenty, give the number of the others."""
    return _joined([quoted(str(name)) for name in names])


def _joined(names: list[str]) -> str:
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return ", ".join(names[:MAX_LISTED]) + more


def check_name(name: str, names: Collection[str], what: str) -> None:
    """Refuse a `name` that is not in `names`; `what` is the noun of the sentence."""
    check_type(name, str, what, "a name, as text")
    if name not in names:
        raise InputError(f"unknown {what} {quoted(name)}: {nearest(name, names)}")


def check_type(value: object, kinds: type | tuple[type, ...], what: str, expected: str) -> None:
    """Refuse a value whose type is not in `kinds`; `expected` says what `what` must be."""
    if not isinstance(value, kinds):
        raise wrong_type(value, what, expected)


def wrong_type(value: object, what: str, expected: str) -> InputTypeError:
    """Return the error for a value of the wrong type."""
    kind = "" if value is None else f" ({type(value).__name__})"
    text = " ".join(quoted(value).split())
    return InputTypeError(f"{what} must be {expected}, got {text}{kind}")


def choose(kind: type[Choice], value: str, what: str) -> Choice:
    """Convert `value` to a member of `kind`."""
    try:
        return kind(value)
    except ValueError:
        raise InputError(
            f"unknown {what} {quoted(value)}: expected one of {listed(list(kind))}"
        ) from None
