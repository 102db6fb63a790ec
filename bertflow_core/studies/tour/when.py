"""Steps 9 and 10, when to calibrate: the choice of a layer, and the last layer."""

from bertflow_core.errors import InputError
from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.experiment import Lab, prepare
from bertflow_core.figures import Figure, cosine_histograms, interval_forest, measures_by_layer
from bertflow_core.progress import Progress
from bertflow_core.studies.advice import CALIBRATORS, Advice, Recommendation, check
from bertflow_core.studies.layers import LayerMap, layer_map
from bertflow_core.studies.tour.material import DRAWS, FLOW, RAW, Material, cosines_of_all
from bertflow_core.studies.tour.step import Told, of_change, origin

__all__ = ["tell_last", "tell_layer"]

_LAST = "last"
_TRIED = (*CALIBRATORS, FLOW)


def tell_layer(material: Material, progress: Progress) -> Told:
    """Ask which layer agrees best with people.

    Raises:
        InputError: No gold scores, too few pairs, or no layer with a correlation.
    """
    recipe = material.recipe
    material.grades()  # refuses before any layer is computed
    material.check_pairs()
    options = {k: v for k, v in material.options.items() if k != "data" and v is not None}
    data = material.options["data"]
    found = layer_map(
        recipe,
        Lab(**options, tables={} if data is None else {recipe.dataset: data}),
        (RAW, CALIBRATORS[0]),
        tokens=(recipe.tokens,),
        progress=progress,
    )
    raw = {layer: rho for layer, rho in _along(found, RAW, "rho").items() if rho is not None}
    if not raw:
        raise InputError("no layer has a correlation with the gold scores")
    best, last = max(raw, key=raw.__getitem__), found.layers[-1]
    return Told(
        text="An encoder has several layers, and each gives its own vectors. The sentences, the "
        "token pooling and cosine stay the same here; only the layer changes.",
        question="In which layer does plain cosine agree best with people?",
        choices=("The first: the embedding output", "One in between", "The last"),
        right=0 if best == 0 else 2 if best == last else 1,
        explanation=_layer_said(found, raw, best),
        figure=_by_layer(found),
        alt="Rho and the mean cosine of random pairs by layer, plain and after a calibrator",
        origin=origin(
            recipe,
            found.calibrators,
            layers=f"layers {found.layers[0]} to {last}",
            also=[f"aggregation {recipe.aggregation}"],
        ),
    )


def _by_layer(found: LayerMap) -> Figure:
    shown = (
        ("Spearman's rho x 100", "rho", 100.0),
        (f"mean cosine of {RANDOM_PAIRS:,} random pairs", "random_cosine", 1.0),
    )
    panels = {
        label: {s: list(_along(found, s, measure, scale).values()) for s in found.calibrators}
        for label, measure, scale in shown
    }
    return measures_by_layer(panels, [str(layer) for layer in found.layers])


def _along(found: LayerMap, spec: str, measure: str, scale: float = 1.0) -> dict[int, float | None]:
    """Return a measure by layer, for the one token pooling of the map."""
    column = (row[0] for row in found.grid(spec, measure))
    values = (None if value is None else scale * value for value in column)
    return dict(zip(found.layers, values, strict=True))


def _layer_said(found: LayerMap, raw: dict[int, float], best: int) -> str:
    worst, tried = min(raw, key=raw.__getitem__), found.calibrators[-1]
    after = {k: rho for k, rho in _along(found, tried, "rho").items() if rho is not None}
    gains = {layer: after[layer] - rho for layer, rho in raw.items() if layer in after}
    by_layer = round(100 * (raw[best] - raw[worst]), 1)
    said = (
        f"Layer {best}, with rho x 100 of {100 * raw[best]:.1f}; the least has layer {worst}, with "
        f"{100 * raw[worst]:.1f}, {by_layer:.1f} below. "
    )
    if not gains:
        return said.strip()
    most = max(gains, key=gains.__getitem__)
    return said + _calibrator_said(tried, most, round(100 * gains[most], 1), by_layer)


def _calibrator_said(tried: str, layer: int, gain: float, by_layer: float) -> str:
    """Weigh what a calibrator gains at most, at `layer`, against the choice of the layer."""
    if gain <= 0:
        return f"{tried} adds to no layer: at best it changes rho x 100 by {gain:z.1f}."
    weighed = (
        "the choice of one matters as much as that of the other"
        if gain == by_layer
        else f"the choice of {'the layer' if by_layer > gain else 'a calibrator'} matters more"
    )
    return f"The most that {tried} adds is {gain:+.1f}, to layer {layer}: here {weighed}."


def tell_last(material: Material, progress: Progress) -> Told:
    """Ask whether the last layer should be calibrated."""
    recipe = material.recipe.with_(layers=_LAST)
    prepared = prepare(recipe, progress=progress, **material.options)
    found = check(
        prepared,
        calibrators=_TRIED,
        n_draws=DRAWS,
        device=material.options["device"],
        progress=progress,
    )
    return Told(
        text="Calibration mends a space whose directions are used unevenly. Not every space is "
        "like that: a contrastively trained encoder was taught, in its last layer, to put alike "
        "sentences close and all others apart. Here is the last layer of the same encoder.",
        question="Would you calibrate the last layer?",
        choices=("Yes", "Only with care: no gain is sure", "No"),
        right=list(Recommendation).index(found.recommendation),
        explanation=" ".join(filter(None, (found.answer, found.note, found.findings[0].sentence))),
        figure=_changes(found)
        if found.gains
        else _cosines(Material(prepared, {}, material.options)),
        alt="The change of rho at the last layer under each calibrator, with its interval"
        if found.gains
        else "The cosines of random pairs of sentences at the last layer",
        origin=origin(recipe, (RAW, *_TRIED), also=of_change(recipe, DRAWS) if found.gains else ()),
    )


def _changes(found: Advice) -> Figure:
    gains = found.gains
    return interval_forest(
        [gain.calibrator for gain in gains],
        [gain.after - gain.before for gain in gains],
        [gain.low for gain in gains],
        [gain.high for gain in gains],
        title=f"change of Spearman's rho x 100 against {RAW}, last layer",
        reference=0.0,
        apart=[gain.told_apart for gain in gains],
    )


def _cosines(last: Material) -> Figure:
    return cosine_histograms({RAW: cosines_of_all(last.sample)})
