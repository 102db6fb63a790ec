"""Questions 1, 10 and 12: what the encoder put into the vectors: words, roles, layers."""

import csv
import re

import numpy as np

from bertflow_core.datasets import load_pairs
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError
from bertflow_core.evaluation import RANDOM_PAIRS, pairwise_cosine
from bertflow_core.figures import cosines_by_group, measures_by_layer, overlap_against_cosine
from bertflow_core.files import resource
from bertflow_core.linalg import FloatArray, sample_rows, spearman
from bertflow_core.report import Report
from bertflow_core.studies.advice.study import CALIBRATORS
from bertflow_core.studies.space.layer_map import MapRecipe, layer_map
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import FLOW, RAW, Material
from bertflow_core.studies.tour.origin import origin
from bertflow_core.text_table import shown_difference

__all__ = ["extremes", "layer", "negation", "overlap", "words"]

_FAR, _NEAR = 0.25, 0.75
"""Places on the scale up to which a pair differs in meaning, and from which it agrees."""

_GRADES = ("another meaning (lowest quarter)", "in between", "same meaning (highest quarter)")
_MOST_MARKS = 1_000
_WORD = re.compile(r"\w+")
_PAIRS = "teaching"
_SAME, _NEGATED, _SWAPPED = "same meaning", "a negation", "roles swapped"
_GROUPS = {
    ("many-same", None): _SAME,
    ("many-different", "negation"): _NEGATED,
    ("many-different", "role-swap"): _SWAPPED,
}
"""Pairs of `teaching` that share most of their words, by corner and phenomenon; None is any."""


def words(material: Material) -> Content:
    """Ask which is more similar to cosine: shared words, or shared meaning."""
    pairs, gold, own = material.prepared.pairs, material.grades(), material.own
    cosine = pairwise_cosine(material.prepared.x_first, material.prepared.x_second)
    overlaps = np.array([overlap(*each) for each in zip(pairs.first, pairs.second, strict=True)])
    places = (gold - pairs.scale[0]) / (pairs.scale[1] - pairs.scale[0])
    a, b = extremes(overlaps, places)
    shown = np.union1d(sample_rows(len(pairs), _MOST_MARKS, seed=material.recipe.seed), [a, b])
    names = np.where(shown == a, "pair A", np.where(shown == b, "pair B", ""))
    texts = [f"{first}\n{second}" for first, second in zip(pairs.first, pairs.second, strict=True)]
    told = f"{cosine[a]:.2f}", f"{cosine[b]:.2f}"
    inside = (
        f"This tour looks at the vectors of {material.recipe.layers}, inside the encoder; its last "
        "step looks at the encoder's output. "
    )
    return Content(
        text="An encoder turns a sentence into a vector, a list of numbers. The cosine of two "
        "vectors is 1 where they point the same way and 0 where they are at right angles; it is "
        "used as the similarity of the two sentences. "
        f"{'' if material.recipe.layers in ('last', DECLARED) else inside}Below "
        "are two pairs of sentences. Of the pairs that mean different things to people, A shares "
        "the most words. Of the pairs that mean the same to them, B shares the fewest.",
        exhibits=(("Pair A", texts[a]), ("Pair B", texts[b])),
        question="Which pair has the higher cosine?",
        choices=("Pair A: more shared words", "Pair B: the same meaning", "Neither"),
        right=2 if float(told[0]) == float(told[1]) else int(float(told[0]) < float(told[1])),
        takeaway=f"Pair A, shared words and another meaning, has a cosine of {told[0]}; "
        f"pair B, other words and the same meaning, has {told[1]}.",
        explanation=f"People grade A {gold[a]:g} and B {gold[b]:g} on a scale from "
        f"{pairs.scale[0]:g} to {pairs.scale[1]:g}: in its lowest and in its highest quarter. Word "
        f"overlap, the share of all words of a pair that both sentences have, is "
        f"{100 * overlaps[a]:.0f} % and {100 * overlaps[b]:.0f} %. Over all {len(pairs):,} pairs "
        "the rank correlation of cosine with word overlap is "
        f"{spearman(overlaps, cosine) or 0.0:z.2f}; with people's grades it "
        f"is {spearman(gold, cosine) or 0.0:z.2f}.",
        notes="Let the room read both pairs aloud before it votes. Usual mistake: to read a cosine "
        "as a percentage of meaning. Ask afterwards: is the cosine of A high, or are all cosines "
        "high? That is the next question.",
        figure=overlap_against_cosine(
            overlaps[shown],
            cosine[shown],
            [_GRADES[int(place > _FAR) + int(place >= _NEAR)] for place in places[shown]],
            names.tolist(),
            texts=[texts[row] for row in shown],
            own={
                name: (overlap(own.texts[i], own.texts[j]), found)
                for (i, j), (name, found) in zip(own.pairs(), own.cosines().items(), strict=True)
            },
        ),
        alt="Cosine against word overlap: a mark for each pair, coloured by people's grade, with "
        "pairs A and B named",
        origin=origin(material.recipe, also=["word overlap: intersection over union"]),
        own=material.own_change(RAW),
    )


