"""The errors a user may meet, and the wording of refusals.

Each error carries one sentence that says what is wrong and what to do; `explain` has one for what
libraries and the system raise.
"""

import errno
import re
from collections.abc import Collection, Iterable, Mapping, Set
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from bertflow_core.wording import quoted, reason, shortened

MAX_LISTED = 20

Choice = TypeVar("Choice", bound=StrEnum)


class BertFlowError(Exception):
    """An expected failure whose text is one sentence for the user: what is wrong, what to do."""

    exit_code = 1


class InputError(BertFlowError, ValueError):
    """The user's input or usage is wrong (exit code 2)."""

    exit_code = 2


class InputTypeError(InputError, TypeError):
    """Something of a type that cannot be used, such as a number in place of a text."""


class NothingLeftError(InputError):
    """A calibrator that would leave nothing of the embeddings but rounding."""


class NotInvertibleError(InputError):
    """A calibrator that discards information was asked to go back; the text says what is lost."""


class ResourceError(BertFlowError, OSError):
    """The disk or the network failed (exit code 1)."""


class Cancelled(BertFlowError):
    """Long work was stopped on request; raised by the progress callback (exit code 130)."""

    exit_code = 130


_NO_MEMORY = re.compile(r"out of memory|allocate .*memory", re.IGNORECASE)


def is_out_of_memory(error: BaseException) -> bool:
    """Tell whether the memory was too small: torch and mmap say so in their text alone."""
    said = isinstance(error, RuntimeError | OSError) and _NO_MEMORY.search(str(error))
    return isinstance(error, MemoryError) or bool(said)


_FEWER = "take fewer sentences, layers or calibrators"
_FILE = "any file"

_OF_USERS: dict[tuple[int | str, ...], str] = {
    (errno.ENOENT, errno.ENOTDIR): "{where} does not exist: check the path",
    (errno.EISDIR,): "{where} is a folder: name a file",
    ("builtins.UnicodeDecodeError",): "a text is not UTF-8 ({why}): save it again as UTF-8",
    ("builtins.UnicodeEncodeError",): "a text cannot be written ({why}): set "
    "PYTHONIOENCODING=utf-8, or take the character out",
    ("pyarrow.ArrowException",): "a parquet file is damaged or of another kind ({why}): write it "
    "again",
    ("safetensors.SafetensorError",): "a .safetensors file is damaged or cut ({why}): save or "
    "fetch it again",
}
_OF_RESOURCES: dict[tuple[int | str, ...], str] = {
    (errno.ENOSPC, errno.EDQUOT, errno.EFBIG): "{where} cannot be written ({why}): free some space",
    (errno.EACCES, errno.EPERM, errno.EROFS): "{where} may not be used ({why}): change its rights "
    "or choose another place",
    (errno.EMFILE, errno.ENFILE): "too many files are open at once ({why}): end other programs or "
    "raise `ulimit -n`",
    (errno.EIO,): "{where} cannot be read or written ({why}): check the disk",
    (_FILE,): "{where} cannot be used ({why}): choose another name or place",
    ("builtins.ConnectionError", "builtins.TimeoutError", "socket.gaierror"): "the network failed "
    "({why}): check the connection and try again",
    ("concurrent.BrokenProcessPool",): "a process of this work was ended, perhaps for want of "
    f"memory: {_FEWER}",
    ("httpx2.ConnectError", "httpx2.ConnectTimeout"): "the hub cannot be reached (no network?): "
    "connect once",
    ("httpx2.TimeoutException",): "the hub did not answer in time: try again, or set "
    "HF_HUB_DOWNLOAD_TIMEOUT to more seconds",
    ("httpx2.TransportError",): "the hub's answer did not arrive whole: ask again (what arrived is "
    "kept)",
    ("huggingface_hub.HfHubHTTPError",): "the hub refused or has a fault: try again in some "
    "minutes",
    ("huggingface_hub.LocalEntryNotFoundError", "huggingface_hub.OfflineModeIsEnabled"): "not all "
    "of it is in the local cache and HF_HUB_OFFLINE forbids to ask: unset it once",
}
_KNOWN: dict[int | str, tuple[type[BertFlowError], str]] = {
    key: (kind, said)
    for kind, table in ((InputError, _OF_USERS), (ResourceError, _OF_RESOURCES))
    for keys, said in table.items()
    for key in keys
}
"""What the system refuses, by number, and what libraries raise, by package and class.

A class stands for those derived from it too; as it is named, no library is imported for it.
"""


def explain(error: BaseException) -> BertFlowError | None:
    """Return the error that tells the user what is wrong and what to do; None where it is unknown.

    An error whose text is such a sentence already is returned itself.
    """
    if isinstance(error, BertFlowError):
        return error
    if is_out_of_memory(error):
        return ResourceError(f"the memory is too small: {_FEWER}")
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
    """Return a clause that offers the names nearest to `name`, or all of them if none is near."""
    choices = tuple(choices)
    close = get_close_matches(name, choices, n=at_most, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(map(shortened, close)) + "?"
    return "expected one of " + _joined([shortened(choice) for choice in choices])


def listed(names: Collection[str]) -> str:
    """Join `names` for a sentence; beyond twenty, say how many more there are."""
    return _joined([quoted(str(name)) for name in names])


def _joined(names: list[str]) -> str:
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return ", ".join(names[:MAX_LISTED]) + more


def check_name(name: str, names: Collection[str], what: str) -> None:
    """Refuse a `name` that is not among `names`; `what` is the noun of the sentence."""
    check_type(name, str, what, "a name, as text")
    if name not in names:
        raise InputError(f"unknown {what} {quoted(name)}: {nearest(name, names)}")


def check_type(value: object, kinds: type | tuple[type, ...], what: str, expected: str) -> None:
    """Refuse a value of another type; `expected` says in words what `what` must be."""
    if not isinstance(value, kinds):
        raise wrong_type(value, what, expected)


def wrong_type(value: object, what: str, expected: str) -> InputTypeError:
    """Return the error about a value of another type than expected."""
    kind = "" if value is None else f" ({type(value).__name__})"
    text = " ".join(quoted(value).split())
    return InputTypeError(f"{what} must be {expected}, got {text}{kind}")


def check_list(values: object, what: str) -> None:
    """Refuse what is no list of things in order: one text, one thing, a set or a mapping."""
    if isinstance(values, str):
        raise InputTypeError(
            f"expected a list of {what}, got the one text {quoted(values)}: put it in a list"
        )
    if not isinstance(values, Collection) or isinstance(values, bytes | Set | Mapping):
        raise wrong_type(values, what, "in a list")


def choose(kind: type[Choice], value: str, what: str) -> Choice:
    """Convert `value` into a member of `kind`."""
    try:
        return kind(value)
    except ValueError:
        raise InputError(
            f"unknown {what} {quoted(value)}: expected one of {listed(list(kind))}"
        ) from None
