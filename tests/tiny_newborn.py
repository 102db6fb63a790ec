"""A table of few words on which a newborn model trains in less than a second, and its recipe."""

import itertools
from pathlib import Path

from tiny_pairs import write_pairs

from bertflow_core.studies.newborn.recording import NewbornRecipe

ANIMALS, TRAITS = "cat dog cow pig hen".split(), "big red old shy fat mad".split()


def tiny_newborn(folder: Path) -> NewbornRecipe:
    """Write scored pairs into a folder and return the recipe of a model that learns from them."""
    sentences = [f"The {a} is {b}." for a, b in itertools.product(ANIMALS, TRAITS)] * 2
    sentences += [f"A {a} runs." for a in ANIMALS]
    pairs = itertools.pairwise(sentences)
    rows = [(first, second, i % 6, "all") for i, (first, second) in enumerate(pairs)]
    file = write_pairs(folder / "pairs.csv", rows)
    return NewbornRecipe(
        dataset=str(file), n_unused=3, width=8, n_layers=1, n_steps=25, every=10, batch_size=16
    )
