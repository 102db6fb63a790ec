"""Remove the server's paths, which errors quote, from texts for visitors."""

import logging
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bertflow_core.datasets.locations import DATA_VARIABLE
from bertflow_core.errors import BertFlowError, InputError, explain
from bertflow_core.runtime.files import cache_folder

_FOLDERS = re.compile(r"(?<![\w/.~])/(?:[^'\"\n/]+/)+")


def explained(error: Exception) -> BertFlowError | None:
    """Return an error as a visitor may read it; None for an unexpected one, which is logged.

    Paths of the system or of a library are shortened to their last part.
    """
    known = explain(error)
    if known is None or known is error:
        return known
    logging.getLogger("bertflow_app").warning("told as: %s", known, exc_info=error)
    return type(known)(_FOLDERS.sub("", str(known)))


def without_folders(text: str) -> str:
    """Replace the paths of the server's folders in a text by names."""
    names = {form: name for path, name in _folders() for form in (path, str(Path(path).resolve()))}
    for path in sorted(names, key=len, reverse=True):
        if len(path) > 1:  # the home folder may be the root of the disk
            text = re.sub(re.escape(path) + r"(?![\w-])", names[path], text)
    return text


def _folders() -> Iterator[tuple[str, str]]:
    if data := os.environ.get(DATA_VARIABLE):
        yield data, "the data folder"
    try:
        yield str(cache_folder()), "the cache"
    except InputError:
        yield os.environ["BERTFLOW_CACHE"], "the cache"
    for variable in ("HF_HOME", "HF_HUB_CACHE"):
        if models := os.environ.get(variable):
            yield models, "the model cache"
    yield tempfile.gettempdir(), "the temporary folder"
    yield sys.prefix, "the program"
    yield os.path.expanduser("~"), "~"
