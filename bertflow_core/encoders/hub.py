"""A model's files from the Hugging Face hub."""

from collections.abc import Iterable
from pathlib import Path

from bertflow_core.encoders.model_folder import USED_SUFFIXES
from bertflow_core.hub import Repository, fetch
from bertflow_core.progress import Progress

__all__ = ["fetch_model"]

_MOST_BYTES = 32 << 30
_IN_OTHER_FOLDERS = ("[!0-9]*/*", "*/*/*")
"""Beside the files at the top only those of numbered modules are read, such as 1_Pooling."""

_OTHERWISE = "or choose the model minilm, which is embedded"


def fetch_model(
    hub_id: str, revision: str | None, *, known: Iterable[str], progress: Progress
) -> Path:
    """Return the hub's snapshot folder, which is named by its commit.

    Of the files that loading reads, those that the hub's cache lacks are fetched. While the hub
    fails, a model that the cache holds is taken from there.

    Args:
        hub_id: Repository, such as `org/model`.
        revision: Branch, tag or commit; None is the main branch.
        known: Names to offer where the hub has no such model.
        progress: Called with megabytes of what is fetched; may raise `Cancelled`.

    Raises:
        InputError: No such model or revision, no right to it, or one of more than 32 GiB.
        ResourceError: The disk or the network failed, or a file is not what was announced.
    """
    repository = Repository(
        hub_id, revision, "model", _MOST_BYTES, known=known, otherwise=_OTHERWISE
    )
    used = [f"*{suffix}" for suffix in USED_SUFFIXES]
    return fetch(repository, used, ignored=_IN_OTHER_FOLDERS, progress=progress)