def overlap(first: str, second: str) -> float:
    """Return how many of the different words of two sentences both have, in [0, 1]."""
    a, b = (set(_WORD.findall(text.lower())) for text in (first, second))
    return len(a & b) / len(a | b) if a | b else 0.0


def extremes(overlaps: FloatArray, places: FloatArray) -> tuple[int, int]:
    """Return the most overlapping pair of another meaning, and the least of the same meaning.

    Grades are places on their scale, from 0 to 1.
    """
    far, near = np.flatnonzero(places <= _FAR), np.flatnonzero(places >= _NEAR)
    if not len(far) or not len(near):
        raise InputError(
            "this step needs pairs that people grade in the lowest quarter of the scale, and in "
            "the highest: the data lack one of the two"
        )
    return int(far[overlaps[far].argmax()]), int(near[overlaps[near].argmin()])


def negation(material: Material) -> Content:
    """Ask which kind of pair has the highest cosine under the flow: the right one would be same."""
    pairs, own = load_pairs(_PAIRS), material.own
    x = material.lab.vectors(material.recipe, (*pairs.first, *pairs.second)).x
    groups = _groups()
    moves = {spec: material.results[spec].calibrator.transform for spec in (RAW, FLOW)}
    cosines = {spec: pairwise_cosine(*np.split(move(x), 2)) for spec, move in moves.items()}
    raw, flow = (
        {name: float(np.median(each[groups == name])) for name in _GROUPS.values()}
        for each in cosines.values()
    )
    highest = max(flow, key=flow.__getitem__)
    kept = groups != ""
    shown = {
        spec: np.append(
            cosines[spec][kept], list(own.cosines(move(own.x) if own else None).values())
        )
        for spec, move in moves.items()
    }
    told = "; ".join(
        f"{name} ({np.count_nonzero(groups == name)} pairs): {raw[name]:.2f} before, "
        f"{flow[name]:.2f} under the flow"
        for name in _GROUPS.values()
    )
    examples = {name: int(np.flatnonzero(groups == name)[0]) for name in (_NEGATED, _SWAPPED)}
    is_told_apart = highest == _SAME and flow[_NEGATED] < 0.5 > flow[_SWAPPED]
    return Content(
        text="These pairs share most of their words. Some mean the same (The bees pollinate the "
        "apple trees. The apple trees are pollinated by the bees.); in some one sentence denies "
        "the other; in some the roles are swapped: who did it becomes whom it was done to. People "
        "tell them apart without effort. They are pairs of the data set "
        f"{_PAIRS}; the flow is the one of the steps before.",
        exhibits=tuple(
            (name.capitalize(), f"{pairs.first[row]}\n{pairs.second[row]}")
            for name, row in examples.items()
        ),
        question="Under the flow, which of these pairs has the highest median cosine?",
        choices=tuple(name.capitalize() for name in flow),
        right=list(flow).index(highest),
        takeaway="This encoder tells negations and swapped roles apart, and the flow keeps that."
        if is_told_apart
        else "Calibration adds no knowledge: under the flow swapped roles still have a cosine of "
        f"{flow[_SWAPPED]:.2f} and negations of {flow[_NEGATED]:.2f}, beside "
        f"{flow[_SAME]:.2f} for the same meaning.",
        explanation=f"Median cosines. {told[0].upper()}{told[1:]}. The words are nearly the same, "
        "and so are the vectors that this encoder makes of them.",
        notes="Ask the room for a negation of its own and try it on the page Playground. Usual "
        "mistake: to hope that a better shape of the cloud adds knowledge. A calibrator moves "
        "vectors; what the encoder did not put into them cannot come out.",
        figure=cosines_by_group(
            shown, [*groups[kept].tolist(), *["your pairs"] * len(own.pairs())]
        ),
        alt="Cosines of pairs with the same meaning, with a negation and with swapped roles, "
        "before and under the flow",
        origin=f"pairs of {_PAIRS}; calibrators of the steps before: "
        f"{origin(material.recipe, (RAW, FLOW))}",
        own=material.own_change(RAW, FLOW),
    )


