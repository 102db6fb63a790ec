"""Question 1: do shared words make two sentences similar?"""

import re

import numpy as np

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.figures import overlap_against_cosine
from bertflow_core.linalg import FloatArray, Rows, sample_rows, spearman
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import RAW, Material
from bertflow_core.studies.tour.origin import origin

__all__ = ["ask", "overlap"]

_FAR, _NEAR = 0.25, 0.75
"""Places on the scale up to which a pair differs in meaning, and from which it agrees."""

_OUTPUT = "last"
_MOST_MARKS = 1_000
_WORD = re.compile(r"\w+")


def ask(material: Material) -> Content:
    """Ask which is more similar to cosine: shared words, or shared meaning.

    Raises:
        InputError: No gold scores, single sentences, or no pairs of one of the two kinds.
    """
    pairs, gold = material.prepared.pairs, material.grades()
    cosine = pairwise_cosine(material.prepared.x_first, material.prepared.x_second)
    overlaps = np.array([overlap(*each) for each in zip(pairs.first, pairs.second, strict=True)])
    a, b = _extremes(overlaps, gold, pairs.scale)
    right = _higher(cosine[a], cosine[b])
    rho = spearman(overlaps, cosine) or 0.0
    shown = np.union1d(sample_rows(len(pairs), _MOST_MARKS, seed=material.recipe.seed), [a, b])
    names = np.where(shown == a, "pair A", np.where(shown == b, "pair B", ""))
    own = material.own
    return Content(
        text="An encoder turns a sentence into a vector, a list of numbers. The cosine of two "
        "vectors is 1 where they point the same way and 0 where they are at right angles; it is "
        f"used as the similarity of the two sentences. {_of_layers(material.recipe.layers)}Below "
        "are two pairs of sentences. Of the pairs that mean different things to people, A shares "
        "the most words. Of the pairs that mean the same to them, B shares the fewest.",
        exhibits=tuple(
            (f"Pair {name}", f"{pairs.first[row]}\n{pairs.second[row]}")
            for name, row in (("A", a), ("B", b))
        ),
        question="Which pair has the higher cosine?",
        choices=("Pair A: more shared words", "Pair B: the same meaning", "Neither"),
        right=right,
        takeaway=f"Pair A, shared words and another meaning, has a cosine of {cosine[a]:.2f}; "
        f"pair B, other words and the same meaning, has {cosine[b]:.2f}.",
        explanation=f"People grade A {gold[a]:g} and B {gold[b]:g} on a scale from "
        f"{pairs.scale[0]:g} to {pairs.scale[1]:g}: in its lowest and in its highest quarter. Word "
        f"overlap, the share of all words of a pair that both sentences have, is "
        f"{100 * overlaps[a]:.0f} % and {100 * overlaps[b]:.0f} %. Over all {len(pairs):,} pairs "
        f"the rank correlation of cosine with word overlap is {rho:z.2f}; with people's grades it "
        f"is {spearman(gold, cosine) or 0.0:z.2f}.",
        notes="Let the room read both pairs aloud before it votes. Usual mistake: to read a cosine "
        "as a percentage of meaning. Ask afterwards: is the cosine of A high, or are all cosines "
        "high? That is the next question.",
        figure=overlap_against_cosine(
            overlaps[shown],
            cosine[shown],
            _group(gold[shown], pairs.scale),
            names.tolist(),
            texts=[f"{pairs.first[row]}\n{pairs.second[row]}" for row in shown],
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


def _of_layers(layers: str) -> str:
    """Say why the tour is not of the encoder's output, where it is not."""
    if layers in (_OUTPUT, DECLARED):
        return ""
    return (
        f"This tour looks at the vectors of {layers}, inside the encoder; its last step looks at "
        "the encoder's output. "
    )


def overlap(first: str, second: str) -> float:
    """Return how many of the different words of two sentences both have, in [0, 1]."""
    a, b = (set(_WORD.findall(text.lower())) for text in (first, second))
    return len(a & b) / len(a | b) if a | b else 0.0


def _extremes(
    overlaps: FloatArray, gold: FloatArray, scale: tuple[float, float]
) -> tuple[int, int]:
    """Return the most overlapping pair of another meaning, and the least of the same meaning."""
    places = (gold - scale[0]) / (scale[1] - scale[0])
    far, near = np.flatnonzero(places <= _FAR), np.flatnonzero(places >= _NEAR)
    if not len(far) or not len(near):
        raise InputError(
            "this step needs pairs that people grade in the lowest quarter of the scale, and in "
            "the highest: the data lack one of the two"
        )
    return int(far[overlaps[far].argmax()]), int(near[overlaps[near].argmin()])


def _group(gold: FloatArray, scale: tuple[float, float]) -> list[str]:
    places = (gold - scale[0]) / (scale[1] - scale[0])
    names = ("another meaning (lowest quarter)", "in between", "same meaning (highest quarter)")
    kinds: Rows = (places > _FAR).astype(int) + (places >= _NEAR)
    return [names[kind] for kind in kinds]


def _higher(a: float, b: float) -> int:
    """Return which cosine is larger as it is printed, 0 or 1; 2 where neither is."""
    shown = round(float(a), 2), round(float(b), 2)
    return 2 if shown[0] == shown[1] else int(shown[0] < shown[1])
