"""`evaluate`: what programs read of it, from the options that were given."""

import csv
import io
import json
import math

import pytest
from tiny_pairs import pair_rows, write_pairs

SPECS = (
    "identity",
    "null-top-k:k=6",
    "standardize+null-top-k:k=6",
    "flow:lr=1e-3,epochs=1",
    "whiten:n_components=4",
)


def calibrators(*specs):
    return tuple(word for spec in specs for word in ("--calibrator", spec))


@pytest.fixture
def stsb(here):
    """STS-B in SentEval's layout below `data`: 24 pairs in each split."""
    folder = here / "data" / "STS" / "STSBenchmark"
    folder.mkdir(parents=True)
    for split in ("train", "dev", "test"):
        lines = [
            f"main\tnews\t2012\t{i}\t{score}\t{split} {first}\t{second}\n"
            for i, (first, second, score, _) in enumerate(pair_rows())
        ]
        (folder / f"sts-{split}.csv").write_text("".join(lines), encoding="utf-8")
    return here / "data"


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


def numbers(values):
    """Every number below a JSON value."""
    if isinstance(values, dict | list):
        inner = values.values() if isinstance(values, dict) else values
        return [number for value in inner for number in numbers(value)]
    return [values] if isinstance(values, int | float) else []


def test_json_keeps_its_contract(evaluate, stsb):
    options = ("--split", "test", "--tokens", "mean", "--fit-on", "target", "--seed", "0")
    found = evaluate(*options, "--data-dir", stsb, *calibrators(*SPECS), dataset="stsb")
    assert [result["spec"] for result in found] == list(SPECS)
    for result in found:
        assert (result["dataset"], result["split"], result["n_pairs"]) == ("stsb", "test", 24)
        assert result["recipe"]["calibrator"] == result["spec"]
        for name in ("spearman", "pearson"):
            assert set(result[name]) == {"all", "mean", "wmean", "subsets"}
            assert set(result[name]["subsets"]) == {"stsb"}
            assert -1 <= result[name]["all"] <= 1
        assert set(result["seconds"]) == {"embed", "fit", "transform"}
        assert all(seconds >= 0 for seconds in result["seconds"].values())
        assert result["fit_corpus"]["n_sentences"] == 3 * 2 * 24
        assert all(map(math.isfinite, numbers(result)))
    parameters = [result["parameters"] for result in found]
    assert parameters[0] == {}
    assert parameters[1] == {"k": 6}
    assert parameters[2] == {"steps": [{"name": "standardize"}, {"name": "null-top-k", "k": 6}]}
    assert (parameters[3]["lr"], parameters[3]["epochs"], parameters[3]["seed"]) == (1e-3, 1, 0)


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


def test_scores_are_no_labels(refuses, table, tiny):
    refuses("evaluate", *tiny, "--dataset", table, "--metric", "auc", words="of two kinds")


def test_compare_tests_auc(works, here, tiny):
    rows = [(a, b, ("no", "yes")[score > 2.5], s) for a, b, score, s in pair_rows(60)]
    words = ("--dataset", write_pairs(here / "many.csv", rows), "--calibrator", "whiten")
    text = works("compare", *tiny, *words, "--bootstrap", 200)
    assert "many.csv (AUC)" in text
    assert "AUC x 100" in text and "rho" not in text


def test_the_baseline_comes_first_and_each_calibrator_once(evaluate):
    found = evaluate(*calibrators("whiten", "identity", "whiten", "standardize"))
    assert [result["spec"] for result in found] == ["identity", "whiten", "standardize"]
    usual = [result["spec"] for result in evaluate()]
    assert usual == ["identity", "null-top-k:k=6", "whiten", "flow"]


def test_layer_sets_are_scored_one_by_one_each_with_its_baseline(works, evaluate, table, tiny):
    layers, specs = ("layer:0", "layer:2", "last"), ("whiten", "standardize")
    found = evaluate(*calibrators(*specs), layers=layers)
    order = [(name, spec) for name in layers for spec in ("identity", *specs)]
    assert [(each["recipe"]["layers"], each["spec"]) for each in found] == order
    rhos = [each["spearman"]["all"] for each in found]
    alone = evaluate(*calibrators(*specs))
    assert rhos[3:6] == [each["spearman"]["all"] for each in alone]
    shown = works("evaluate", *tiny, "--dataset", table, *calibrators(*specs)).splitlines()[3:6]
    cells = [line.split() for line in shown]
    assert [cell[1:3] for cell in cells] == [
        [spec, f"{100 * rho:.2f}"]
        for spec, rho in zip(("identity", *specs), rhos[3:6], strict=True)
    ]
    assert [cell[3] for cell in cells[1:]] == [
        f"{round(100 * rho, 2) - round(100 * rhos[3], 2):+.2f}" for rho in rhos[4:6]
    ]


def test_the_seed_of_the_options_is_the_flows(evaluate):
    def run(*options):
        result = evaluate(*options)[-1]
        return result["parameters"]["seed"], result["pearson"]["all"]

    flow = ("--calibrator", "flow:permutation=random")
    assert run(*flow, "--seed", 1) == run(*flow, "--seed", 1)
    assert run(*flow, "--seed", 1)[1] != run(*flow, "--seed", 2)[1]
    assert run("--calibrator", "flow:permutation=random,seed=1", "--seed", 2) == run(
        *flow, "--seed", 1
    )


@pytest.mark.parametrize(
    "options", [(), ("--sentence1", "sentence2", "--sentence2", "sentence1", "--score", "score")]
)
def test_columns_and_split_of_a_table(evaluate, options):
    first = evaluate(*options, *calibrators("identity"))[0]
    subsets = {"pairs"} if options else {"even", "odd"}
    assert set(first["spearman"]["subsets"]) == subsets
    assert first["n_pairs"] == 24


def test_what_is_undefined_is_null_a_dash_or_empty(works, evaluate, here, tiny):
    rows = [(*row[:2], 2.5 if row[3] == "odd" else row[2], row[3]) for row in pair_rows()]
    path = write_pairs(here / "flat.csv", rows)
    options = ("--calibrator", "identity", "--aggregation", "mean")
    spearman = evaluate(*options, dataset=path)[0]["spearman"]
    assert spearman["subsets"]["odd"] is spearman["mean"] is spearman["wmean"] is None
    assert isinstance(spearman["all"], float)
    assert isinstance(spearman["subsets"]["even"], float)

    def run(form):
        return works("evaluate", *tiny, "--dataset", path, *options, "--format", form)

    assert run("table").splitlines()[3].split()[1:4] == ["identity", "-", "-"]
    _, row = csv.DictReader(io.StringIO(run("csv")))
    assert row["spearman_mean"] == row["pearson_wmean"] == row["spearman_subsets_odd"] == ""
    assert "identity & - &" in run("latex")
