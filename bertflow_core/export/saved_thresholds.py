"""The JSON of `bertflow-lab analyse thresholds`: thresholds and the vectors they belong to."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bertflow_core.calibrators.registry import BASELINE, takes_seed
from bertflow_core.datasets import Corpus, RawFile
from bertflow_core.errors import InputError
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import quoted

Threshold = dict[str, Any]

_OF_VECTORS = (
    *("model", "revision", "layers", "max_length", "prompt", "template", "truncate_dim"),
    "precision",
)
_SAME = (*_OF_VECTORS, "pooling", "calibrator", "fit_corpus", "seed")


def owner_of(recipe: Recipe, spec: str, corpus: Corpus) -> Threshold:
    """Return the owner of a threshold: the vectors and their calibration."""
    return {
        **{name: getattr(recipe, name) for name in _OF_VECTORS},
        "pooling": recipe.tokens,
        "calibrator": spec,
        "fit_corpus": corpus.fingerprint if spec != BASELINE else None,
        "seed": recipe.seed if takes_seed(spec) else None,
    }


def read_thresholds(path: Path) -> list[Threshold]:
    """Return the thresholds of a file.

    Raises:
        InputError: The file holds none.
    """
    text = RawFile.of(path).text()
    try:
        found: list[Threshold] = json.loads(text)["thresholds"]
        numbers = [float(each[name]) for each in found for name in ("threshold", "rate")]
        intervals = [[float(end) for end in each["interval"]] for each in found]
        is_one = {*_SAME} <= set.intersection(*map(set, found)) and -1 <= min(numbers)
        if is_one and max(numbers) <= 1 and {*map(len, intervals)} == {2}:
            return found
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise InputError(
        f"{quoted(path)} holds no thresholds: expected a file from `bertflow-lab analyse "
        "thresholds --format json`"
    )


def threshold_of(found: Sequence[Threshold], owner: Threshold, file: str | Path) -> Threshold:
    """Return the threshold of a file that belongs to `owner`.

    Raises:
        InputError: No threshold of the file belongs to it.
    """
    for threshold in found:
        if owner.items() <= threshold.items():
            return threshold
    nearest = max(found, key=lambda each: sum(each[name] == owner[name] for name in owner))
    name = next(name for name in owner if nearest[name] != owner[name])
    raise InputError(
        f"{quoted(file)} belongs to {name} {quoted(nearest[name])}, not {quoted(owner[name])}: "
        "convert the threshold by equal percentile with `bertflow-lab analyse thresholds "
        "--carried`"
    )
