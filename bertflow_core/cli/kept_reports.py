"""What a command wrote before, kept so that the same question is answered at once.

The same question is one of the same recipes, by the same code, on the same machine, with the same
encoder on the same data: all of it is looked at each time, and only then is nothing embedded or
fitted.
"""

import hashlib
import json
import platform
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from bertflow_core.cli.console import say
from bertflow_core.errors import ResourceError
from bertflow_core.experiment import Data, Lab
from bertflow_core.files import BoundedFolder, resource, resource_names
from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe
from bertflow_core.store import EmbeddingStore

__all__ = ["REPORTS", "kept_or_made"]

REPORTS = "reports"
"""The folder in the store's."""

FORMAT = "bertflow-report-1"
_PACKAGE = Path(__file__).parents[1]
_MAX_TEXT, _MAX_BYTES, _MAX_ENTRIES = 1 << 19, 64 << 20, 256


def kept_or_made(
    make: Callable[[Lab], str],
    lab: Lab,
    recipes: Sequence[Recipe],
    *choices: str,
    progress: Progress,
) -> str:
    """Return what a command writes: what was kept of the same question, or made and then kept.

    A text that was kept is one that the command wrote, with the seconds that were measured then;
    that is said on standard error. Where nothing is to be kept, or the vectors come without a
    network and are read at once, it is made each time.

    Args:
        make: Makes it; its lab has the data loaded.
        lab: Where data and embeddings are kept, and what computes.
        recipes: What is asked, all on one data set.
        choices: What else decides the text, such as its form.
        progress: Called with `(done, total, unit)` while a model is fetched.

    Raises:
        InputError: Data or a model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    recipe = recipes[0]
    if recipe.is_static or not isinstance(lab.store, EmbeddingStore):
        return make(lab)
    data = lab.load(recipe)
    key = _key(lab, data, recipes, choices, progress)
    root = lab.store.root / REPORTS
    folder = BoundedFolder(root, FORMAT, limit_bytes=_MAX_BYTES, max_entries=_MAX_ENTRIES)
    kept, _ = folder.get(key) or ({}, {})
    if _is_text(kept.get("text")):
        say(f"measured on {kept.get('made')} and kept; --no-store measures anew")
        return str(kept["text"])
    text = make(replace(lab, tables={**lab.tables, recipe.dataset: data}))
    if len(text) <= _MAX_TEXT and _is_text(text):
        with suppress(ResourceError):  # a disk that refuses costs no result: the text is there
            folder.put(key, {"text": text, "made": time.strftime("%Y-%m-%d at %H:%M %Z")}, {})
    return text


def _key(
    lab: Lab, data: Data, recipes: Sequence[Recipe], choices: Sequence[str], progress: Progress
) -> str:
    """Return the name of a question: SHA-256 of all that decides what is written."""
    pairs, corpus = data
    of_layers = {recipe.layers: recipe for recipe in recipes}
    encoders = [lab.encoder(each, progress=progress).description for each in of_layers.values()]
    question = [
        [FORMAT, _code(), platform.node(), lab.device, *choices],
        [recipe.fingerprint() for recipe in recipes],
        encoders,
        [pairs.fingerprint, pairs.name, pairs.provenance.to_dict()],
        [corpus.fingerprint, corpus.description, corpus.share],
        [source.to_dict() for source in corpus.sources],
    ]
    return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()


def _is_text(kept: object) -> bool:
    """Tell whether this is text that no terminal takes for orders: others may share the folder."""
    return isinstance(kept, str) and kept.replace("\n", "").isprintable()


def _code() -> str:
    """Return SHA-256 of modules and packaged data: where one has changed, all is made anew."""
    digest = hashlib.sha256()
    for source in sorted(_PACKAGE.rglob("*.py")):
        digest.update(source.read_bytes())
    for name in resource_names(".json"):
        digest.update(resource(name).read_bytes())
    return digest.hexdigest()
