"""The figures on the geometry of sentences."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from bertflow_core.analysis.measures import BY_LAYER, MEASURES
from bertflow_core.figures import (
    Figure,
    judged_bars,
    likelihood_histograms,
    measures_by_layer,
    norms_against_chi,
    quantile_plot,
    singular_spectra,
)
from bertflow_core.report import Pictures
from bertflow_core.studies.sentences.judgement import QUESTIONS
from bertflow_core.studies.sentences.measure import SentenceGeometry, SentenceSpace, SpaceCurves

__all__ = [
    "by_layer",
    "coordinate_quantiles",
    "judged",
    "known_measures",
    "layer_pictures",
    "likelihoods",
    "norm_quantiles",
    "norms",
    "sentence_pictures",
    "spectra",
    "spectrum_pictures",
    "with_density",
]

Curve = TypeVar("Curve")


def judged(geometry: SentenceGeometry, layers: str) -> Figure | None:
    """Draw the leading measure of each question at one layer set; None without any."""
    panels = []
    for question in QUESTIONS:
        values = {
            spec: question.value(geometry.space(layers, spec).values)
            for spec in geometry.calibrators
        }
        bars = {
            spec: (value, question.word(value))
            for spec, value in values.items()
            if value is not None
        }
        if bars:
            panels.append((f"{question.title}: {question.label}", question.range, bars))
    return judged_bars(panels) if panels else None


def spectra(geometry: SentenceGeometry, layers: str, *, relative: bool = True) -> Figure | None:
    """Draw the singular spectra of one layer set, one line per calibrator; None without any."""
    drawn = _curves(geometry, layers, lambda curves: curves.singular_values)
    return singular_spectra(drawn, list(drawn), relative=relative) if drawn else None


def norms(
    geometry: SentenceGeometry, layers: str, calibrators: Sequence[str] | None = None
) -> Figure | None:
    """Draw held-out norms of one layer set against chi, of some calibrators or of all.

    None where the norms, or the spectrum, which gives the number of dimensions, were not measured.
    """
    drawn = _curves(geometry, layers, lambda curves: curves.norms, calibrators)
    sizes = _curves(geometry, layers, lambda curves: curves.singular_values)
    known = {spec: values for spec, values in drawn.items() if spec in sizes}
    if not known:
        return None
    return norms_against_chi(known, list(known), dimensions=[len(sizes[spec]) for spec in known])


def coordinate_quantiles(
    geometry: SentenceGeometry, layers: str, calibrators: Sequence[str] | None = None
) -> Figure | None:
    """Draw quantiles of all held-out coordinates against those of N(0, 1)."""
    drawn = _curves(geometry, layers, lambda curves: curves.coordinate_quantiles, calibrators)
    points = {spec: (each.expected, each.found) for spec, each in drawn.items()}
    expected, seen = "quantile of N(0, 1)", "quantile of the coordinates"
    return quantile_plot(points, list(points), expected=expected, found=seen) if points else None


def norm_quantiles(
    geometry: SentenceGeometry, layers: str, calibrators: Sequence[str] | None = None
) -> Figure | None:
    """Draw quantiles of held-out norms against those of chi(D), D being the space's dimensions."""
    drawn = _curves(geometry, layers, lambda curves: curves.norm_quantiles, calibrators)
    points = {spec: (each.expected, each.found) for spec, each in drawn.items()}
    expected, seen = "quantile of chi(D)", "quantile of the norms"
    return quantile_plot(points, list(points), expected=expected, found=seen) if points else None


def likelihoods(space: SentenceSpace) -> Figure:
    """Draw the log-densities of real sentences, samples and midpoints of a space with a density."""
    assert space.curves.likelihoods is not None
    return likelihood_histograms(space.curves.likelihoods.groups())


def by_layer(geometry: SentenceGeometry, names: Sequence[str]) -> Figure:
    """Draw measures over layer sets: one panel per measure, one line per calibrator.

    Args:
        geometry: Of any number of layer sets.
        names: Of `MEASURES`.
    """
    panels = {
        MEASURES[name].label: {
            spec: [geometry.space(layers, spec).values[name] for layers in geometry.layers]
            for spec in geometry.calibrators
        }
        for name in names
    }
    return measures_by_layer(panels, geometry.layers)


def with_density(geometry: SentenceGeometry, layers: str) -> tuple[str, ...]:
    """Return the calibrators that have a density at a layer set."""
    return tuple(_curves(geometry, layers, lambda curves: curves.likelihoods))


def sentence_pictures(geometry: SentenceGeometry) -> Pictures:
    """Return every picture by name: those of each layer set, and measures by layer if several."""
    found = _at_each_layer(
        geometry,
        {
            "singular_spectra": spectra,
            "norms": norms,
            "coordinate_quantiles": coordinate_quantiles,
            "norm_quantiles": norm_quantiles,
        },
    )
    several = len(geometry.layers) > 1
    for space in geometry.spaces:
        if space.curves.likelihoods is not None:
            place = (space.recipe.layers, space.recipe.calibrator)
            found[_name("likelihoods", *place[not several :])] = partial(likelihoods, space)
    return found | layer_pictures(geometry) if several else found


def spectrum_pictures(geometry: SentenceGeometry) -> Pictures:
    """Return the spectra of each layer set, relative to the largest value and absolute."""
    absolute = partial(spectra, relative=False)
    return _at_each_layer(
        geometry, {"singular_spectra": spectra, "singular_spectra_absolute": absolute}
    )


def layer_pictures(geometry: SentenceGeometry) -> dict[str, Callable[[], Figure]]:
    """Return the picture of the `BY_LAYER` measures over layer sets, if any of them is known."""
    names = [name for name in known_measures(geometry) if name in BY_LAYER]
    return {"measures_by_layer": partial(by_layer, geometry, names)} if names else {}


def known_measures(geometry: SentenceGeometry) -> list[str]:
    """Return the names of the measures that at least one space has a value of."""
    return [
        name
        for name in MEASURES
        if any(space.values[name] is not None for space in geometry.spaces)
    ]


def _curves(
    geometry: SentenceGeometry,
    layers: str,
    pick: Callable[[SpaceCurves], Curve | None],
    calibrators: Sequence[str] | None = None,
) -> dict[str, Curve]:
    """Return one curve per calibrator, of some or of all, at a layer set, where there is one."""
    specs = geometry.calibrators if calibrators is None else calibrators
    drawn = {spec: pick(geometry.space(layers, spec).curves) for spec in specs}
    return {spec: curve for spec, curve in drawn.items() if curve is not None}


def _at_each_layer(
    geometry: SentenceGeometry,
    draw: Mapping[str, Callable[[SentenceGeometry, str], Figure | None]],
) -> dict[str, Callable[[], Figure]]:
    """Return the pictures of each layer set that can be drawn."""
    several = len(geometry.layers) > 1
    drawn = {
        _name(name, *((layers,) if several else ())): function(geometry, layers)
        for layers in geometry.layers
        for name, function in draw.items()
    }
    return {name: partial(_drawn, each) for name, each in drawn.items() if each is not None}


def _drawn(figure: Figure) -> Figure:
    return figure


def _name(*parts: str) -> str:
    """Return a file name without ending, in characters that every file system allows."""
    return "_".join(re.sub(r"[^A-Za-z0-9.=+_-]", "-", part) for part in parts)
