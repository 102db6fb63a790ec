"""Every layer under every token pooling and calibrator: its rho and its isotropy.

All of it comes from one stored pass of the encoder: only the first place of the map may compute.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.analysis.isotropy import is_one_point, iso_score
from bertflow_core.calibrators.catalog import check_spec
from bertflow_core.datasets import Corpus, SentencePairs
from bertflow_core.encoders.layers import TokenPooling
from bertflow_core.errors import InputError
from bertflow_core.experiment import evaluate_calibrator, load_data, make_encoder, prepare
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress, heartbeat, silent
from bertflow_core.recipe import Recipe
from bertflow_core.results import Result
from bertflow_core.store import EmbeddingStore

__all__ = ["MEASURES", "LayerMap", "LayerPlace", "layer_map"]

MEASURES = ("rho", "random_cosine", "iso_score")
"""What is known of each place."""

Data = tuple[SentencePairs, Corpus]


@dataclass(frozen=True)
class LayerPlace:
    """One layer under one token pooling and one calibrator.

    All measures are None where all sentences have one embedding, as layer 0 gives them under cls:
    there is nothing to calibrate or to compare.

    Attributes:
        layer: 0 is the embedding output, L the last layer.
        tokens: Token pooling.
        calibrator: Spec.
        rho: Spearman's rho under the recipe's aggregation, in [-1, 1]; None where undefined.
        random_cosine: Mean cosine of 10,000 random pairs of the scored sentences, in [-1, 1].
        iso_score: IsoScore of the calibrated scored sentences, in [0, 1]; None where undefined.
    """

    layer: int
    tokens: str
    calibrator: str
    rho: float | None
    random_cosine: float | None
    iso_score: float | None


@dataclass(frozen=True)
class LayerMap:
    """A filled map.

    Attributes:
        recipe: What all places share; its layers, tokens and calibrator are not looked at.
        layers: Rows, rising.
        tokens: Columns.
        calibrators: Panels.
        places: By calibrator, then layer, then token pooling.
    """

    recipe: Recipe
    layers: tuple[int, ...]
    tokens: tuple[str, ...]
    calibrators: tuple[str, ...]
    places: tuple[LayerPlace, ...]

    def grid(self, calibrator: str, measure: str = "rho") -> list[list[float | None]]:
        """Return one of `MEASURES` under a calibrator: a row a layer, a column a pooling.

        Raises:
            InputError: A calibrator or a measure that the map does not have.
        """
        if calibrator not in self.calibrators:
            raise InputError(f"the map has no calibrator {calibrator!r}")
        if measure not in MEASURES:
            raise InputError(f"unknown measure {measure!r}: expected one of {', '.join(MEASURES)}")
        found = {(p.layer, p.tokens): p for p in self.places if p.calibrator == calibrator}
        return [
            [getattr(found[layer, tokens], measure) for tokens in self.tokens]
            for layer in self.layers
        ]

    def recipe_of(self, place: LayerPlace) -> Recipe:
        """Return the recipe that makes a place's numbers again."""
        return self.recipe.with_(
            layers=f"layer:{place.layer}", tokens=place.tokens, calibrator=place.calibrator
        )

    def to_records(self) -> list[dict[str, Any]]:
        """Return a plain mapping a place, JSON-able."""
        return [asdict(place) for place in self.places]


def layer_map(
    recipe: Recipe,
    calibrators: Sequence[str],
    *,
    tokens: Sequence[str] = tuple(TokenPooling),
    data: Data | None = None,
    data_dir: Path | None = None,
    store: EmbeddingStore | None = None,
    device: str | None = None,
    batch_tokens: int | None = None,
    progress: Progress = silent,
) -> LayerMap:
    """Score every layer under every token pooling and calibrator.

    Args:
        recipe: The choices; its layers, tokens and calibrator are not looked at.
        calibrators: Specs, each fitted anew at every layer and pooling.
        tokens: Token poolings.
        data: What is scored and fitted on; None loads what the recipe names.
        data_dir: Where benchmark data lies; None looks at `BERTFLOW_DATA`.
        store: Where embeddings are kept; None is the user's cache.
        device: Where the encoder and a flow run; None takes the best device here.
        batch_tokens: Most tokens in one forward call; None suits the device.
        progress: Told of sentences while they are embedded, then of places, again and again while
            one is worked on; may raise `Cancelled`.

    Raises:
        InputError: No calibrator or pooling, or a model, data or calibrator that cannot be used.
        ResourceError: The disk or the network failed.
    """
    specs = tuple(dict.fromkeys(calibrators))
    poolings = tuple(dict.fromkeys(str(TokenPooling.parse(name)) for name in tokens))
    if not specs or not poolings:
        raise InputError("a map needs at least one calibrator and one token pooling")
    for spec in specs:
        check_spec(spec)
    options: dict[str, Any] = {"device": device, "batch_tokens": batch_tokens}
    encoder = make_encoder(recipe, **options)
    recipe = recipe.with_(revision=encoder.model.revision)
    options |= {"data": data or load_data(recipe, data_dir), "store": store}
    layers = tuple(range(encoder.n_layers + 1))
    columns = [recipe.with_(layers=f"layer:{k}", tokens=t) for k in layers for t in poolings]
    places: list[LayerPlace] = []
    for column in columns:
        places += _column(column, specs, options, len(places), len(columns), progress)
    progress(len(places), len(places), "places")
    order = [specs.index(place.calibrator) for place in places]
    by_calibrator = tuple(places[i] for i in np.argsort(order, kind="stable"))
    return LayerMap(recipe, layers, poolings, specs, by_calibrator)


def _column(
    recipe: Recipe,
    specs: Sequence[str],
    options: dict[str, Any],
    n_done: int,
    n_columns: int,
    progress: Progress,
) -> Iterator[LayerPlace]:
    """Read one layer under one pooling and score every calibrator there."""
    total = n_columns * len(specs)
    prepared = prepare(recipe, progress=progress, **options)
    nothing_varies = is_one_point(prepared.x_fit)
    for done, spec in enumerate(specs, start=n_done):
        progress(done, total, "places")
        measures: tuple[float | None, ...] = (None,) * len(MEASURES)
        if not nothing_varies:
            within = heartbeat(progress, done, total, "places")
            result = evaluate_calibrator(prepared, spec, device=options["device"], progress=within)
            measures = result.rho, result.random_cosine, iso_score(_scored_vectors(result))
        layer = int(recipe.layers.removeprefix("layer:"))
        yield LayerPlace(layer, recipe.tokens, spec, *measures)


def _scored_vectors(result: Result) -> FloatArray:
    """Return the calibrated vectors of what is scored, shape (2 N, K).

    Of single sentences each stands there twice, as itself and as another's partner, which leaves
    the shares of the variances as they are.
    """
    prepared = result.prepared
    return result.calibrator.transform(np.concatenate([prepared.x_first, prepared.x_second]))
