"""The reports on the geometry of sentences: measures by space, spectra, measures by layer."""

from typing import Any

from bertflow_core.analysis.isotropy import spectrum_rank, top_share
from bertflow_core.layer_choices import encodings_apart, layer_columns, layer_options
from bertflow_core.old_report import Record, Report
from bertflow_core.remarks import with_command_remedy
from bertflow_core.studies.sentences.figures import (
    layer_figures,
    sentence_figures,
    spectrum_figures,
)
from bertflow_core.studies.sentences.interpretation import scale_reading
from bertflow_core.studies.sentences.measure import SentenceGeometry, SentenceSpace
from bertflow_core.studies.sentences.measures import BY_LAYER, MEASURES, Measure, value_text
from bertflow_core.text_table import TextTable

__all__ = ["fit_notes", "layers_report", "measure_table", "sentences_report", "spectrum_report"]

_SHARES = (1, 3, 10, 50)


def sentences_report(geometry: SentenceGeometry) -> Report:
    """Report every measure of every space."""
    return Report(
        name="sentences",
        tables=lambda: (measure_table(geometry),),
        records=lambda: _records(geometry),
        shared=geometry.recipe.columns(),
        document=geometry.to_dict,
        remarks=_remarks(geometry),
        command=_command(geometry, "sentences"),
        figures=lambda: sentence_figures(geometry),
    )


def spectrum_report(geometry: SentenceGeometry) -> Report:
    """Report the singular spectrum of every space; records hold every singular value."""
    return Report(
        name="spectra",
        tables=lambda: (_spectrum_table(geometry),),
        records=lambda: _spectrum_records(geometry),
        shared=geometry.recipe.columns(),
        document=lambda: _spectrum_document(geometry),
        remarks=_remarks(geometry),
        command=_command(geometry, "spectrum"),
        figures=lambda: spectrum_figures(geometry),
    )


def layers_report(geometry: SentenceGeometry) -> Report:
    """Report the measures layer by layer."""
    return Report(
        name="layers",
        tables=lambda: (_layer_table(geometry),),
        records=lambda: _records(geometry),
        shared=geometry.recipe.columns(),
        document=geometry.to_dict,
        remarks=_remarks(geometry),
        command=_command(geometry, "layers"),
        figures=lambda: layer_figures(geometry),
    )


def _command(geometry: SentenceGeometry, name: str) -> str:
    command, options = f"bertflow-lab analyse {name}", layer_options(geometry.places)
    return geometry.recipe.to_command(geometry.calibrators, command=command, options=options)


def measure_table(geometry: SentenceGeometry) -> TextTable:
    """Return one row per measure, with one column per space."""
    header = ("measure", *(_name(space) for space in geometry.spaces))
    rows = tuple(
        (measure.label, *(measure.text(space.values[measure.name]) for space in geometry.spaces))
        for measure in _requested(geometry)
    )
    return TextTable(header, rows, _remarks(geometry))


def _layer_table(geometry: SentenceGeometry) -> TextTable:
    """Return one row per calibrator and layer set, with one column per measure of `BY_LAYER`."""
    shown = [measure for measure in _requested(geometry) if measure.name in BY_LAYER]
    header = ("calibrator", "layers", *(measure.name.replace("_", " ") for measure in shown))
    rows = tuple(
        (spec, layers, *(m.text(geometry.space(layers, spec).values[m.name]) for m in shown))
        for spec in geometry.calibrators
        for layers in geometry.layers
    )
    meanings = "; ".join(f"{m.name.replace('_', ' ')}: {m.label}" for m in shown)
    return TextTable(header, rows, (f"{meanings}.", *_remarks(geometry)), n_labels=2)


def _spectrum_table(geometry: SentenceGeometry) -> TextTable:
    """Return one row per space: rank, effective rank, participation ratio, variance shares."""
    header = (
        *("space", "rank", "effective rank", "participation ratio"),
        *(f"share of {k}" for k in _SHARES),
    )
    return TextTable(header, tuple(map(_spectrum_row, geometry.spaces)), _remarks(geometry))


def _spectrum_row(space: SentenceSpace) -> tuple[str, ...]:
    values = space.curves.singular_values
    if values is None:
        return (_name(space), *["-"] * (3 + len(_SHARES)))
    variances = values**2
    return (
        _name(space),
        str(spectrum_rank(variances)),
        *(value_text(space.values[name]) for name in ("effective_rank", "participation_ratio")),
        *(value_text(top_share(variances, k)) for k in _SHARES),
    )


def _records(geometry: SentenceGeometry) -> list[Record]:
    """Return one record per space: its layer set, calibrator and measures."""
    return [
        {
            **_place(space),
            **{measure.name: space.values[measure.name] for measure in _requested(geometry)},
            "notes": " ".join(f"{note}." for note in space.notes),
            **layer_columns(space.recipe, geometry.recipe),
        }
        for space in geometry.spaces
    ]


def _spectrum_records(geometry: SentenceGeometry) -> list[Record]:
    """Return one record per singular value, numbered from 1, with its share of the variance."""
    rows: list[Record] = []
    for space in geometry.spaces:
        values = space.curves.singular_values
        if values is None:
            continue
        shares = values**2 / (values**2).sum()
        rows += [
            {
                **_place(space),
                **layer_columns(space.recipe, geometry.recipe),
                "direction": number,
                "singular_value": float(value),
                "variance_share": float(share),
            }
            for number, (value, share) in enumerate(zip(values, shares, strict=True), start=1)
        ]
    return rows


def _spectrum_document(geometry: SentenceGeometry) -> dict[str, Any]:
    """Return what `SentenceGeometry.to_dict` returns, with each space's singular values."""
    document = geometry.to_dict()
    for record, space in zip(document["spaces"], geometry.spaces, strict=True):
        values = space.curves.singular_values
        record["singular_values"] = None if values is None else [float(value) for value in values]
    return document


def _requested(geometry: SentenceGeometry) -> list[Measure]:
    return [measure for measure in MEASURES if measure.part in geometry.parts]


def _place(space: SentenceSpace) -> dict[str, str]:
    return {"layers": space.recipe.layers, "calibrator": space.recipe.calibrator}


def _name(space: SentenceSpace) -> str:
    return " ".join(_place(space).values())


def _remarks(geometry: SentenceGeometry) -> tuple[str, ...]:
    return (
        f"{geometry.recipe.caption()}.",
        *encodings_apart(geometry.places),
        *(f"{part}: {rows}." for part, rows in geometry.n_rows.items()),
        *with_command_remedy(fit_notes(geometry), geometry.recipe),
        *_scales(geometry),
    )


def fit_notes(geometry: SentenceGeometry) -> tuple[str, ...]:
    """Return what the fits noted, such as too few steps or sentences, each sentence once."""
    noted = (f"{_name(space)}: {note}." for space in geometry.spaces for note in space.notes)
    return tuple(dict.fromkeys(noted))


def _scales(geometry: SentenceGeometry) -> list[str]:
    said = ((space.recipe.layers, scale_reading(space)) for space in geometry.spaces)
    return [f"{layers} {reading}" for layers, reading in said if reading]
