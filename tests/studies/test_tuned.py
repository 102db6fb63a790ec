"""Calibrators tuned on dev: the choice is dev's alone, and what is scored is an evaluation's."""

import pytest

from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import PLAIN
from bertflow_core.studies.tuned import TunedRecipe, stored_tuned, tuned


@pytest.fixture(scope="module")
def report(real_store):
    return tuned(TunedRecipe(n_draws=200), Lab(store=real_store), ["null-top-k:k=6", "whiten"])


def test_dev_alone_chooses(report, real_store):
    chosen = next(row for row in report.rows if "dev" in row)
    k = int(chosen["calibrator"].removeprefix("null-top-k:k="))
    lab, recipe = Lab(store=real_store), report.params.base().with_(split="dev")
    tried = [f"null-top-k:k={each}" for each in sorted({1, 6, k, k + 1, 40})]
    dev = {space.spec: space.rho for space in lab.evaluate(recipe, tried)}
    assert chosen["calibrator"] == max(dev, key=dev.get)
    assert chosen["dev"] == pytest.approx(max(dev.values()), abs=1e-6)


def test_every_score_is_that_of_an_evaluation(report, real_store):
    lab, recipe = Lab(store=real_store), report.params.base()
    for row in report.rows:
        space = (
            lab.plain(recipe)
            if row["choice"] == PLAIN
            else lab.evaluate(recipe, [row["calibrator"]])[0]
        )
        assert row["score"] == pytest.approx(space.rho, abs=1e-6)
        key = {name: row[name] for name in ("calibrator", "choice")}
        assert row["score"] == pytest.approx(stored_tuned().row(**key)["score"], abs=1e-3)
        assert row["score_low"] <= row["score"] <= row["score_high"]


def test_data_without_a_dev_split_are_refused():
    with pytest.raises(InputError, match="dev split"):
        tuned(TunedRecipe(dataset="teaching"), Lab(), ["whiten"])
