"""Profiles, the JSON of `bertflow-lab analyse thresholds`, and the vectors they apply to.

A profile has a list `thresholds`, or one for each of its `models`. An entry names the recipe of the
vectors and their calibrator, and holds the SHA-256 of the sentences, quantiles of the cosines of
their random pairs, the threshold, the rate of random pairs above it, and the intervals of both. If
the data have gold scores or labels, `scored` has the precision and the recall of the threshold.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import Corpus, RawFile
from bertflow_core.errors import InputError, listed
from bertflow_core.lab.recipe import OF_PLAIN, Recipe
from bertflow_core.runtime.files import read_file
from bertflow_core.wording import quoted

Threshold = dict[str, Any]

_OF_VECTORS = (
    *("model", "revision", "layers", "max_length", *OF_PLAIN),
    *("template", "query_template", "precision"),
)
_OWNER = (*_OF_VECTORS, "pooling", "calibrator", "fit_corpus", "seed")
_MAX_BYTES = 10_000_000
_FROM = "expected a file from `bertflow-lab analyse thresholds --format json`"


def owner_of(recipe: Recipe, corpus: Corpus) -> Threshold:
    """Return what a threshold is valid for: the choices that decide the calibrated vectors."""
    spec = recipe.spec
    return {
        **{name: getattr(recipe, name) for name in _OF_VECTORS},
        "pooling": recipe.tokens,
        "calibrator": spec,
        "fit_corpus": corpus.fingerprint if spec != BASELINE else None,
        "seed": recipe.seed if spec.takes_seed else None,
    }


def read_thresholds(path: Path) -> list[Threshold]:
    """Return the thresholds of a profile of at most 10 MB.

    Raises:
        InputError: The file holds none, or one of them is wrong.
    """
    text, found = RawFile(path.name, read_file(path, _MAX_BYTES)).text(), []
    with suppress(ValueError, TypeError, AttributeError, RecursionError):
        document = json.loads(text)
        parts = (document, *document.get("models", {}).values())
        found = [each for part in parts for each in part.get("thresholds", ())]
    if not found:
        raise InputError(f"{quoted(path)} holds no thresholds: {_FROM}")
    for i, each in enumerate(found, 1):
        if fault := _fault(each):
            raise InputError(f"threshold {i} of {quoted(path)} {fault}: {_FROM}")
    return found


def _fault(each: object) -> str:
    """Say what is wrong with an entry; empty if it can be used."""
    if not isinstance(each, dict):
        return f"is {quoted(each)}, not an object"
    if missing := [name for name in (*_OWNER, "threshold", "rate", "interval") if name not in each]:
        return f"has no {listed(missing)}"
    for name in _OWNER:
        if not isinstance(each[name], str | int | None):
            return f"has the {name} {quoted(each[name])}, neither a text nor a whole number"
    ends = each["interval"]
    if not _is_number(each["threshold"], -1):
        return f"is {quoted(each['threshold'])}, not a number from -1 to 1"
    if not _is_number(each["rate"], 0):
        return f"has the rate {quoted(each['rate'])}, not a number from 0 to 1"
    is_pair = isinstance(ends, list) and len(ends) == 2 and all(_is_number(e, 0) for e in ends)
    if not (is_pair and ends[0] <= ends[1]):
        return f"has the interval {quoted(ends)}, not two numbers from 0 to 1 in rising order"
    return ""


def _is_number(value: object, low: int) -> bool:
    """Tell whether a value is a number from `low` to 1; NaN and True are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= 1


def _under(found: Sequence[Threshold], spec: str, file: str | Path) -> list[Threshold]:
    """Return the thresholds of a file under a calibrator; refuse a file without one."""
    same = [threshold for threshold in found if threshold["calibrator"] == spec]
    if not same:
        specs = dict.fromkeys(threshold["calibrator"] for threshold in found)
        raise InputError(
            f"{quoted(file)} holds no threshold under {spec}: choose a calibrator that it has, "
            f"{listed(specs)}"
        )
    return same


def carried_from(found: Sequence[Threshold], owner: Threshold, file: str | Path) -> Threshold:
    """Return the threshold of another model under the calibrator of `owner`, at its layers if any.

    Raises:
        InputError: The file has none, or those of several models.
    """
    same = _under(found, owner["calibrator"], file)
    models = dict.fromkeys(each["model"] for each in same)
    if len(models) > 1:
        raise InputError(
            f"{quoted(file)} holds thresholds of {listed(models)}: choose a profile of one model"
        )
    return next((each for each in same if each["layers"] == owner["layers"]), same[0])


def threshold_of(found: Sequence[Threshold], owner: Threshold, file: str | Path) -> Threshold:
    """Return the threshold of a file that belongs to `owner`.

    Raises:
        InputError: No threshold of the file belongs to it.
    """
    same = _under(found, owner["calibrator"], file)
    for threshold in same:
        if owner.items() <= threshold.items():
            return threshold
    nearest = max(same, key=lambda each: sum(each[name] == owner[name] for name in owner))
    name = next(name for name in owner if nearest[name] != owner[name])
    raise InputError(
        f"{quoted(file)} belongs to {name} {quoted(nearest[name])}, not {quoted(owner[name])}: "
        "convert the threshold by equal percentile with `bertflow-lab analyse thresholds "
        "--carried`"
    )
