"""Numbers that ship with the package: published rows with their recipes, and our results."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets.corpus import is_part
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.shipped import resource

ONE_SUBSET = frozenset({"stsb", "sickr", "qnli"})
"""Data sets without subsets, where every aggregation gives the same number."""


@dataclass(frozen=True)
class PublishedRow:
    """A row of a published table; None marks a field that is unknown or does not apply."""

    source: str  # where it was printed
    url: str
    table: str  # the table's number in the source; empty where tables have none
    label: str  # the method as printed
    model: str | None  # by its name in the catalogue
    layers: str | None
    tokens: str | None
    calibrator: str | None
    fit_on: str | None  # `target`, `train` or `nli` (all of SNLI and MNLI)
    split: str
    aggregation: str | None  # of the data sets with subsets
    values: Mapping[str, float]  # the metric x 100 by data set
    note: str  # what a reader should know
    max_length: int | None = None
    metric: str = "rho"  # or `auc`

    @property
    def citation(self) -> str:
        """Source and table, for a caption."""
        return f"{self.source}, Table {self.table}" if self.table else self.source


@cache
def published_rows() -> tuple[PublishedRow, ...]:
    """Return every published row that ships with the package, in the order of the sources."""
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
    row: PublishedRow, dataset: str, protocol: Recipe, fitted_on: str = ""
) -> str | None:
    """Say why a published number cannot be compared under a protocol; None if it can.

    Two rows are comparable if they share split, aggregation, fit corpus and maximum length; encoder
    and calibrator may differ. An unknown length is ignored. `fitted_on` describes the fit corpus
    and shows whether only a part of it was used.
    """
    split, aggregation, fit_on = protocol.split, protocol.aggregation, protocol.fit_on
    if row.split != split:
        return f"published on the {row.split} split, here {split}"
    if dataset not in ONE_SUBSET and row.aggregation != aggregation:
        return f"published as {row.aggregation or 'an unknown aggregation'}, here {aggregation}"
    if row.fit_on is not None and row.fit_on != fit_on:
        return f"fitted on {row.fit_on}, here on {fit_on}"
    if row.fit_on is not None and is_part(fitted_on):
        return f"fitted on all of {row.fit_on}, here on a part of it"
    if row.max_length not in (None, protocol.max_length):
        return f"published at {row.max_length} tokens at most, here {protocol.max_length}"
    return None


def numbers_beside(dataset: str, protocol: Recipe, fitted_on: str) -> list[dict[str, Any]]:
    """Return the published numbers of a data set, and why each cannot be compared, if so.

    The comparable ones come first, the highest of them at the top.
    """
    rows = [
        {
            "source": row.citation,
            "method": row.label,
            "dataset": dataset,
            "value": row.values[dataset],
            "why not comparable": why_not_comparable(row, dataset, protocol, fitted_on) or "",
            "note": row.note,
        }
        for row in published_rows()
        if dataset in row.values
    ]
    return sorted(rows, key=lambda row: (row["why not comparable"] != "", -row["value"]))


@dataclass(frozen=True)
class TrackedResult:
    """One calibrator's numbers, as they ship with the package."""

    recipe: Recipe
    n_pairs: int
    rho: float  # over all pairs
    random_cosine: float
    similarity: FloatArray  # cosine of each pair, shape (N,); (0,) if it was not stored

    @property
    def spec(self) -> str:
        """The calibrator."""
        return self.recipe.calibrator

    @property
    def label(self) -> str:
        """The vectors and their calibrator, as text."""
        return f"{self.recipe.vectors}, {self.spec}"


def tracked_results(name: str) -> tuple[TrackedResult, ...]:
    """Return the results that `bertflow-lab evaluate --format json` wrote to results/NAME.json.

    The plain output comes first.
    """
    return tuple(
        TrackedResult(
            recipe=Recipe.from_dict(result["recipe"]),
            n_pairs=result["n_pairs"],
            rho=result["spearman"]["all"],
            random_cosine=result["random_cosine"],
            similarity=np.array(result.get("similarity", [])),
        )
        for result in _tracked(name)["rows"]
    )


def tracked_command(name: str) -> str:
    """Return the command that wrote results/NAME.json."""
    command: str = _tracked(name)["command"]
    return command


def _tracked(name: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(resource(f"results/{name}.json").read_text("utf-8"))
    return report
