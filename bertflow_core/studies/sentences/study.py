"""How do sentences fill their space: the studies `sentences`, `spectrum` and `layers`."""

from collections.abc import Iterator
from typing import Any

from bertflow_core.analysis.isotropy import spectrum_rank, top_share
from bertflow_core.analysis.measures import BY_LAYER, MEASURES, Part, names_of
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import with_command_remedy
from bertflow_core.report import Column, Pictures, Report, Row, Table
from bertflow_core.studies.sentences import figures
from bertflow_core.studies.sentences.interpretation import scale_reading
from bertflow_core.studies.sentences.measure import (
    SentenceGeometry,
    SentenceSpace,
    measure_sentences,
)
from bertflow_core.study import Facts, Live, Specs, Study, study
from bertflow_core.study import Part as Told

__all__ = ["fit_notes", "layers", "measure_table", "reported", "sentences", "spectrum"]

_SHARES = (1, 3, 10, 50)
_PLACE = (Column("layers"), Column("calibrator"))
_MEASURES = (
    *_PLACE,
    *(Column(name, format=MEASURES[name].format, help=MEASURES[name].label) for name in BY_LAYER),
)
_SPECTRUM = (
    *_PLACE,
    Column("rank", help="directions whose variance is above a millionth of the largest"),
    *(Column(name, format=".4g") for name in ("effective_rank", "participation_ratio")),
    *(Column(f"share_of_{k}", format=".4g", help="of the variance") for k in _SHARES),
)
_DECLARED: dict[str, Any] = {
    "calibrators": ("identity", "flow"),
    "layers": True,
    "without": ("aggregation",),
}


def _pictures(report: Report) -> Pictures:
    """Return the pictures of one of the studies; none of a result that was read."""
    draw = {
        "sentences": figures.sentence_pictures,
        "spectrum": figures.spectrum_pictures,
        "layers": figures.layer_pictures,
    }[report.name]
    return draw(report.live["geometry"]) if "geometry" in report.live else {}


@study("sentences", Recipe, _MEASURES, title="How do sentences fill their space?",
       figures=_pictures, **_DECLARED)  # fmt: skip
def sentences(recipe: Recipe, lab: Lab, calibrators: Specs, layers: Specs) -> Iterator[Told]:
    """Measure every space, every part."""
    yield from _told(measure_sentences(recipe, lab, layers, calibrators))


@study("layers", Recipe, _MEASURES, title="How do sentences fill the space of each layer?",
       figures=_pictures, every_layer=True, **_DECLARED)  # fmt: skip
def layers(recipe: Recipe, lab: Lab, calibrators: Specs, layers: Specs) -> Iterator[Told]:
    """Measure every space, every part, layer by layer."""
    yield from _told(measure_sentences(recipe, lab, layers, calibrators))


@study("spectrum", Recipe, _SPECTRUM, title="How is the variance spread over directions?",
       figures=_pictures, **_DECLARED)  # fmt: skip
def spectrum(recipe: Recipe, lab: Lab, calibrators: Specs, layers: Specs) -> Iterator[Told]:
    """Measure the singular spectrum of every space."""
    geometry = measure_sentences(recipe, lab, layers, calibrators, parts=(Part.CLOUD,))
    yield from _told(geometry, spectra=True)


def reported(study: Study[Recipe], geometry: SentenceGeometry) -> Report:
    """Return what one of these studies reports of spaces that are measured."""
    told = _told(geometry, spectra=study is spectrum)
    return study.collect(told, geometry.recipe, geometry.calibrators, geometry.layers)


def _told(geometry: SentenceGeometry, *, spectra: bool = False) -> Iterator[Told]:
    for space in geometry.spaces:
        yield space.recipe.without("calibrator")
        yield (_spectrum_row if spectra else _measures_row)(space, geometry)
    yield from (f"{part}: {rows}." for part, rows in geometry.n_rows.items())
    yield from with_command_remedy(fit_notes(geometry), geometry.recipe)
    for space in geometry.spaces:
        reading = scale_reading(space)
        yield from (f"{space.recipe.layers} {reading}" for _ in (reading,) if reading)
    yield Facts(measured=geometry.n_rows)
    yield Live(geometry=geometry)
    if not spectra:
        yield measure_table(geometry)


def _place(space: SentenceSpace) -> Row:
    return {"layers": space.recipe.layers, "calibrator": space.recipe.calibrator}


def _measures_row(space: SentenceSpace, geometry: SentenceGeometry) -> Row:
    """Return every measure of the parts that were measured, by name."""
    asked = {name: space.values[name] for part in geometry.parts for name in names_of(part)}
    return {**_place(space), **asked, "notes": " ".join(f"{note}." for note in space.notes)}


def _spectrum_row(space: SentenceSpace, _: SentenceGeometry) -> Row:
    """Return rank and shares of a spectrum, and every singular value; None without any."""
    values = space.curves.singular_values
    if values is None:
        return {**_place(space), "rank": None, "singular_values": None}
    variances = values**2
    return {
        **_place(space),
        "rank": spectrum_rank(variances),
        **{name: space.values[name] for name in ("effective_rank", "participation_ratio")},
        **{f"share_of_{k}": top_share(variances, k) for k in _SHARES},
        "singular_values": values.tolist(),
    }


def measure_table(geometry: SentenceGeometry) -> Table:
    """Return one row per measure, with one column per space."""
    several = len(geometry.layers) > 1  # named once, so that calibrators fit side by side
    names = {
        id(space): " ".join(_place(space).values()) if several else space.recipe.calibrator
        for space in geometry.spaces
    }
    rows = [
        {"measure": MEASURES[name].label}
        | {names[id(each)]: MEASURES[name].text(each.values[name]) for each in geometry.spaces}
        for part in geometry.parts
        for name in names_of(part)
    ]
    return Table([Column("measure"), *map(Column, names.values())], rows, title="every measure")


def fit_notes(geometry: SentenceGeometry) -> tuple[str, ...]:
    """Return what the fits noted, such as too few steps or sentences, each sentence once."""
    noted = (
        f"{space.recipe.layers} {space.recipe.calibrator}: {note}."
        for space in geometry.spaces
        for note in space.notes
    )
    return tuple(dict.fromkeys(noted))
