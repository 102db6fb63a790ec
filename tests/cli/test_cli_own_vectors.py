"""Vectors of one's own on the command line: the same numbers as the Python path."""

import json
import shlex

import numpy as np
import pandas as pd
import pytest

from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

A, B = np.random.default_rng(1).standard_normal((2, 50, 4)) + 1
GOLD = np.linspace(0, 5, 50)
TWO = ("--vectors", "a.npy", "b.npy", "--gold", "scores.csv")
SAME = Recipe(model="vectors:a.npy,b.npy", dataset="scores.csv")


@pytest.fixture(autouse=True)
def _files(here):
    np.save("a.npy", A)
    np.save("b.npy", B)
    pd.DataFrame({"score": GOLD}).to_csv("scores.csv", index=False)
    pd.DataFrame({"v": list(A)}).to_parquet("a.parquet")


def test_evaluate_prints_numbers_and_a_command_that_repeats_them(works):
    options = ("--calibrator", "whiten", "--format", "json")
    results = json.loads(works("evaluate", *TWO, *options))["rows"]
    expected = Lab().evaluate(SAME, ["identity", "whiten"])
    assert [each["spearman"]["all"] for each in results] == [each.rho for each in expected]
    command = expected[1].recipe.to_command()
    assert "--revision" in command
    again = json.loads(works(*shlex.split(command)[1:], "--format", "json"))["rows"]
    assert again[1]["spearman"] == results[1]["spearman"]


def test_fit_and_calibrate(works):
    for source in ("a.npy", "a.parquet"):
        works("fit", source, "--calibrator", "standardize", "--out", f"fitted-{source}")
        works("calibrate", source, "--calibrator", f"fitted-{source}", "--out", "z.npy", "--force")
        expected = (A - A.mean(0)) / A.std(0)
        np.testing.assert_allclose(np.load("z.npy"), expected, atol=1e-5)
