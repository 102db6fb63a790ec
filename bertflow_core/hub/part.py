"""A large file of the hub that goes on where it broke off, in another process too.

The hub's own client begins a file again in each call. Here it grows as a `.part` file in the hub's
cache, named by the SHA-256 that the hub announced, and gets its name when its digest is that one.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout
from huggingface_hub.file_download import http_get
from huggingface_hub.utils._headers import build_hf_headers
from tqdm import tqdm

from bertflow_core.hub.watch import Watch

__all__ = ["SILENT", "grow", "name_part"]

SILENT = partial(tqdm, disable=True)
_WAIT = 0.2


def grow(url: str, blob: Path, size: int, watch: Watch) -> None:
    """Fetch what is missing of a file into `blob`'s part; nothing where `blob` is there.

    Args:
        url: Of the file.
        blob: Where it will be.
        size: Its bytes, as announced.
        watch: The visit.

    Raises:
        Exception: What the client's HTTP library lets through; what arrived is kept.
        OSError: The disk refused, or more or fewer bytes came than were announced.
    """
    if blob.exists():
        return
    blob.parent.mkdir(parents=True, exist_ok=True)
    part = _part_of(blob)
    with _alone(part, watch), part.open("r+b" if part.exists() else "w+b") as stream:
        if stream.seek(0, 2) > size:
            stream.truncate(0)
            stream.seek(0)
        http_get(
            url,
            stream,
            resume_size=stream.tell(),
            headers=build_hf_headers(),
            expected_size=size,
            tqdm_class=SILENT,  # type: ignore[arg-type]  # it is only called, as a class is
        )


def name_part(blob: Path) -> bool:
    """Give a whole part its name; False, and the part is gone, where its digest is another."""
    part = _part_of(blob)
    if blob.exists():
        return True
    with part.open("rb") as stream:
        is_same = hashlib.file_digest(stream, "sha256").hexdigest() == blob.name
    if is_same:
        part.replace(blob)
    else:
        part.unlink()
    return is_same


def _part_of(blob: Path) -> Path:
    return blob.with_name(f"{blob.name}.part")


@contextmanager
def _alone(part: Path, watch: Watch) -> Iterator[None]:
    """Wait until no other process writes this part."""
    lock = FileLock(part.with_name(f"{part.name}.lock"))
    while True:
        watch.check()
        try:
            lock.acquire(timeout=_WAIT)
            break
        except Timeout:
            continue
    try:
        yield
    finally:
        lock.release()
