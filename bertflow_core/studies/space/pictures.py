"""The pictures of spaces, from a report's rows and curves."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np

from bertflow_core.analysis.gaussianity import Likelihoods
from bertflow_core.analysis.measures import BY_LAYER, JUDGED, MEASURES, judged_value
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
from bertflow_core.report import Pictures, Report


@dataclass(frozen=True, eq=False)
class Curves:
    """What pictures draw of a space beside its numbers; None where not measured."""

    distances: FloatArray | None = field(default=None, repr=False)  # to the 10th nearest, (N,)
    of_gaussian: FloatArray | None = field(default=None, repr=False)  # of points like them
    norms: FloatArray | None = field(default=None, repr=False)  # of held-out rows, shape (M,)
    likelihoods: Likelihoods | None = None  # log-densities of held-out rows, samples and midpoints


Curve = TypeVar("Curve")


def judged(report: Report, layers: str) -> Figure | None:
    """Draw the leading measure of each question at one layer set; None without any."""
    panels = []
    for measure in JUDGED:
        assert measure.scale is not None
        values = {
            row["calibrator"]: judged_value(measure, row) for row in report.where(layers=layers)
        }
        bars = {
            spec: (value, measure.scale.word(value))
            for spec, value in values.items()
            if value is not None
        }
        if bars:
            panels.append((f"{measure.scale.title}: {measure.label}", measure.scale.ends, bars))
    return judged_bars(panels) if panels else None


def spectra(report: Report, layers: str, *, relative: bool = True) -> Figure | None:
    """Draw the singular spectra of one layer set, one line per calibrator; None without any."""
    drawn = _spectra(report, layers)
    return singular_spectra(drawn, list(drawn), relative=relative) if drawn else None


def norms(report: Report, layers: str, calibrators: Sequence[str] = ()) -> Figure | None:
    """Draw held-out norms of one layer set against chi, of some calibrators or of all.

    None where the norms, or the spectrum, which gives the number of dimensions, were not measured.
    """
    sizes = {spec: len(values) for spec, values in _spectra(report, layers).items()}
    drawn = {
        spec: values
        for spec, values in curves_of(report, layers, lambda curves: curves.norms).items()
        if spec in sizes and spec in (calibrators or sizes)
    }
    if not drawn:
        return None
    return norms_against_chi(drawn, list(drawn), dimensions=[sizes[spec] for spec in drawn])


def neighbours(report: Report, layers: str) -> Figure | None:
    """Draw how far the 10th nearest is, of sentences and of a Gaussian's points; None without."""
    drawn = {
        spec: {"sentences": near, "points of a Gaussian": even}
        for spec, (near, even) in curves_of(
            report, layers, lambda each: (each.distances, each.of_gaussian)
        ).items()
        if near is not None and even is not None
    }
    return distance_histograms(drawn, label="L2 distance to the 10th nearest") if drawn else None


def likelihoods(report: Report, layers: str, spec: str) -> Figure:
    """Draw the log-densities of real sentences, samples and midpoints of a space with a density."""
    found = curves_of(report, layers, lambda curves: curves.likelihoods)[spec]
    return likelihood_histograms(found.groups())


def by_layer(report: Report, names: Sequence[str]) -> Figure:
    """Draw measures over layer sets: one panel per measure, one line per calibrator."""
    panels = {
        MEASURES[name].label: {
            spec: [row[name] for row in rows] for spec, rows in report.by("calibrator").items()
        }
        for name in names
    }
    return measures_by_layer(panels, [*report.by("layers")])


def known_measures(report: Report) -> list[str]:
    """Return the names of the measures that at least one space has a value of."""
    return [name for name in MEASURES if any(row.get(name) is not None for row in report.rows)]


def curves_of(
    report: Report, layers: str, pick: Callable[[Curves], Curve | None]
) -> dict[str, Curve]:
    """Return one curve per calibrator at a layer set, where there is one; none of what was read."""
    known = report.live.get("curves", {})
    drawn = {spec: pick(curves) for (place, spec), curves in known.items() if place == layers}
    return {spec: curve for spec, curve in drawn.items() if curve is not None}


def _spectra(report: Report, layers: str) -> dict[str, np.ndarray]:
    return {
        row["calibrator"]: np.array(row["singular_values"])
        for row in report.where(layers=layers)
        if row.get("singular_values") is not None
    }


def space_pictures(report: Report) -> Pictures:
    """Return every picture by name: those of each layer set, and measures by layer if several."""
    found = {
        **_at_each_layer(report, "judged", judged),
        **_at_each_layer(report, "singular_spectra", spectra),
        **_at_each_layer(report, "norms", norms),
        **_at_each_layer(report, "neighbour_distances", neighbours),
    }
    places = [*report.by("layers")]
    for layers in places:
        for spec in curves_of(report, layers, lambda curves: curves.likelihoods):
            name = _name("likelihoods", layers if len(places) > 1 else "", spec)
            found[name] = partial(likelihoods, report, layers, spec)
    return {**found, **layer_pictures(report)} if len(places) > 1 else found


def spectrum_pictures(report: Report) -> Pictures:
    """Return the spectra of each layer set, relative to the largest value and absolute."""
    absolute = partial(spectra, relative=False)
    return {
        **_at_each_layer(report, "singular_spectra", spectra),
        **_at_each_layer(report, "singular_spectra_absolute", absolute),
    }


def layer_pictures(report: Report) -> Pictures:
    """Return the picture of the `BY_LAYER` measures over layer sets, if any of them is known."""
    names = [name for name in known_measures(report) if name in BY_LAYER]
    return {"measures_by_layer": partial(by_layer, report, names)} if names else {}


def _at_each_layer(
    report: Report, name: str, draw: Callable[[Report, str], Figure | None]
) -> dict[str, Callable[[], Figure]]:
    """Return one picture for each layer set that can be drawn."""
    places = report.by("layers")
    drawn = {
        _name(name, layers if len(places) > 1 else ""): draw(report, layers) for layers in places
    }
    return {name: partial(Figure, each) for name, each in drawn.items() if each is not None}


def _name(*parts: str) -> str:
    """Return a file name without ending, in characters that every file system allows."""
    return "_".join(re.sub(r"[^A-Za-z0-9.=+_-]", "-", part) for part in parts if part)
