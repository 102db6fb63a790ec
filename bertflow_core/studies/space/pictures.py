"""The pictures of spaces, from a report's rows and curves."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from bertflow_core.analysis.gaussianity import Likelihoods
from bertflow_core.analysis.measures import BY_LAYER, JUDGED, MEASURES, SCALES, judged_value
from bertflow_core.figures import (
    Figure,
    distance_histograms,
    judged_bars,
    likelihood_histograms,
    measures_by_layer,
    norms_against_chi,
    singular_spectra,
)
from bertflow_core.linalg import FloatArray
from bertflow_core.report import Pictures, Report, Row


@dataclass(frozen=True, eq=False)
class Curves:
    """What pictures draw of a space beside its numbers; None where not measured."""

    distances: FloatArray | None = field(default=None, repr=False)  # to the 10th nearest, (N,)
    of_gaussian: FloatArray | None = field(default=None, repr=False)  # of points like them
    norms: FloatArray | None = field(default=None, repr=False)  # of held-out rows, shape (M,)
    likelihoods: Likelihoods | None = None  # log-densities of held-out rows, samples and midpoints


Named = Iterator[tuple[str, str, Callable[[], Figure]]]
"""Pictures of one layer set: what each shows, of which calibrator if of one, and what draws it."""


def space_pictures(report: Report) -> Pictures:
    """Return every picture by name: those of each layer set, and measures by layer if several."""
    found = _at_each_layer(report, _of_spaces)
    return {**found, **layer_pictures(report)} if len(report.by("layers")) > 1 else found


def spectrum_pictures(report: Report) -> Pictures:
    """Return the spectra of each layer set, relative to the largest value and absolute."""
    return _at_each_layer(report, _of_spectra)


def layer_pictures(report: Report) -> Pictures:
    """Return the picture of the `BY_LAYER` measures that are known over layer sets, if any is."""
    rows = report.by("calibrator")
    panels = {
        MEASURES[name].label: {spec: [row.get(name) for row in of] for spec, of in rows.items()}
        for name in BY_LAYER
        if any(row.get(name) is not None for row in report.rows)
    }
    draw = partial(measures_by_layer, panels, [*report.by("layers")])
    return {"measures_by_layer": draw} if panels else {}


def _at_each_layer(
    report: Report, pictures: Callable[[Sequence[Row], Mapping[str, Curves]], Named]
) -> Pictures:
    places, curves = report.by("layers"), report.live.get("curves", {})
    return {
        _name(what, layers if len(places) > 1 else "", spec): draw
        for layers, rows in places.items()
        for what, spec, draw in pictures(
            rows, {spec: each for (place, spec), each in curves.items() if place == layers}
        )
    }


def _name(*parts: str) -> str:
    """Return a file name without ending, in characters that every file system allows."""
    return "_".join(re.sub(r"[^A-Za-z0-9.=+_-]", "-", part) for part in parts if part)


def _of_spaces(rows: Sequence[Row], curves: Mapping[str, Curves]) -> Named:
    known = {name: {row["calibrator"]: judged_value(name, row) for row in rows} for name in JUDGED}
    if any(value is not None for values in known.values() for value in values.values()):
        yield "judged", "", partial(_judged, known)
    spectra = _spectra(rows)
    if spectra:
        yield "singular_spectra", "", partial(singular_spectra, spectra)
    norms = {s: each.norms for s, each in curves.items() if each.norms is not None and s in spectra}
    if norms:
        sizes = {spec: len(spectra[spec]) for spec in norms}
        yield "norms", "", partial(norms_against_chi, norms, sizes)
    near = {
        spec: {"sentences": each.distances, "points of a Gaussian": each.of_gaussian}
        for spec, each in curves.items()
        if each.distances is not None and each.of_gaussian is not None
    }
    if near:
        yield "neighbour_distances", "", partial(distance_histograms, near)
    for spec, each in curves.items():
        if each.likelihoods is not None:
            groups = each.likelihoods.groups()
            yield "likelihoods", spec, partial(likelihood_histograms, groups)


def _of_spectra(rows: Sequence[Row], _: Mapping[str, Curves]) -> Named:
    spectra = _spectra(rows)
    if spectra:
        yield "singular_spectra", "", partial(singular_spectra, spectra)
        yield "singular_spectra_absolute", "", partial(singular_spectra, spectra, relative=False)


def _spectra(rows: Sequence[Row]) -> dict[str, FloatArray]:
    return {
        row["calibrator"]: np.array(row["singular_values"])
        for row in rows
        if row.get("singular_values") is not None
    }


def _judged(known: Mapping[str, Mapping[str, float | None]]) -> Figure:
    """Draw the leading measure of each question."""
    panels = []
    for name, values in known.items():
        scale = SCALES[name]
        bars = {spec: (v, scale.word(v)) for spec, v in values.items() if v is not None}
        if bars:
            panels.append((f"{scale.title}: {MEASURES[name].label}", scale.ends, bars))
    return judged_bars(panels)
