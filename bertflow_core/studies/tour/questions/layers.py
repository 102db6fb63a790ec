"""Question 12: would another layer of the encoder do better?"""

from collections.abc import Mapping

from bertflow_core.errors import InputError
from bertflow_core.evaluation import RANDOM_PAIRS
from bertflow_core.figures import Figure, measures_by_layer
from bertflow_core.report import Report
from bertflow_core.studies.advice.study import CALIBRATORS
from bertflow_core.studies.layer_map import MapRecipe, layer_map
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import RAW, Material
from bertflow_core.studies.tour.origin import origin
from bertflow_core.text_table import shown_difference

__all__ = ["ask"]


def ask(material: Material) -> Content:
    """Ask which layer agrees best with people.

    Raises:
        InputError: No gold scores, too few pairs, or no layer with a correlation.
    """
    recipe, lab = material.recipe, material.lab
    material.grades()  # refuses before any layer is computed
    material.check_pairs()
    tokens = recipe.with_(layers="last").tokens  # those of layers `model` are no pooling
    asked = MapRecipe(**recipe.with_(calibrator=RAW).to_dict(), poolings=tokens)
    report = layer_map(asked, lab, (RAW, CALIBRATORS[0]))
    raw = {layer: rho for layer, rho in _along(report, RAW, "rho").items() if rho is not None}
    if not raw:
        raise InputError("no layer has a correlation with the gold scores")
    best, last = max(raw, key=raw.__getitem__), max(_layers(report))
    return Content(
        text="An encoder has several layers, and each gives its own vectors. Here only the layer "
        "changes; the sentences, the token pooling and cosine stay the same.",
        question="In which layer does plain cosine agree best with people?",
        choices=("The first: the embedding output", "One in between", "The last"),
        right=0 if best == 0 else 2 if best == last else 1,
        takeaway=_takeaway(raw, best, last + 1),
        explanation=_explanation(report, raw, best),
        notes="Before a calibrator is chosen, a layer is. Have the room compare two distances in "
        "the picture: between layers along one line, and between the two lines at one layer. Usual "
        "mistake: to take the last layer of every model, or the one of a paper on another model.",
        figure=_by_layer(report),
        alt="Rho and the mean cosine of random pairs by layer, plain and after a calibrator",
        origin=origin(
            recipe,
            (RAW, CALIBRATORS[0]),
            layers=f"layers 0 to {last}",
            also=[f"aggregation {recipe.aggregation}"],
        ),
    )


def _takeaway(raw: Mapping[int, float], best: int, n_layers: int) -> str:
    worst = min(raw, key=raw.__getitem__)
    return (
        f"Layer {best} (0 to {n_layers - 1}) has rho x 100 of {100 * raw[best]:.1f} without "
        f"calibration, {_less(raw[worst], raw[best]):.1f} more than layer {worst}: choose the "
        "layer first."
    )


def _by_layer(report: Report) -> Figure:
    shown = (
        ("Spearman's rho x 100", "rho", 100.0),
        (f"mean cosine of {RANDOM_PAIRS:,} random pairs", "random_cosine", 1.0),
    )
    panels = {
        label: {
            spec: list(_along(report, spec, measure, scale).values())
            for spec in (RAW, CALIBRATORS[0])
        }
        for label, measure, scale in shown
    }
    return measures_by_layer(panels, [str(layer) for layer in _layers(report)])


def _layers(report: Report) -> list[int]:
    return [row["layer"] for row in report.where(calibrator=RAW)]


def _along(report: Report, spec: str, measure: str, scale: float = 1.0) -> dict[int, float | None]:
    """Return a measure by layer, for the one token pooling of the map."""
    return {
        row["layer"]: None if row[measure] is None else scale * row[measure]
        for row in report.where(calibrator=spec)
    }


def _explanation(report: Report, raw: dict[int, float], best: int) -> str:
    worst, tried = min(raw, key=raw.__getitem__), CALIBRATORS[0]
    after = {k: rho for k, rho in _along(report, tried, "rho").items() if rho is not None}
    gains = {layer: _less(rho, after[layer]) for layer, rho in raw.items() if layer in after}
    by_layer = _less(raw[worst], raw[best])
    text = (
        f"Layer {best} has the highest rho x 100, {100 * raw[best]:.1f}; layer {worst} the lowest, "
        f"{100 * raw[worst]:.1f}, a difference of {by_layer:.1f}. "
    )
    if not gains:
        return text.strip()
    most = max(gains, key=gains.__getitem__)
    return text + _calibrator_text(tried, most, gains[most], by_layer)


def _less(before: float, after: float) -> float:
    """Return the difference of two rhos x 100 as this step shows them, with one digit."""
    return shown_difference(100 * before, 100 * after, digits=1)


def _calibrator_text(tried: str, layer: int, gain: float, by_layer: float) -> str:
    """Compare a calibrator's largest gain, at `layer`, with the choice of the layer."""
    if gain <= 0:
        return f"{tried} improves no layer: at best it changes rho x 100 by {gain:z.1f}."
    weighed = (
        "the two choices matter equally"
        if gain == by_layer
        else f"the choice of {'the layer' if by_layer > gain else 'a calibrator'} matters more"
    )
    return f"The largest gain of {tried} is {gain:+.1f}, at layer {layer}: here {weighed}."
