"""The geometry of a data set's sentences, by layer set and calibrator, from one stored pass.

Which rows each part is of is said in `sentence_rows`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertflow_core.analysis.alignment import alignment, uniformity
from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.catalog import check_spec
from bertflow_core.encoders.layers import LayerSet
from bertflow_core.errors import InputError
from bertflow_core.experiment import make_encoder
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress, heartbeat, silent
from bertflow_core.recipe import Recipe
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.sentences.rows import (
    GeometryData,
    SampleSizes,
    SentenceRows,
    choose_rows,
    load_geometry_data,
)
from bertflow_core.studies.sentences.space_measures import (
    MEASURES,
    Part,
    SpaceCurves,
    Values,
    measure_cloud,
    measure_held_out_rows,
    measure_neighbours,
)

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = ["SentenceGeometry", "SentenceSpace", "measure_sentences"]


@dataclass(frozen=True, eq=False)
class SentenceSpace:
    """One layer set under one calibrator.

    Attributes:
        recipe: What makes the numbers again.
        values: Every measure of `MEASURES`; None where undefined or not asked for. All are None
            where all sentences have one embedding, as layer 0 gives them under cls.
        curves: What is drawn.
        notes: What the fit met, a sentence each.
    """

    recipe: Recipe
    values: Values
    curves: SpaceCurves = field(repr=False)
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return layer set, calibrator, recipe and every measure, JSON-able."""
        recipe = self.recipe
        return {
            "layers": recipe.layers,
            "calibrator": recipe.calibrator,
            "recipe": recipe.to_dict(),
            "measures": dict(self.values),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, eq=False)
class SentenceGeometry:
    """Every space that was asked for.

    Attributes:
        recipe: What all share; its layers and calibrator are a recipe's defaults.
        layers: Layer sets.
        calibrators: Specs.
        parts: What was measured.
        n_rows: Rows of each part, and what they are, in words.
        spaces: By layer set, then calibrator.
    """

    recipe: Recipe
    layers: tuple[str, ...]
    calibrators: tuple[str, ...]
    parts: tuple[Part, ...]
    n_rows: dict[str, str]
    spaces: tuple[SentenceSpace, ...]

    def space(self, layers: str, calibrator: str) -> SentenceSpace:
        """Return one space.

        Raises:
            InputError: It was not asked for.
        """
        for space in self.spaces:
            if (space.recipe.layers, space.recipe.calibrator) == (layers, calibrator):
                return space
        raise InputError(f"{layers!r} under {calibrator!r} was not measured")

    def to_dict(self) -> dict[str, Any]:
        """Return the shared recipe, the rows and every space, JSON-able."""
        return {
            "recipe": self.recipe.to_dict(),
            "rows": dict(self.n_rows),
            "spaces": [space.to_dict() for space in self.spaces],
        }


def measure_sentences(
    recipe: Recipe,
    layers: Sequence[str] = (),
    calibrators: Sequence[str] = ("identity",),
    *,
    parts: Sequence[Part] = tuple(Part),
    sizes: SampleSizes | None = None,
    data: GeometryData | None = None,
    data_dir: Path | None = None,
    store: EmbeddingStore | None = None,
    device: str | None = None,
    batch_tokens: int | None = None,
    progress: Progress = silent,
) -> SentenceGeometry:
    """Measure the sentences of a recipe's data under every layer set and calibrator.

    Args:
        recipe: The choices; its layers and calibrator are not looked at.
        layers: Layer sets; none stands for every single layer.
        calibrators: Specs, each fitted anew at every layer set on the recipe's fit corpus.
        parts: What to measure.
        sizes: Bounds of the samples; None takes the defaults.
        data: What is looked at and fitted on; None loads what the recipe names.
        data_dir: Where benchmark data lies; None looks at `BERTFLOW_DATA`.
        store: Where embeddings are kept; None is the user's cache.
        device: Where the encoder and a flow run; None takes the best device here.
        batch_tokens: Most tokens in one forward call; None suits the device.
        progress: Told of sentences while they are embedded, then of spaces, again and again while
            one is worked on; may raise `Cancelled`.

    Raises:
        InputError: No calibrator, or a model, data or calibrator that cannot be used.
        ResourceError: The disk or the network failed.
    """
    specs = tuple(dict.fromkeys(calibrators))
    if not specs:
        raise InputError("there is nothing to measure: name at least one calibrator")
    for spec in specs:
        check_spec(spec)
    encoder = make_encoder(recipe, device=device, batch_tokens=batch_tokens)
    recipe = recipe.with_(
        revision=encoder.model.revision, layers=Recipe.layers, calibrator=Recipe.calibrator
    )
    names = tuple(dict.fromkeys(layers)) or tuple(f"layer:{k}" for k in range(encoder.n_layers + 1))
    for name in names:
        LayerSet(name).indices(encoder.n_layers)  # refused before anything is computed
    data = data or load_geometry_data(recipe, data_dir)
    rows = choose_rows(data, sizes or SampleSizes(), seed=recipe.seed)
    wanted = tuple(part for part in Part if part in parts)
    kept = store or EmbeddingStore()
    spaces: list[SentenceSpace] = []
    total = len(names) * len(specs)
    for name in names:
        found = kept.embed(
            encoder, rows.sentences, layers=name, tokens=recipe.tokens, progress=progress
        )
        for spec in specs:
            of = recipe.with_(layers=name, calibrator=spec)
            beat = heartbeat(progress, len(spaces), total, "spaces")
            spaces.append(_measure(of, found.x, rows, wanted, device, beat))
    progress(total, total, "spaces")
    said = {part: text for part, text in rows.describe().items() if part in wanted}
    return SentenceGeometry(recipe, names, specs, wanted, said, tuple(spaces))


