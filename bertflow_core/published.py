"""Numbers that ship with the package: published ones under their recipe fields, and own ones."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np

from bertflow_core.datasets.fit_on import is_part
from bertflow_core.files import resource
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import PLAIN, Recipe

ONE_SUBSET = frozenset({"stsb", "sickr", "qnli"})
"""Data sets without subsets, where every aggregation gives the same number."""


@dataclass(frozen=True)
class PublishedRow:
    """A printed row of a table; None is a field that is not known or does not apply.

    Attributes:
        source: Where it was printed.
        url: Where to read it.
        table: The table's number there; empty on a page without numbers.
        label: The method as printed.
        model: The encoder, by its name in the catalogue.
        layers: Layer set.
        tokens: Token pooling.
        max_length: Longest input in tokens.
        calibrator: Spec.
        fit_on: Fit corpus: `target`, `train`, or `nli`, all of SNLI and MNLI.
        split: Split that was scored.
        aggregation: Of the data sets with subsets.
        values: The metric x 100 by data set.
        note: What a reader should know.
        metric: What `values` are: `rho`, Spearman's, or `auc`.
    """

    source: str
    url: str
    table: str
    label: str
    model: str | None
    layers: str | None
    tokens: str | None
    calibrator: str | None
    fit_on: str | None
    split: str
    aggregation: str | None
    values: Mapping[str, float]
    note: str
    max_length: int | None = None
    metric: str = "rho"

    @property
    def citation(self) -> str:
        """Source and table, for a caption."""
        return f"{self.source}, Table {self.table}" if self.table else self.source


@cache
def published_rows() -> tuple[PublishedRow, ...]:
    """Return every published row that ships with the package, in the order of its source."""
    file = json.loads(resource("published.json").read_text(encoding="utf-8"))
    return tuple(_row(values, file["sources"]) for values in file["rows"])


@cache
def printed_table(number: int) -> dict[str, Any]:
    """Return a table of Li et al. (2020) as it was printed, with a `citation` for captions."""
    text = resource(f"published_table{number}.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    source = table["source"]
    return {**table, "citation": f"{source['title']}, Table {source['table']}"}


def _row(values: dict[str, Any], sources: Mapping[str, Mapping[str, str]]) -> PublishedRow:
    source = sources[values["source"]]
    names = {field.name for field in fields(PublishedRow)}
    shared = {"source": source["title"], "url": source["url"]}
    own = {name: value for name, value in values.items() if name in names - set(shared)}
    return PublishedRow(**{"max_length": source.get("max_length"), **own, **shared})


def why_not_comparable(
    row: PublishedRow,
    dataset: str,
    *,
    split: str,
    aggregation: str,
    fit_on: str,
    max_length: int,
    fitted_on: str = "",
) -> str | None:
    """Say why a published number cannot be compared under a protocol; None where it can.

    The encoder and the calibrator are what a row is about; split, aggregation, fit corpus and
    maximum length decide whether two rows can be compared at all. A length that is not known does
    not. `fitted_on` is the description of the fit corpus, which says where it is a part.
    """
    if row.split != split:
        return f"published on the {row.split} split, here {split}"
    if dataset not in ONE_SUBSET and row.aggregation != aggregation:
        return f"published as {row.aggregation or 'an unknown aggregation'}, here {aggregation}"
    if row.fit_on is not None and row.fit_on != fit_on:
        return f"fitted on {row.fit_on}, here on {fit_on}"
    if row.fit_on is not None and is_part(fitted_on):
        return f"fitted on all of {row.fit_on}, here on a part of it"
    if row.max_length is not None and row.max_length != max_length:
        return f"published at {row.max_length} tokens at most, here {max_length}"
    return None


@dataclass(frozen=True)
class TrackedResult:
    """One calibrator's numbers, computed before and shipped with the package.

    Attributes:
        recipe: What they depend on.
        n_pairs: Pairs that were scored.
        rho: Spearman's rho over all pairs.
        random_cosine: Mean cosine of random pairs.
        similarity: Cosine of each pair, shape (N,); of shape (0,) where it was not kept.
    """

    recipe: Recipe
    n_pairs: int
    rho: float
    random_cosine: float
    similarity: FloatArray

    @property
    def spec(self) -> str:
        """The calibrator."""
        return self.recipe.calibrator


def tracked_results(name: str) -> tuple[TrackedResult, ...]:
    """Return the results that `bertflow-lab evaluate --format json` wrote and the package ships.

    Args:
        name: Of the file in `data/results`, such as `teaching`.
    """
    rows = json.loads(resource(f"results/{name}.json").read_text(encoding="utf-8"))["rows"]
    return tuple(
        TrackedResult(
            recipe=Recipe.from_dict(result["recipe"]),
            n_pairs=result["n_pairs"],
            rho=result["spearman"]["all"],
            random_cosine=result["random_cosine"],
            similarity=np.array(result.get("similarity", [])),
        )
        for result in rows
        if result.get("vectors") != PLAIN
    )
