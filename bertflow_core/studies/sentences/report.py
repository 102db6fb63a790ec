"""The geometry of sentences as text: measures by space, spectra, measures by layer; and records."""

import json
import shlex
from collections.abc import Callable
from typing import Any

from bertflow_core.analysis.spectrum import Spectrum, top_share
from bertflow_core.recipe import Recipe, option_words
from bertflow_core.studies.sentences.measure import SentenceGeometry, SentenceSpace
from bertflow_core.studies.sentences.space_measures import MEASURES, Measure
from bertflow_core.tables import TextTable, to_csv

__all__ = ["LAYER_WRITERS", "SENTENCE_WRITERS", "SPECTRUM_WRITERS", "Writers", "sentences_command"]

Writers = dict[str, Callable[[SentenceGeometry], str]]


BY_LAYER = (
    "mean_cosine",
    "iso_score",
    "partition_isotropy",
    "effective_rank",
    "alignment",
    "uniformity",
    "two_nn",
    "hubness",
    "energy",
    "sample_distance_ratio",
)

"""Measures of the table by layer; records have all of them."""


_SHARES = (1, 3, 10, 50)


def measure_table(found: SentenceGeometry) -> TextTable:
    """Lay measures down and spaces across."""
    header = ("measure", *(_name(space) for space in found.spaces))
    rows = tuple(
        (measure.label, *(_number(space.values[measure.name]) for space in found.spaces))
        for measure in _asked(found)
    )
    return TextTable(header, rows, _remarks(found))


def layer_table(found: SentenceGeometry) -> TextTable:
    """Lay layers down, a calibrator's together, and the measures of `BY_LAYER` across."""
    shown = [measure for measure in _asked(found) if measure.name in BY_LAYER]
    header = ("calibrator", "layers", *(measure.name.replace("_", " ") for measure in shown))
    rows = tuple(
        (spec, layers, *(_number(found.space(layers, spec).values[m.name]) for m in shown))
        for spec in found.calibrators
        for layers in found.layers
    )
    meanings = "; ".join(f"{m.name.replace('_', ' ')}: {m.label}" for m in shown)
    return TextTable(header, rows, (f"{meanings}.", *_remarks(found)), n_labels=2)


def spectrum_table(found: SentenceGeometry) -> TextTable:
    """Lay spaces down: rank, effective rank, participation ratio and shares of the variance."""
    header = (
        *("space", "rank", "effective rank", "participation ratio"),
        *(f"share of {k}" for k in _SHARES),
    )
    return TextTable(header, tuple(map(_spectrum_row, found.spaces)), _remarks(found))


def _spectrum_row(space: SentenceSpace) -> tuple[str, ...]:
    values = space.curves.singular_values
    if values is None:
        return (_name(space), *["-"] * (3 + len(_SHARES)))
    spectrum = Spectrum(values)
    return (
        _name(space),
        str(spectrum.rank),
        *(_number(space.values[name]) for name in ("effective_rank", "participation_ratio")),
        *(_number(top_share(spectrum.variances, k)) for k in _SHARES),
    )


def records(found: SentenceGeometry) -> list[dict[str, Any]]:
    """Return a flat record a space: its layer set, calibrator, measures and recipe."""
    return [
        {
            **_place(space),
            **{measure.name: space.values[measure.name] for measure in _asked(found)},
            "notes": " ".join(f"{note}." for note in space.notes),
            **_recipe(space.recipe),
        }
        for space in found.spaces
    ]


def spectrum_records(found: SentenceGeometry) -> list[dict[str, Any]]:
    """Return a flat record a singular value, numbered from 1, with its share of the variance."""
    rows: list[dict[str, Any]] = []
    for space in found.spaces:
        values = space.curves.singular_values
        if values is None:
            continue
        shares = values**2 / (values**2).sum()
        rows += [
            {
                **_place(space),
                "direction": number,
                "singular_value": float(value),
                "variance_share": float(share),
                **_recipe(space.recipe),
            }
            for number, (value, share) in enumerate(zip(values, shares, strict=True), start=1)
        ]
    return rows


def spectrum_dict(found: SentenceGeometry) -> dict[str, Any]:
    """Return what `SentenceGeometry.to_dict` gives, and each space's singular values."""
    plain = found.to_dict()
    for record, space in zip(plain["spaces"], found.spaces, strict=True):
        values = space.curves.singular_values
        record["singular_values"] = None if values is None else [float(value) for value in values]
    return plain


def _asked(found: SentenceGeometry) -> list[Measure]:
    return [measure for measure in MEASURES if measure.part in found.parts]


def _place(space: SentenceSpace) -> dict[str, str]:
    return {"layers": space.recipe.layers, "calibrator": space.recipe.calibrator}


def _name(space: SentenceSpace) -> str:
    return " ".join(_place(space).values())


def _recipe(recipe: Recipe) -> dict[str, Any]:
    own = ("layers", "calibrator")
    return {f"recipe_{k}": v for k, v in recipe.to_dict().items() if k not in own}


def _number(value: float | None) -> str:
    """Write a measure with four digits; a dash where it is undefined."""
    return "-" if value is None else f"{value:.4g}"


def _remarks(found: SentenceGeometry) -> tuple[str, ...]:
    recipe = found.recipe
    of = f" at {recipe.revision[:12]}" if recipe.revision else ""
    return (
        f"{recipe.model}{of}, {recipe.tokens} tokens, at most {recipe.max_length}, {recipe.dtype}; "
        f"{recipe.dataset} {recipe.split}; fitted on {recipe.fit_on}, seed {recipe.seed}.",
        *(f"{part}: {rows}." for part, rows in found.n_rows.items()),
        *(f"{_name(space)}: {note}." for space in found.spaces for note in space.notes),
    )


def _writers(
    table: Callable[[SentenceGeometry], TextTable],
    flat: Callable[[SentenceGeometry], list[dict[str, Any]]],
    plain: Callable[[SentenceGeometry], dict[str, Any]],
) -> Writers:
    return {
        "table": lambda found: table(found).to_text(),
        "markdown": lambda found: table(found).to_markdown(),
        "latex": lambda found: table(found).to_latex(),
        "csv": lambda found: to_csv(flat(found)),
        "json": lambda found: json.dumps(plain(found), indent=2, ensure_ascii=False),
    }


SENTENCE_WRITERS = _writers(measure_table, records, SentenceGeometry.to_dict)

LAYER_WRITERS = _writers(layer_table, records, SentenceGeometry.to_dict)

SPECTRUM_WRITERS = _writers(spectrum_table, spectrum_records, spectrum_dict)


_COMMAND = "bertflow-lab analyse"


def sentences_command(found: SentenceGeometry, name: str = "sentences") -> str:
    """Return the command that makes these numbers again, quoted for a shell.

    Args:
        found: Its recipe, layer sets and calibrators are named; the command chooses the parts.
        name: Of the command: `sentences` measures every part, so that all that is here is in it.
    """
    shared = found.recipe.with_(aggregation=Recipe.aggregation)  # nothing here is aggregated
    args = shared.to_args()
    for layers in found.layers:
        args += option_words("--layers", layers)
    for spec in found.calibrators:
        args += option_words("--calibrator", spec)
    return " ".join([_COMMAND, name, *map(shlex.quote, args)])
