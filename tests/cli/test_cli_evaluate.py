"""`evaluate` and `ledger`: the output for programs, by the options."""

import csv
import io
import json
import shlex

import numpy as np
import pandas as pd
import pytest
from tiny_models import MAX_TOKENS, save_tiny_model
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe

SPECS = ("null-top-k:k=2", "standardize")


def calibrators(*specs):
    return tuple(word for spec in specs for word in ("--calibrator", spec))


@pytest.fixture
def evaluate(works, table, tiny_elsewhere):
    """Return a function that returns the JSON rows after the first, the plain output."""

    def run(*options, dataset=table, layers=("layer:2",)):
        chosen = [word for name in layers for word in ("--layers", name)]
        given = (*tiny_elsewhere, *chosen, "--dataset", dataset, *options)
        first, *rows = json.loads(works("evaluate", *given, "--format", "json"))["rows"]
        assert (first["vectors"], first["recipe"]["layers"]) == ("plain output", "model")
        return rows

    return run


LEXICAL_AUCS = {"lexical-jaccard": 1.0, "lexical-coverage": 0.875}
# Shared pieces over all pieces, and over the first sentence's: (2/4, 2/3), (1/4, 1/2), ...
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
    same = Recipe(model="vectors:a.npy,b.npy", dataset="scores.csv")
    given = ("--model", same.model, "--dataset", same.dataset, "--calibrator", "whiten")
    results = json.loads(works("evaluate", *given, "--format", "json"))["rows"]
    expected = Lab().evaluate(same.each(calibrators=["identity", "whiten"]))
    assert [each["spearman"]["all"] for each in results] == [each.rho for each in expected]
    command = expected[1].recipe.to_command()
    assert "--revision" in command
    again = json.loads(works(*shlex.split(command)[1:], "--format", "json"))["rows"]
    assert again[1]["spearman"] == results[1]["spearman"]


def test_what_has_no_gold_is_measured_without_rho_and_without_arrows(works, tiny, here):
    (here / "one.csv").write_text("sentence\n" + "\n".join(row[0] for row in pair_rows(12)))
    options = (*tiny, "--dataset", "one.csv", *calibrators(SPECS[0]))
    evaluated = works("evaluate", *options)
    assert "12 sentences" in evaluated
    (line,) = [line for line in evaluated.splitlines() if line.startswith("layer:2")][1:]
    assert line.split()[1:4] == [SPECS[0], "-", "-"]
    assert any("There is no rho" in line for line in evaluated.splitlines())
    assert "Holm" not in evaluated and "significant" not in evaluated


def test_a_folder_gets_every_form_the_pictures_and_the_tests_and_none_of_other_files_is_taken(
    works, refuses, tiny, here, request
):
    tables = (write_pairs(here / "one.csv"), write_pairs(here / "two.csv", pair_rows(30)[3:]))
    data = (word for path in tables for word in ("--dataset", path))
    command = ("evaluate", *tiny, *data, *calibrators(*SPECS))
    out = here / "out"
    assert "Holm-adjusted" in works(*command, "--out", out)
    names = {entry.name for entry in out.glob("[!.]*")}
    forms = {f"evaluate.{ending}" for ending in ("txt", "csv", "json", "md", "tex")}
    assert names == {"cells", "plotly.min.js", *forms, "scores.html"}
    rows = [*csv.DictReader((out / "evaluate.csv").open())]
    assert len(rows) == 3 * (1 + 3)  # two tables and their average
    for row in rows:
        assert float(row["score_low"]) <= float(row["score"]) <= float(row["score_high"])
    (here / "thesis").mkdir()
    (here / "thesis" / "chapter.tex").write_text("all my work")
    request.getfixturevalue("no_embedding")
    refuses(*command, "--out", here / "thesis", words="'chapter.tex'")


def test_the_printed_command_names_a_tables_columns_with_the_table_first(works, tiny, here):
    names = ["odd.csv", "two.csv"]
    for name in names:
        path = write_pairs(here / name)
        path.write_text(path.read_text().replace("score", "points", 1))
    columns = ("--sentence1", "sentence1", "--sentence2", "sentence2", "--score", "points")
    data = [word for name in names for word in ("--dataset", name)]
    options = (*tiny, *columns, *data, *calibrators(SPECS[1]))
    once = json.loads(works("evaluate", *options, "--format", "json"))
    words = shlex.split(once["command"])[1:]
    named = [words[i + 1] for i, word in enumerate(words) if word == "--dataset"]
    assert named == names
    again = json.loads(works(*words, "--device", "cpu", "--format", "json"))
    assert again["rows"][0]["score"] == once["rows"][0]["score"]


def test_shares_of_pairs_add_up_to_the_difference_that_evaluate_gives(works, tiny, table):
    def read(*words):
        ledger = ("ledger", *tiny, "--dataset", table, "--after", SPECS[0], "--format", "csv")
        return list(csv.DictReader(io.StringIO(works(*ledger, *words))))

    rows = read("--order", "row")
    assert len(rows) == 24
    text = works("evaluate", *tiny, "--dataset", table, *calibrators(SPECS[0]), "--format", "json")
    rho = [result["spearman"]["all"] for result in json.loads(text)["rows"][1:]]
    assert sum(float(row["share"]) for row in rows) == pytest.approx(rho[1] - rho[0], abs=1e-9)
    for order, sign in (("improved", 1), ("worsened", -1)):
        found = read("--order", order, "--top", 5)
        improved = [sign * float(row["improved"]) for row in found]
        assert 0 < len(improved) <= 5
        assert improved == sorted(improved, reverse=True) and improved[-1] > 0


def test_several_models_have_their_own_rows_and_pictures(works, lab, table, here):
    command, names = "analyse thresholds", ("one", "two")
    for name, size in zip(names, (2, 3), strict=True):
        save_tiny_model(here / name, "bert", num_hidden_layers=size)
    of = ("--dataset", table, "--layers", "layer:1", "--max-length", str(MAX_TOKENS))
    options = (*of, *calibrators("standardize"), "--format", "json")
    alone = {name: json.loads(works(*command.split(), "--model", f"./{name}", *options))
             for name in names}  # fmt: skip
    both = [word for name in names for word in ("--model", f"./{name}")]
    figures = ("--figures", "pictures")
    found = json.loads(works(*command.split(), *both, *options, *figures))
    for name in names:
        rows = [row for row in found["rows"] if row["model"] == name]
        assert drop_times(rows) == drop_times(alone[name]["rows"])
        drawn = here / "pictures" / "random-pairs.html"  # a ridge per model, or a figure
        assert list((here / "pictures").glob(f"*-{name}*")) or f"{name}, plain" in drawn.read_text()
    assert found["command"].count("--model") == 2
    (here / "profile.json").write_text(json.dumps(found))  # of both models
    again = json.loads(works(*command.split(), *both, *options, "--known", "profile.json"))
    assert [e["threshold"] for e in again["rows"]] == [e["threshold"] for e in found["rows"]]
    refused = lab(*command.split(), *both, *of, "--carried", "profile.json")
    assert (refused.code, "of one model" in refused.err) == (2, True)
    for each in (command.split(), ["evaluate"]):
        refused = lab(*each, *both, *of, "--revision", "abc")
        assert (refused.code, "revision applies to one model" in refused.err) == (2, True)


def drop_times(rows):
    """Return rows without the model's name and without times."""
    return [
        {key: row[key] for key in row if key != "model" and "seconds" not in key} for row in rows
    ]
