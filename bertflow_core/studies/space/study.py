"""The studies `sentences`, `layers` and `spectrum`: one table of measures, three views of it."""

from collections.abc import Iterator, Sequence
from typing import Any

from bertflow_core.analysis.measures import BY_LAYER, MEASURES
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.report import Column, Row, Table
from bertflow_core.studies.space.measure import SpaceRecipe, measured
from bertflow_core.studies.space.pictures import layer_pictures, space_pictures, spectrum_pictures
from bertflow_core.study import Part as Told
from bertflow_core.study import Specs, study

__all__ = ["layers", "measure_table", "sentences", "spectrum"]

_PLACE = ("layers", "calibrator")
_SPECTRUM = ("rank", "effective_rank", "participation_ratio")
_SHARES = tuple(name for name in MEASURES if name.endswith("_share"))
_DECLARED: dict[str, Any] = {
    "calibrators": ("identity", "flow"),
    "layers": True,
    "without": ("aggregation",),
}


def _columns(*names: str) -> tuple[Column, ...]:
    measures = (MEASURES[name] for name in names)
    return (
        *map(Column, _PLACE),
        *(Column(each.name, format=each.format, help=each.label) for each in measures),
    )


@study("sentences", SpaceRecipe, _columns(*BY_LAYER), title="How do sentences fill their space?",
       figures=space_pictures, **_DECLARED)  # fmt: skip
def sentences(recipe: SpaceRecipe, lab: Lab, calibrators: Specs, layers: Specs) -> Iterator[Told]:
    """Measure every space."""
    yield from _with_table(measured(recipe, lab, calibrators, layers, recipe.measured))


@study("layers", SpaceRecipe, _columns(*BY_LAYER), every_layer=True, figures=layer_pictures,
       title="How do sentences fill the space of each layer?", **_DECLARED)  # fmt: skip
def layers(recipe: SpaceRecipe, lab: Lab, calibrators: Specs, layers: Specs) -> Iterator[Told]:
    """Measure every space, layer by layer."""
    yield from _with_table(measured(recipe, lab, calibrators, layers, recipe.measured))


@study("spectrum", Recipe, _columns(*_SPECTRUM, *_SHARES), figures=spectrum_pictures,
       title="How is the variance spread over directions?", **_DECLARED)  # fmt: skip
def spectrum(recipe: Recipe, lab: Lab, calibrators: Specs, layers: Specs) -> Iterator[Told]:
    """Measure the singular spectrum of every space."""
    parts = SpaceRecipe(parts="cloud").measured
    yield from measured(recipe, lab, calibrators, layers, parts)


def _with_table(parts: Iterator[Told]) -> Iterator[Told]:
    rows = []
    for part in parts:
        yield part
        if isinstance(part, dict) and "calibrator" in part:
            rows.append(part)
    yield measure_table(rows)


def measure_table(rows: Sequence[Row]) -> Table:
    """Return one row per measure, with one column per space."""
    several = len({row["layers"] for row in rows}) > 1  # named once, calibrators fit side by side
    spaces = {" ".join(row[key] for key in _PLACE[not several :]): row for row in rows}
    found = [
        {"measure": each.label, **{name: each.text(row[each.name]) for name, row in spaces.items()}}
        for each in MEASURES.values()
        if each.name in rows[0]
    ]
    return Table([Column("measure"), *map(Column, spaces)], found, title="every measure")
