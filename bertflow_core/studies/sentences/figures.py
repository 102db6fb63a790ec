"""The figures of a geometry of sentences, each from what was measured; for pages and files."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from bertflow_core.figures import (
    Figure,
    likelihood_histograms,
    measures_by_layer,
    norms_against_chi,
    quantile_plot,
    singular_spectra,
)
from bertflow_core.studies.sentences.measure import SentenceGeometry, SentenceSpace
from bertflow_core.studies.sentences.report import BY_LAYER
from bertflow_core.studies.sentences.space_measures import MEASURES, SpaceCurves

__all__ = [
    "SPACE_FIGURES",
    "by_layer",
    "coordinate_quantiles",
    "known_measures",
    "layer_figures",
    "likelihoods",
    "norm_quantiles",
    "norms",
    "sentence_figures",
    "spectra",
    "spectrum_figures",
    "with_density",
]

SPACE_FIGURES = (
    "coordinate_quantiles",
    "likelihoods",
    "measures_by_layer",
    "norm_quantiles",
    "norms",
    "singular_spectra",
)
"""How the names of figures begin; a layer set or a calibrator may follow."""

Curve = TypeVar("Curve")


def spectra(found: SentenceGeometry, layers: str, *, relative: bool = True) -> Figure | None:
    """Draw the singular spectra of one layer set, a line a calibrator; None where there is none."""
    drawn = _curves(found, layers, lambda curves: curves.singular_values)
    return singular_spectra(drawn, list(drawn), relative=relative) if drawn else None


def norms(found: SentenceGeometry, layers: str) -> Figure | None:
    """Draw held-out norms of one layer set against chi.

    None where they, or the spectrum, which has a value a dimension, were not measured.
    """
    drawn = _curves(found, layers, lambda curves: curves.norms)
    sizes = _curves(found, layers, lambda curves: curves.singular_values)
    known = {spec: values for spec, values in drawn.items() if spec in sizes}
    if not known:
        return None
    return norms_against_chi(known, list(known), dimensions=[len(sizes[spec]) for spec in known])


def coordinate_quantiles(found: SentenceGeometry, layers: str) -> Figure | None:
    """Draw quantiles of all held-out coordinates against those of N(0, 1)."""
    drawn = _curves(found, layers, lambda curves: curves.coordinate_quantiles)
    points = {spec: (each.expected, each.found) for spec, each in drawn.items()}
    expected, seen = "quantile of N(0, 1)", "quantile of the coordinates"
    return quantile_plot(points, list(points), expected=expected, found=seen) if points else None


def norm_quantiles(found: SentenceGeometry, layers: str) -> Figure | None:
    """Draw quantiles of held-out norms against those of chi, each with the space's dimensions."""
    drawn = _curves(found, layers, lambda curves: curves.norm_quantiles)
    points = {spec: (each.expected, each.found) for spec, each in drawn.items()}
    expected, seen = "quantile of chi(D)", "quantile of the norms"
    return quantile_plot(points, list(points), expected=expected, found=seen) if points else None


def likelihoods(space: SentenceSpace) -> Figure | None:
    """Draw the log-densities of real sentences, samples and midpoints; None without a density."""
    curves = space.curves.likelihoods
    return None if curves is None else likelihood_histograms(curves.groups())


def by_layer(found: SentenceGeometry, names: Sequence[str]) -> Figure:
    """Draw measures over layer sets, a panel each and a line a calibrator.

    Args:
        found: Of any number of layer sets.
        names: Of `MEASURES`.
    """
    labels = {measure.name: measure.label for measure in MEASURES}
    panels = {
        labels[name]: {
            spec: [found.space(layers, spec).values[name] for layers in found.layers]
            for spec in found.calibrators
        }
        for name in names
    }
    return measures_by_layer(panels, found.layers)


def with_density(found: SentenceGeometry, layers: str) -> tuple[str, ...]:
    """Return the calibrators that have a density at a layer set."""
    return tuple(_curves(found, layers, lambda curves: curves.likelihoods))


def sentence_figures(found: SentenceGeometry) -> dict[str, Figure]:
    """Return every figure by name: those of a layer set for each, and measures by layer if any."""
    figures = _at_each_layer(
        found,
        {
            "singular_spectra": spectra,
            "norms": norms,
            "coordinate_quantiles": coordinate_quantiles,
            "norm_quantiles": norm_quantiles,
        },
    )
    for space in found.spaces:
        figure = likelihoods(space)
        if figure is not None:
            place = (*_layer_of(found, space.recipe.layers), space.recipe.calibrator)
            figures[_name("likelihoods", *place)] = figure
    return figures | (layer_figures(found) if len(found.layers) > 1 else {})


def spectrum_figures(found: SentenceGeometry) -> dict[str, Figure]:
    """Return the spectra of each layer set, as shares of the largest and in their own unit."""
    return _at_each_layer(
        found,
        {
            "singular_spectra": spectra,
            "singular_spectra_absolute": lambda f, layers: spectra(f, layers, relative=False),
        },
    )


def layer_figures(found: SentenceGeometry) -> dict[str, Figure]:
    """Return the chosen measures over the layer sets, where any of them is known."""
    names = [name for name in known_measures(found) if name in BY_LAYER]
    return {"measures_by_layer": by_layer(found, names)} if names else {}


def known_measures(found: SentenceGeometry) -> list[str]:
    """Return the names of the measures that some space has a number for."""
    return [
        measure.name
        for measure in MEASURES
        if any(space.values[measure.name] is not None for space in found.spaces)
    ]


def _curves(
    found: SentenceGeometry, layers: str, pick: Callable[[SpaceCurves], Curve | None]
) -> dict[str, Curve]:
    """Return a curve of each calibrator at a layer set, where there is one."""
    drawn = {spec: pick(found.space(layers, spec).curves) for spec in found.calibrators}
    return {spec: curve for spec, curve in drawn.items() if curve is not None}


def _at_each_layer(
    found: SentenceGeometry,
    draw: Mapping[str, Callable[[SentenceGeometry, str], Figure | None]],
) -> dict[str, Figure]:
    drawn = {
        _name(name, *_layer_of(found, layers)): function(found, layers)
        for layers in found.layers
        for name, function in draw.items()
    }
    return {name: figure for name, figure in drawn.items() if figure is not None}


def _layer_of(found: SentenceGeometry, layers: str) -> tuple[str, ...]:
    """Return the layer set for a name, or nothing where there is only one."""
    return (layers,) if len(found.layers) > 1 else ()


def _name(*parts: str) -> str:
    """Return a file's name without ending: no character that a file system refuses."""
    return "_".join(re.sub(r"[^A-Za-z0-9.=+_-]", "-", part) for part in parts)
