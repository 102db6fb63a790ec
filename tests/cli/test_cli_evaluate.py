"""`evaluate`: what programs read of it, from the options that were given."""

import json
import shlex

import numpy as np
import pandas as pd
import pytest
from tiny_pairs import write_pairs

from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe


def calibrators(*specs):
    return tuple(word for spec in specs for word in ("--calibrator", spec))


@pytest.fixture
def evaluate(works, table, tiny_elsewhere):
    """Return a function that gives the JSON rows after the first, which is the plain output."""

    def run(*options, dataset=table, layers=("layer:2",)):
        chosen = [word for name in layers for word in ("--layers", name)]
        given = (*tiny_elsewhere, *chosen, "--dataset", dataset, *options)
        first, *rows = json.loads(works("evaluate", *given, "--format", "json"))["rows"]
        assert (first["vectors"], first["recipe"]["layers"]) == ("plain output", "model")
        return rows

    return run


LEXICAL_AUCS = {"lexical-jaccard": 1.0, "lexical-coverage": 0.875}
# Pieces in both over either, and over the first: (2/4, 2/3), (1/4, 1/2), (1/3, 1/2), (0, 0).
LABELLED = (
    ("the cat sat", "the cat runs", "duplicate", "x"),
    ("red dog", "dog fast slow", "not_duplicate", "x"),
    ("a big", "big mat", "duplicate", "x"),
    ("green", "blue", "not_duplicate", "x"),
)


def test_pairs_of_two_kinds_have_auc_and_baselines_without_vectors(evaluate, here):
    labelled = write_pairs(here / "labelled.csv", LABELLED)
    words = ("--lexical", "--pairs", *calibrators("standardize"))
    found = evaluate(*words, dataset=labelled)
    assert [each["spec"] for each in found] == ["identity", "standardize", *LEXICAL_AUCS]
    for each in found:
        assert not {"spearman", "pearson"} & set(each)
        ones, zeros = (each["similarity"][i::2] for i in (0, 1))
        auc = sum((one > zero) + (one == zero) / 2 for one in ones for zero in zeros) / 4
        assert (each["auc"], each["auc_all"], each["n_pairs"]) == (auc, auc, 4)
        assert each["auc"] == LEXICAL_AUCS.get(each["spec"], auc)
    jaccard, coverage = (each["similarity"] for each in found[2:])
    assert jaccard == pytest.approx([1 / 2, 1 / 4, 1 / 3, 0], abs=1e-6)
    assert coverage == pytest.approx([2 / 3, 1 / 2, 1 / 2, 0], abs=1e-6)
    zeros_and_ones = [(a, b, int(label == "duplicate"), s) for a, b, label, s in LABELLED]
    table, plain = write_pairs(here / "numbers.csv", zeros_and_ones), calibrators("identity")
    (as_labels,) = evaluate("--metric", "auc", *plain, dataset=table)
    assert as_labels["auc"] == found[0]["auc"]
    (as_scores,) = evaluate("--metric", "rho", *plain, dataset=labelled)
    assert evaluate(*plain, dataset=table)[0]["spearman"] == as_scores["spearman"]


def test_layer_sets_are_scored_one_by_one_each_with_its_baseline(evaluate):
    assert [row["spec"] for row in evaluate()] == ["identity", "null-top-k:k=6", "whiten", "flow"]
    given, specs = ("whiten", "identity", "whiten", "standardize"), ("whiten", "standardize")
    layers = ("layer:0", "layer:2", "last")
    found = evaluate(*calibrators(*given), layers=layers)
    order = [(name, spec) for name in layers for spec in ("identity", *specs)]
    assert [(each["recipe"]["layers"], each["spec"]) for each in found] == order


def test_vectors_of_ones_own_have_the_numbers_of_python_and_a_command(works):
    a, b = np.random.default_rng(1).standard_normal((2, 50, 4)) + 1
    np.save("a.npy", a)
    np.save("b.npy", b)
    pd.DataFrame({"score": np.linspace(0, 5, 50)}).to_csv("scores.csv", index=False)
    given = ("--vectors", "a.npy", "b.npy", "--gold", "scores.csv", "--calibrator", "whiten")
    results = json.loads(works("evaluate", *given, "--format", "json"))["rows"]
    same = Recipe(model="vectors:a.npy,b.npy", dataset="scores.csv")
    expected = Lab().evaluate(same, ["identity", "whiten"])
    assert [each["spearman"]["all"] for each in results] == [each.rho for each in expected]
    command = expected[1].recipe.to_command()
    assert "--revision" in command
    again = json.loads(works(*shlex.split(command)[1:], "--format", "json"))["rows"]
    assert again[1]["spearman"] == results[1]["spearman"]
