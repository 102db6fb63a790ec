"""What the system and libraries raise in the middle of work, and what a user must read of it."""

import errno
import os
import socket
from concurrent.futures.process import BrokenProcessPool

import httpx2 as httpx
import pytest
from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled
from pyarrow import ArrowInvalid
from safetensors import SafetensorError

from bertflow_core.errors import BertFlowError, InputError, ResourceError


def system(number: int, file: str | None = "mine.npy") -> OSError:
    """Return what the system raises about a file."""
    return OSError(number, os.strerror(number), *([file] if file else []))


def _known(
    name: str, error: Exception, kind: type[BertFlowError], *words: str
) -> "pytest.ParameterSet":
    return pytest.param(error, kind, words, id=name)


REFUSED = HfHubHTTPError(
    "no", response=httpx.Response(500, request=httpx.Request("GET", "http://h"))
)
KNOWN = [
    _known("memory", MemoryError(), ResourceError, "memory", "take fewer"),
    _known("torch's memory", RuntimeError("CUDA out of memory."), ResourceError, "take fewer"),
    _known("full", system(errno.ENOSPC), ResourceError, "'mine.npy'", "free some space"),
    _known("full, no name", system(errno.ENOSPC, None), ResourceError, "free some space"),
    _known("rights", system(errno.EACCES), ResourceError, "'mine.npy'", "rights"),
    _known("read-only", system(errno.EROFS), ResourceError, "'mine.npy'", "another place"),
    _known("missing", system(errno.ENOENT), InputError, "'mine.npy'", "check the path"),
    _known("a folder", system(errno.EISDIR), InputError, "'mine.npy'", "name a file"),
    _known("handles", system(errno.EMFILE), ResourceError, "ulimit"),
    _known("any other", system(errno.ENAMETOOLONG), ResourceError, "'mine.npy'", "another name"),
    _known("refused", ConnectionRefusedError(errno.ECONNREFUSED, "no"), ResourceError, "network"),
    _known("no address", socket.gaierror(-2, "unknown"), ResourceError, "network"),
    _known("no hub", httpx.ConnectError("no"), ResourceError, "reached", "connect"),
    _known("silent hub", httpx.ReadTimeout("no"), ResourceError, "in time", "TIMEOUT"),
    _known("cut", httpx.ReadError("no"), ResourceError, "whole", "ask again"),
    _known("hub's fault", REFUSED, ResourceError, "the hub", "try again"),
    _known("offline", OfflineModeIsEnabled("no"), ResourceError, "HF_HUB_OFFLINE", "unset"),
    _known("weights", SafetensorError("header too large"), InputError, "header too large", "again"),
    _known("parquet", ArrowInvalid("magic bytes"), InputError, "magic bytes", "write it again"),
    _known("bytes", UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"), InputError, "UTF-8"),
    _known("signs", UnicodeEncodeError("ascii", "\xfc", 0, 1, "no"), InputError, "PYTHONIO"),
    _known("a process", BrokenProcessPool("no"), ResourceError, "memory", "take fewer"),
]