def _measure(
    recipe: Recipe,
    x: FloatArray,
    rows: SentenceRows,
    parts: Sequence[Part],
    device: str | None,
    beat: Progress,
) -> SentenceSpace:
    """Fit a calibrator to embeddings of `rows.sentences`, shape (N, D), and measure each part."""
    beat(0, 1, "parts")
    values: Values = dict.fromkeys(measure.name for measure in MEASURES)
    if is_one_point(x[rows.cloud]) or is_one_point(x[rows.fit]):
        return SentenceSpace(recipe, values, SpaceCurves())
    curves = SpaceCurves()
    notes: tuple[str, ...] = ()
    if set(parts) != {Part.HELD_OUT}:
        calibrator = build_calibrator(recipe.calibrator, seed=recipe.seed, device=device)
        notes = calibrator.fit(x[rows.fit], progress=beat).notes_
        found, curves = _measure_seen(calibrator, x, rows, parts, recipe.seed, beat)
        values |= found
    if Part.HELD_OUT in parts and len(rows.held_out) > 1 and len(rows.fit_without) > 1:
        calibrator = build_calibrator(recipe.calibrator, seed=recipe.seed, device=device)
        calibrator.fit(x[rows.fit_without], progress=beat)
        beat(0, 1, "parts")
        found, unseen = measure_held_out_rows(
            calibrator,
            x[rows.held_out],
            seed=recipe.seed,
        )
        values |= found
        curves = replace(unseen, singular_values=curves.singular_values)
    return SentenceSpace(recipe, values, curves, tuple(notes))


def _measure_seen(
    calibrator: "Calibrator",
    x: FloatArray,
    rows: SentenceRows,
    parts: Sequence[Part],
    seed: int,
    beat: Progress,
) -> tuple[Values, SpaceCurves]:
    """Return what the whole corpus's fit gives: all parts but the held-out one."""
    values: Values = {}
    singular_values: FloatArray | None = None
    if Part.CLOUD in parts:
        found, spectrum = measure_cloud(calibrator.transform(x[rows.cloud]), seed=seed)
        singular_values = spectrum if spectrum.any() else None
        values |= found
        beat(0, 1, "parts")
    if {Part.PAIRS, Part.NEIGHBOURS}.isdisjoint(parts):
        return values, SpaceCurves(singular_values)
    different = calibrator.transform(x[rows.neighbours])
    if Part.PAIRS in parts and len(rows.first):
        first, second = (calibrator.transform(x[side]) for side in (rows.first, rows.second))
        values["alignment"] = alignment(first, second)
    if Part.PAIRS in parts:
        values["uniformity"] = uniformity(different)
    beat(0, 1, "parts")
    if Part.NEIGHBOURS in parts:
        values |= measure_neighbours(different, seed=seed)
    return values, SpaceCurves(singular_values)
