"""Which layer is best? Rho and isotropy of every layer, token pooling and calibrator.

All of it comes from one stored pass of the encoder: only the first place may run it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.isotropy import is_one_point, iso_score
from bertflow_core.calibrators.registry import check_spec
from bertflow_core.encoders.pooling import TokenPooling
from bertflow_core.encoders.static import refuse_static
from bertflow_core.errors import InputError
from bertflow_core.evaluation import RANDOM_COSINE
from bertflow_core.lab import Lab
from bertflow_core.old_report import Report
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import why_unscored
from bertflow_core.wording import quoted

__all__ = ["MEASURES", "LayerMap", "LayerPlace", "layer_map", "layer_map_report"]

MEASURES = {
    "rho": "Spearman's rho x 100",
    "random_cosine": RANDOM_COSINE,
    "iso_score": "IsoScore (0: a line, 1: a ball)",
}
"""The measures of a place, with their names for people."""


@dataclass(frozen=True)
class LayerPlace:
    """One layer under one token pooling and one calibrator.

    All measures are None where all sentences have the same embedding, as at layer 0 under cls:
    there is nothing to calibrate or to compare.

    Attributes:
        layer: 0 is the embedding output, L the last layer.
        tokens: Token pooling.
        calibrator: Spec.
        rho: Spearman's rho under the recipe's aggregation, in [-1, 1]; None where undefined.
        random_cosine: Mean cosine of 10,000 random pairs of the scored sentences, in [-1, 1].
        iso_score: IsoScore of the calibrated scored sentences, in [0, 1]; None where undefined.
        notes: What the fit noted, a sentence each.
    """

    layer: int
    tokens: str
    calibrator: str
    rho: float | None
    random_cosine: float | None
    iso_score: float | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class LayerMap:
    """Every measured layer, token pooling and calibrator.

    Attributes:
        recipe: What all places share; it ignores layers, tokens and calibrator.
        layers: Layers, rising.
        tokens: Token poolings.
        calibrators: Specs.
        places: By calibrator, then layer, then token pooling.
        share_fitted: Share of the scored sentences that the calibrators were fitted on, in [0, 1].
        unscored: Why there is no rho, a sentence; empty where there is.
    """

    recipe: Recipe
    layers: tuple[int, ...]
    tokens: tuple[str, ...]
    calibrators: tuple[str, ...]
    places: tuple[LayerPlace, ...]
    share_fitted: float = 0.0
    unscored: str = ""

    @property
    def measures(self) -> dict[str, str]:
        """Those of `MEASURES` that the pairs allow."""
        return {name: text for name, text in MEASURES.items() if name != "rho" or not self.unscored}

    def grid(self, calibrator: str, measure: str = "rho") -> list[list[float | None]]:
        """Return one of `MEASURES` under a calibrator: one row per layer, one column per pooling.

        Raises:
            InputError: A calibrator or a measure that the map does not have.
        """
        if calibrator not in self.calibrators:
            raise InputError(f"the map has no calibrator {quoted(calibrator)}")
        if measure not in MEASURES:
            raise InputError(
                f"unknown measure {quoted(measure)}: expected one of {', '.join(MEASURES)}"
            )
        places = {(p.layer, p.tokens): p for p in self.places if p.calibrator == calibrator}
        return [
            [getattr(places[layer, tokens], measure) for tokens in self.tokens]
            for layer in self.layers
        ]

    def finding(self) -> str:
        """Say in one sentence where rho is highest, and how far the calibrators differ there.

        Nothing where no place has a rho.
        """
        scored = [place for place in self.places if place.rho is not None]
        if not scored:
            return ""
        best = max(scored, key=lambda place: place.rho or 0.0)
        last = max(self.layers)
        plain = [p.rho for p in scored if (p.layer, p.tokens) == (best.layer, best.tokens)]
        gain = 100 * ((best.rho or 0.0) - min(rho for rho in plain if rho is not None))
        where = f"layer {best.layer}{', the last,' if best.layer == last else f' of {last}'}"
        return (
            f"Rho x 100 is highest, {100 * (best.rho or 0.0):.2f}, at {where} with {best.tokens} "
            f"tokens under {best.calibrator}; the calibrators differ by {gain:.2f} there."
        )

    def recipe_of(self, place: LayerPlace) -> Recipe:
        """Return the recipe that gives a place's numbers."""
        return self.recipe.with_(
            layers=f"layer:{place.layer}", tokens=place.tokens, calibrator=place.calibrator
        )

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per place, JSON-able."""
        return [{k: v for k, v in asdict(p).items() if k != "notes"} for p in self.places]

    def in_sample(self) -> str:
        """Say that isotropy is of sentences that were fitted on, where it is; else nothing."""
        if self.share_fitted == 0:
            return ""
        return (
            "Random cosine and IsoScore are of the scored sentences, and calibrators were fitted "
            f"on {self.share_fitted:.0%} of these: whitening has an IsoScore of 1 on what it was "
            "fitted on, whatever the data. The command bertflow-lab analyse layers and the page "
            "Sentences also measure sentences that a fit did not see."
        )

    def fit_notes(self) -> tuple[str, ...]:
        """Return what the fits noted, each sentence once."""
        noted = (f"{place.calibrator}: {note}." for place in self.places for note in place.notes)
        return tuple(dict.fromkeys(noted))


def layer_map_report(layers: LayerMap) -> Report:
    """Report every measure of every place; the command has a line for each token pooling."""
    return Report.of_records(
        "layers",
        layers.to_records,
        layers.recipe,
        remarks=[
            "Layer, token pooling and calibrator are those of each row.",
            "The command, a line for each token pooling, gives rho and random cosine; IsoScore of "
            "the scored sentences is from layer_map in Python.",
            *filter(None, [layers.in_sample()]),
        ],
        command="\n".join(_command(layers, tokens) for tokens in layers.tokens),
    )


def _command(layers: LayerMap, tokens: str) -> str:
    """Return the command of one token pooling, without layers where all embeddings are the same."""
    places = [place for place in layers.places if place.tokens == tokens]
    measured = dict.fromkeys(place.layer for place in places if place.random_cosine is not None)
    options = [("--layers", f"layer:{layer}") for layer in measured]
    return layers.recipe.with_(tokens=tokens).to_command(layers.calibrators, options=options)


def layer_map(
    recipe: Recipe,
    lab: Lab,
    calibrators: Sequence[str],
    *,
    tokens: Sequence[str] = tuple(TokenPooling),
) -> LayerMap:
    """Score every layer under every token pooling and calibrator.

    Args:
        recipe: Its layers, tokens and calibrator are ignored.
        lab: Loads and embeds the data.
        calibrators: Specs; each is fitted at every layer and pooling.
        tokens: Token poolings.

    Raises:
        InputError: No calibrator or pooling, or a model, data or calibrator that cannot be used.
        ResourceError: The disk or the network failed.
    """
    specs = tuple(dict.fromkeys(calibrators))
    poolings = tuple(dict.fromkeys(str(TokenPooling.parse(name)) for name in tokens))
    if not specs or not poolings:
        raise InputError("a map needs at least one calibrator and one token pooling")
    refuse_static(recipe.model)
    for spec in specs:
        check_spec(spec)
    encoder = lab.encoder(recipe)
    shared = recipe.with_(revision=encoder.model.revision).without("layers", "tokens", "calibrator")
    pairs, corpus = lab.load(shared)
    layers = tuple(range(encoder.model.n_layers + 1))
    columns = [shared.with_(layers=f"layer:{k}", tokens=t) for k in layers for t in poolings]
    tables = {recipe.dataset: (pairs, corpus)}
    lab = replace(lab, tables=tables, ahead=tuple(columns))  # read and embedded once for all places
    places: list[LayerPlace] = []
    for column in columns:
        places += _column(column, lab, specs, len(places), len(columns))
    context.report(len(places), len(places), "places")
    order = [specs.index(place.calibrator) for place in places]
    by_calibrator = tuple(places[i] for i in np.argsort(order, kind="stable"))
    share = corpus.n_among(pairs.sentences()) / len(pairs.sentences())
    unscored = why_unscored(pairs) if pairs.gold is None else ""
    return LayerMap(shared, layers, poolings, specs, by_calibrator, share, unscored)


def _column(
    recipe: Recipe,
    lab: Lab,
    specs: Sequence[str],
    n_done: int,
    n_columns: int,
) -> Iterator[LayerPlace]:
    """Measure one layer under one pooling with every calibrator."""
    total = n_columns * len(specs)
    prepared = lab.prepare(recipe)
    nothing_varies = is_one_point(prepared.x_fit)
    for done, spec in enumerate(specs, start=n_done):
        context.report(done, total, "places")
        measures: tuple[float | None, float | None, float | None] = None, None, None
        notes: tuple[str, ...] = ()
        if not nothing_varies:
            with context.repeating(done, total, "places"):
                result = prepared.under(spec, device=lab.device)
            rho = result.measure("spearman")
            measures = rho, result.random_cosine, iso_score(np.concatenate(result.z))
            notes = result.notes
        layer = int(recipe.layers.removeprefix("layer:"))
        rho, cosine, iso = measures
        yield LayerPlace(layer, recipe.tokens, spec, rho, cosine, iso, notes)
