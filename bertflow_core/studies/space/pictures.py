"""The pictures of spaces, from a report's rows and curves."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from bertflow_core.analysis.judged import SCALES
from bertflow_core.analysis.measures import MEASURES
from bertflow_core.arrays.types import FloatArray
from bertflow_core.figures import (
    Figure,
    distance_histograms,
    likelihood_histograms,
    measures_by_layer,
    singular_spectra,
    verdict_bars,
)
from bertflow_core.report.report import Pictures, Report, Row

Curves = Mapping[str, Any]
"""Arrays that the pictures of a space draw; those that were not measured are missing.

`distances` to the 10th neighbour and `of_gaussian`, the same of comparable Gaussian points, have
shape (N,). `likelihoods` are those of held-out rows, samples and midpoints.
"""


def space_pictures(report: Report) -> Pictures:
    """Return every picture by name: those of each layer set and, for several, measures by layer."""
    places, curves = report.by("layers"), report.objects.get("curves", {})
    several = len(places) > 1
    found = {
        _name(name, layers * several, spec): draw
        for layers, rows in places.items()
        for name, spec, draw in _of_space(
            rows, {spec: each for (place, spec), each in curves.items() if place == layers}
        )
    }
    return {**found, **layer_pictures(report)} if several else found


def layer_pictures(report: Report) -> Pictures:
    """Return the picture of the measures over layer sets; empty if none is known."""
    rows = report.by("calibrator")
    panels = {
        measure.label: {spec: [row.get(name) for row in of] for spec, of in rows.items()}
        for name, measure in MEASURES.items()
        if any(row.get(name) is not None for row in report.rows)
    }
    draw = partial(measures_by_layer, panels, [*report.by("layers")])
    return {"measures_by_layer": draw} if panels else {}


def _name(*parts: str) -> str:
    """Return a file name without ending, in characters that every file system allows."""
    return "_".join(re.sub(r"[^A-Za-z0-9.=+_-]", "-", part) for part in parts if part)


def _of_space(
    rows: Sequence[Row], curves: Mapping[str, Curves]
) -> Iterator[tuple[str, str, Callable[[], Figure]]]:
    """Yield name, calibrator (empty if all) and drawing function of a layer set's pictures."""
    if verdicts := [*_verdicts(rows)]:
        yield "verdicts", "", partial(verdict_bars, verdicts)
    if spectra := _spectra(rows):
        yield "singular_spectra", "", partial(singular_spectra, spectra)
    near = {
        spec: {"sentences": each["distances"], "points of a Gaussian": each["of_gaussian"]}
        for spec, each in curves.items()
        if "distances" in each
    }
    if near:
        yield "neighbour_distances", "", partial(distance_histograms, near)
    for spec, each in curves.items():
        if each.get("likelihoods") is not None:
            yield "likelihoods", spec, partial(likelihood_histograms, each["likelihoods"])


def _spectra(rows: Sequence[Row]) -> dict[str, FloatArray]:
    return {
        row["calibrator"]: np.array(row["singular_values"])
        for row in rows
        if row.get("singular_values") is not None
    }


def _verdicts(rows: Sequence[Row]) -> Iterator[tuple[str, tuple[float, float], dict[str, Any]]]:
    """Yield the panel of each measure with verdicts, if it is known."""
    for name, scale in SCALES.items():
        values = {row["calibrator"]: row.get(name) for row in rows}
        bars = {spec: (v, scale.word(v)) for spec, v in values.items() if v is not None}
        if bars:
            yield f"{scale.title}: {MEASURES[name].label}", scale.ends, bars