def _groups() -> np.ndarray:
    """Return the group of each teaching pair; empty for those that are not asked about."""
    with resource(f"{_PAIRS}.tsv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    return np.array(
        [
            _GROUPS.get((row["corner"], row["phenomenon"]), _GROUPS.get((row["corner"], None), ""))
            for row in rows
        ]
    )


def layer(material: Material) -> Content:
    """Ask which layer agrees best with people."""
    recipe, tried = material.recipe, CALIBRATORS[0]
    material.grades()  # refuses before any layer is computed
    material.check_pairs()
    tokens = recipe.with_(layers="last").tokens  # those of layers `model` are no pooling
    asked = MapRecipe(**recipe.with_(calibrator=RAW).to_dict(), poolings=tokens)
    report = layer_map(asked, material.lab, (RAW, tried))
    raw, after = (_along(report, spec) for spec in (RAW, tried))
    if not raw:
        raise InputError("no layer has a correlation with the gold scores")
    best, worst = max(raw, key=raw.__getitem__), min(raw, key=raw.__getitem__)
    last = max(row["layer"] for row in report.rows)
    by_layer = _less(raw[worst], raw[best])
    gains = {k: _less(rho, after[k]) for k, rho in raw.items() if k in after}
    shown = (
        ("Spearman's rho x 100", "rho", 100.0),
        (f"mean cosine of {RANDOM_PAIRS:,} random pairs", "random_cosine", 1.0),
    )
    panels = {
        label: {
            spec: [
                None if row[measure] is None else times * row[measure]
                for row in report.where(calibrator=spec)
            ]
            for spec in (RAW, tried)
        }
        for label, measure, times in shown
    }
    return Content(
        text="An encoder has several layers, and each gives its own vectors. Here only the layer "
        "changes; the sentences, the token pooling and cosine stay the same.",
        question="In which layer does plain cosine agree best with people?",
        choices=("The first: the embedding output", "One in between", "The last"),
        right=0 if best == 0 else 2 if best == last else 1,
        takeaway=f"Layer {best} (0 to {last}) has rho x 100 of {100 * raw[best]:.1f} without "
        f"calibration, {by_layer:.1f} more than layer {worst}: choose the layer first.",
        explanation=f"Layer {best} has the highest rho x 100, {100 * raw[best]:.1f}; layer "
        f"{worst} the lowest, {100 * raw[worst]:.1f}, a difference of {by_layer:.1f}."
        f"{_weighed(tried, gains, by_layer)}",
        notes="Before a calibrator is chosen, a layer is. Have the room compare two distances in "
        "the picture: between layers along one line, and between the two lines at one layer. Usual "
        "mistake: to take the last layer of every model, or the one of a paper on another model.",
        figure=measures_by_layer(
            panels, [str(row["layer"]) for row in report.where(calibrator=RAW)]
        ),
        alt="Rho and the mean cosine of random pairs by layer, plain and after a calibrator",
        origin=origin(
            recipe,
            (RAW, tried),
            layers=f"layers 0 to {last}",
            also=[f"aggregation {recipe.aggregation}"],
        ),
    )


def _along(report: Report, spec: str) -> dict[int, float]:
    """Return rho by layer where there is one, for the one token pooling of the map."""
    rows = report.where(calibrator=spec)
    return {row["layer"]: row["rho"] for row in rows if row["rho"] is not None}


def _less(before: float, after: float) -> float:
    """Return the difference of two rhos x 100 as this step shows them, with one digit."""
    return shown_difference(100 * before, 100 * after, digits=1)


def _weighed(tried: str, gains: dict[int, float], by_layer: float) -> str:
    """Compare a calibrator's largest gain with the choice of the layer."""
    if not gains:
        return ""
    most = max(gains, key=gains.__getitem__)
    gain = gains[most]
    if gain <= 0:
        return f" {tried} improves no layer: at best it changes rho x 100 by {gain:z.1f}."
    weighed = (
        "the two choices matter equally"
        if gain == by_layer
        else f"the choice of {'the layer' if by_layer > gain else 'a calibrator'} matters more"
    )
    return f" The largest gain of {tried} is {gain:+.1f}, at layer {most}: here {weighed}."
