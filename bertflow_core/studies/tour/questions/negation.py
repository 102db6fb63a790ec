"""Question 10: can calibration tell who did what to whom, and what did not happen?"""

import csv
from collections.abc import Mapping

import numpy as np

from bertflow_core.datasets import load_pairs
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.figures import Figure, cosines_by_group
from bertflow_core.files import resource
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import FLOW, RAW, Material
from bertflow_core.studies.tour.origin import origin

__all__ = ["ask"]

_PAIRS = "teaching"
_SAME, _NEGATED, _SWAPPED = "same meaning", "a negation", "roles swapped"
_GROUPS = {
    ("many-same", None): _SAME,
    ("many-different", "negation"): _NEGATED,
    ("many-different", "role-swap"): _SWAPPED,
}
"""Pairs of `teaching` that share most of their words, by corner and phenomenon; None is any."""


def ask(material: Material) -> Content:
    """Ask which kind of pair has the highest cosine under the flow: the right one would be same."""
    pairs = load_pairs(_PAIRS)
    x = material.lab.vectors(material.recipe, (*pairs.first, *pairs.second)).x
    groups = np.array(_groups())
    cosines = {
        spec: pairwise_cosine(*np.split(material.results[spec].calibrator.transform(x), 2))
        for spec in (RAW, FLOW)
    }
    medians = {
        spec: {name: float(np.median(cosine[groups == name])) for name in _GROUPS.values()}
        for spec, cosine in cosines.items()
    }
    names = tuple(_GROUPS.values())
    right = int(np.argmax(list(medians[FLOW].values())))
    return Content(
        text="These pairs share most of their words. Some mean the same (The bees pollinate the "
        "apple trees. The apple trees are pollinated by the bees.); in some one sentence denies "
        "the other; in some the roles are swapped: who did it becomes whom it was done to. People "
        "tell them apart without effort. They are pairs of the data set "
        f"{_PAIRS}; the flow is the one of the steps before.",
        exhibits=_examples(groups, pairs.first, pairs.second),
        question="Under the flow, which of these pairs has the highest median cosine?",
        choices=tuple(name.capitalize() for name in names),
        right=right,
        takeaway=_takeaway(names[right], medians[FLOW]),
        explanation=_explanation(medians, groups),
        notes="Ask the room for a negation of its own and try it on the page Playground. Usual "
        "mistake: to hope that a better shape of the cloud adds knowledge. A calibrator moves "
        "vectors; what the encoder did not put into them cannot come out.",
        figure=_figure(material, cosines, groups),
        alt="Cosines of pairs with the same meaning, with a negation and with swapped roles, "
        "before and under the flow",
        origin=f"pairs of {_PAIRS}; calibrators of the steps before: "
        f"{origin(material.recipe, (RAW, FLOW))}",
        own=material.own_change(RAW, FLOW),
    )


def _groups() -> list[str]:
    """Return the group of each teaching pair; empty for those that are not asked about."""
    with resource(f"{_PAIRS}.tsv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    return [
        _GROUPS.get((row["corner"], row["phenomenon"]), _GROUPS.get((row["corner"], None), ""))
        for row in rows
    ]


def _figure(material: Material, cosines: Mapping[str, FloatArray], groups: FloatArray) -> Figure:
    """Draw the groups before and under the flow, with the learner's own pairs as one more."""
    kept = groups != ""
    shown = {spec: cosine[kept] for spec, cosine in cosines.items()}
    shown_groups = groups[kept].tolist()
    own = material.own
    if own:
        calibrator = material.results[FLOW].calibrator
        yours = {RAW: own.cosines(), FLOW: own.cosines(calibrator.transform(own.x))}
        shown = {
            spec: np.append(cosine, list(yours[spec].values())) for spec, cosine in shown.items()
        }
        shown_groups += ["your pairs"] * len(own.pairs())
    return cosines_by_group(shown, shown_groups)


def _examples(
    groups: FloatArray, first: tuple[str, ...], second: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    places = {name: int(np.flatnonzero(groups == name)[0]) for name in (_NEGATED, _SWAPPED)}
    return tuple(
        (name.capitalize(), f"{first[row]}\n{second[row]}") for name, row in places.items()
    )


def _takeaway(highest: str, medians: Mapping[str, float]) -> str:
    if highest == _SAME and medians[_NEGATED] < 0.5 > medians[_SWAPPED]:
        return "This encoder tells negations and swapped roles apart, and the flow keeps that."
    return (
        f"Calibration adds no knowledge: under the flow swapped roles still have a cosine of "
        f"{medians[_SWAPPED]:.2f} and negations of {medians[_NEGATED]:.2f}, beside "
        f"{medians[_SAME]:.2f} for the same meaning."
    )


def _explanation(medians: Mapping[str, Mapping[str, float]], groups: FloatArray) -> str:
    told = "; ".join(
        f"{name} ({np.count_nonzero(groups == name)} pairs): {medians[RAW][name]:.2f} before, "
        f"{medians[FLOW][name]:.2f} under the flow"
        for name in _GROUPS.values()
    )
    return (
        f"Median cosines. {told[0].upper()}{told[1:]}. The words are nearly the same, and so "
        "are the vectors that this encoder makes of them."
    )
