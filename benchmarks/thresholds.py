"""`python -m benchmarks.thresholds`: measure the thresholds of "Should I calibrate?".

Writes `data/thresholds.json`: every measurement, and each threshold with the rule that made it.
It needs `BERTFLOW_DATA` and takes about four minutes on two cores once everything is embedded, so
it is no part of `make bench`. Names of tables measure those again and keep the rest; `--derive`
measures nothing and applies the rules again.
"""

import argparse
import json
import os
import time
from collections.abc import Mapping, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bertflow_core.files import atomic_write

from .threshold_rules import Row, Tables, derive, facts, rounded

__all__ = ["main", "read_tables", "write"]

TARGET = Path(__file__).parent.parent / "data" / "thresholds.json"

_RECORDED = ("date", "versions", "recipe", "seconds")
_VERSIONS = ("bertflow-lab", "numpy", "scikit-learn", "scipy", "torch", "transformers")
_RULE = (
    "The cut of x with the least weight of measurements on the wrong side: below the level where "
    "they should be above it (weight `share` each) or above it where they should be below (weight "
    "1 - `share`), so that the chance of being above the level passes `share` there. Of equal cuts "
    "the middle one. 95 % interval, a rough one: 1,000 resamples of whole groups; none where more "
    "than 5 % of them have no cut. No value: no measurement would lie on one side."
)
_NOTES = (
    "One encoder, minilm with 384 features: the thresholds are not known to hold for others.",
    "Few spaces have a random cosine below 0.3, and all of them hold the last layer's mean: the "
    "cuts there rest on them.",
    "Gains are of Spearman's rho x 100 pooled over all test pairs, fitted on every split of the "
    "target (cone), on N of its sentences (size), on 2,500 sentences of a source (shift).",
    "Held-out variance and sentences a feature: N / D was measured at the values of the recipe "
    "alone, with N up to what a data set has. Below one sentence a feature whitening keeps N - 1 "
    "directions, and its gain is smaller but mostly positive; the trap is N near D.",
    "Shift: the AUC is of at most 2,000 sentences a side; sources were few, and nearly all unlike "
    "the target, so that between 0.65 and 0.78 nothing was measured.",
    "Accuracies are of scikit-learn's LogisticRegression with an L2 penalty: the genre of an STS-B "
    "sentence from u, an SNLI label from u, v and |u - v| (C = 1 alone). The genre is a hard case "
    "for removals: it lies along the corpus's leading direction, so that k = 1 costs 15 to 46 "
    "points, while directions of little variance cost next to nothing.",
    "Spaces: every layer and the averages last2 and first-last under each pooling (cone); layers 1 "
    "to 5 under mean (size, shift); layers 2, 4 and 6 under mean (probe).",
)


def write(path: Path, tables: Tables, recorded: Mapping[str, Any]) -> None:
    """Write measurements, thresholds and what they depend on, whole or not at all."""
    found = {
        **{key: recorded[key] for key in _RECORDED},
        "rule": _RULE,
        "notes": list(_NOTES),
        "thresholds": derive(tables),
        "facts": facts(tables),
    }
    head = json.dumps(found, indent=2, allow_nan=False).removesuffix("\n}")
    body = ",\n".join(f'    "{name}": {_compact(rows)}' for name, rows in tables.items())
    with atomic_write(path) as scratch:
        text = f'{head},\n  "measurements": {{\n{body}\n  }}\n}}\n'
        scratch.write_text(text, encoding="utf-8")


def read_tables(path: Path = TARGET) -> tuple[dict[str, list[dict[str, Any]]], dict[str, Any]]:
    """Return the measurements of a file, and what they depend on."""
    found = json.loads(path.read_text(encoding="utf-8"))
    tables = {
        name: [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
        for name, table in found["measurements"].items()
    }
    return tables, {key: found[key] for key in _RECORDED}


def main() -> None:
    """Measure, derive and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thresholds", description=__doc__)
    parser.add_argument("tables", nargs="*", help="measure only these; all by default")
    parser.add_argument("--derive", action="store_true", help="only apply the rules again")
    options = parser.parse_args()
    kept, recorded = read_tables() if options.derive or options.tables else ({}, {"seconds": {}})
    if not options.derive:
        os.environ["HF_HUB_OFFLINE"] = "1"
        _measure(options.tables, kept, recorded)
    write(TARGET, kept, recorded)


def _measure(
    names: Sequence[str], tables: dict[str, list[dict[str, Any]]], recorded: dict[str, Any]
) -> None:
    """Put measurements, by default all, and what they depend on into the two mappings."""
    from .threshold_measures import MEASURES

    for name in names or MEASURES:
        start = time.perf_counter()
        tables[name] = [rounded(row) for row in MEASURES[name]()]
        recorded["seconds"][name] = round(time.perf_counter() - start)
        print(f"{name}: {len(tables[name])} measurements in {recorded['seconds'][name]} s")
    recorded["date"] = date.today().isoformat()
    recorded["versions"] = {name: version(name) for name in _VERSIONS}
    recorded["recipe"] = _recipe()


def _recipe() -> dict[str, Any]:
    from bertflow_core.recipe import Recipe

    from .threshold_measures import CALIBRATORS, PROBED, SHIFT_ROWS, SIZES, SOURCES
    from .threshold_spaces import DATASETS

    recipe = Recipe()
    return {
        "model": recipe.model,
        "max_length": recipe.max_length,
        "precision": recipe.precision,
        "seed": recipe.seed,
        "aggregation": recipe.aggregation,
        "datasets": list(DATASETS),
        "sources": list(SOURCES),
        "calibrators": list(CALIBRATORS),
        "sentences_a_feature": list(SIZES),
        "sentences_of_a_source": SHIFT_ROWS,
        "probed": list(PROBED),
    }


def _compact(rows: Sequence[Row]) -> str:
    """Return a table as columns and rows, a line a row."""
    columns = list(rows[0])
    lines = ",\n".join(
        f"      {json.dumps([row[c] for c in columns], allow_nan=False)}" for row in rows
    )
    return f'{{\n      "columns": {json.dumps(columns)},\n      "rows": [\n{lines}\n    ]}}'


if __name__ == "__main__":
    main()
