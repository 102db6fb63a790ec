"""One newborn model, trained for a few steps on sentences of few words."""

import csv
import itertools

import pytest

from bertflow_core.experiment import Lab
from bertflow_core.studies.newborn.measure import measure_newborn
from bertflow_core.studies.newborn.recipe import NewbornRecipe
from bertflow_core.studies.newborn.recording import LiveRecording

ANIMALS, TRAITS = "cat dog cow pig hen".split(), "big red old shy fat mad".split()


@pytest.fixture(scope="session")
def newborn_recipe(tmp_path_factory):
    file = tmp_path_factory.mktemp("newborn") / "pairs.csv"
    sentences = [f"The {a} is {b}." for a, b in itertools.product(ANIMALS, TRAITS)] * 2
    sentences += [f"A {a} runs." for a in ANIMALS]
    with file.open("w", newline="", encoding="utf-8") as opened:
        rows = csv.writer(opened)
        rows.writerow(("sentence1", "sentence2", "score"))
        rows.writerows((s, t, i % 6) for i, (s, t) in enumerate(itertools.pairwise(sentences)))
    return NewbornRecipe(
        dataset=str(file), n_unused=3, width=8, n_layers=1, n_steps=25, every=10, batch_size=16
    )


@pytest.fixture(scope="session")
def live(newborn_recipe):
    return LiveRecording(newborn_recipe)


@pytest.fixture(scope="session")
def newborn(newborn_recipe, live):
    return measure_newborn(newborn_recipe, Lab(), specs=("identity", "whiten"), live=live)
