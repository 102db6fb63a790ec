"""`evaluate`: what it prints in each format, from the options that were given."""

import csv
import io
import json
import math
import re

import pytest
from tiny_pairs import pair_rows, write_pairs

SPECS = (
    "identity",
    "null-top-k:k=6",
    "standardize+null-top-k:k=6",
    "flow:lr=1e-3,epochs=1",
    "whiten:n_components=4",
)
CALIBRATORS = tuple(word for spec in SPECS for word in ("--calibrator", spec))


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


def rows_in(text):
    """The rows of JSON after the first, which is the plain output."""
    first, *rows = json.loads(text)["rows"]
    assert (first["vectors"], first["recipe"]["layers"]) == ("plain output", "model")
    return rows


def numbers(values):
    """Every number below a JSON value."""
    if isinstance(values, dict | list):
        inner = values.values() if isinstance(values, dict) else values
        return [number for value in inner for number in numbers(value)]
    return [values] if isinstance(values, int | float) else []


def test_json_keeps_its_contract(works, stsb, tiny):
    options = ("--dataset", "stsb", "--split", "test")
    more = ("--tokens", "mean", "--data-dir", stsb, "--fit-on", "target", "--seed", "0")
    text = works("evaluate", *tiny, *options, *more, *CALIBRATORS, "--format", "json")
    found = rows_in(text)
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


class TestLabels:
    """Pairs of two kinds: AUC, and the baselines without vectors."""

    # Pieces in both over either, and over the first: (2/4, 2/3), (1/4, 1/2), (1/3, 1/2), (0, 0).
    ROWS = (
        ("the cat sat", "the cat runs", "duplicate", "x"),
        ("red dog", "dog fast slow", "not_duplicate", "x"),
        ("a big", "big mat", "duplicate", "x"),
        ("green", "blue", "not_duplicate", "x"),
    )

    @pytest.fixture
    def labelled(self, here):
        return write_pairs(here / "labelled.csv", self.ROWS)

    def test_json_has_auc_and_no_rho(self, works, labelled, tiny):
        words = ("--lexical", "--calibrator", "standardize", "--format", "json", "--pairs")
        found = rows_in(works("evaluate", *tiny, "--dataset", labelled, *words))
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

    def test_numbers_are_labels_where_that_is_asked_for(self, works, here, labelled, tiny):
        numbers = [(a, b, int(label == "duplicate"), s) for a, b, label, s in self.ROWS]
        table = write_pairs(here / "numbers.csv", numbers)
        words = ("--calibrator", "identity", "--format", "json")

        def run(dataset, *options):
            text = works("evaluate", *tiny, "--dataset", dataset, *words, *options)
            return rows_in(text)[0]

        assert run(table, "--metric", "auc")["auc"] == run(labelled)["auc"]
        assert run(table)["spearman"] == run(labelled, "--metric", "rho")["spearman"]

    def test_scores_are_no_labels(self, refuses, table, tiny):
        refuses("evaluate", *tiny, "--dataset", table, "--metric", "auc", words="of two kinds")

    def test_compare_names_and_tests_it(self, works, here, tiny):
        rows = [(a, b, ("no", "yes")[score > 2.5], s) for a, b, score, s in pair_rows(60)]
        words = ("--dataset", write_pairs(here / "many.csv", rows), "--calibrator", "whiten")
        text = works("compare", *tiny, *words, "--bootstrap", 200)
        assert "many.csv (AUC)" in text
        assert "AUC x 100 of cosine for label 1 against 0" in text
        assert re.search(r"^data set +row +AUC x 100 +letters", text, re.MULTILINE)
        assert "rho" not in text


def test_the_order_is_that_of_the_options(works, table, tiny):
    specs = ("whiten", "identity", "whiten", "standardize")
    words = [word for spec in specs for word in ("--calibrator", spec)]
    text = works("evaluate", *tiny, "--dataset", table, *words, "--format", "json")
    found = [result["spec"] for result in rows_in(text)]
    assert found == ["identity", "whiten", "standardize"]  # the baseline first, each once


def test_layer_sets_are_scored_one_by_one_each_with_its_baseline(works, table, tiny_elsewhere):
    layers, specs = ("layer:0", "layer:2", "last"), ("whiten", "standardize")
    calibrators = [word for spec in specs for word in ("--calibrator", spec)]
    several = [word for name in layers for word in ("--layers", name)]

    def run(form, *options):
        given = (*tiny_elsewhere, "--dataset", table, *calibrators, *options, "--format", form)
        return works("evaluate", *given)

    found = rows_in(run("json", *several))
    order = [(name, spec) for name in layers for spec in ("identity", *specs)]
    assert [(each["recipe"]["layers"], each["spec"]) for each in found] == order
    rhos = [each["spearman"]["all"] for each in found]
    alone = rows_in(run("json", "--layers", "layer:2"))
    assert rhos[3:6] == [each["spearman"]["all"] for each in alone]
    _, *rows = csv.DictReader(io.StringIO(run("csv", *several)))
    assert [(row["recipe_layers"], row["spec"]) for row in rows] == order
    header, _, _, *lines = run("table", *several).splitlines()
    assert header.split()[:2] == ["vectors", "calibrator"]
    cells = [line.split() for line in lines[: len(order)]]
    assert [(cell[0], cell[1]) for cell in cells] == order
    shown = [round(100 * rho, 2) for rho in rhos]
    changes = [f"{shown[i] - shown[i // 3 * 3]:+.2f}" for i in range(9) if i % 3]
    assert [cell[3] for i, cell in enumerate(cells) if i % 3] == changes


def test_without_calibrators_the_usual_ones_are_compared(works, table, tiny):
    text = works("evaluate", *tiny, "--dataset", table, "--format", "json")
    specs = [result["spec"] for result in rows_in(text)]
    assert specs == ["identity", "null-top-k:k=6", "whiten", "flow"]


def test_the_seed_of_the_options_is_the_flows(works, table, tiny):
    def run(*options):
        text = works("evaluate", *tiny, "--dataset", table, *options, "--format", "json")
        *_, result = json.loads(text)["rows"]
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
def test_columns_and_split_of_a_table(works, table, tiny, options):
    text = works("evaluate", *tiny, "--dataset", table, *options, "--format", "json")
    first, *_ = json.loads(text)["rows"]
    subsets = {"pairs"} if options else {"even", "odd"}
    assert set(first["spearman"]["subsets"]) == subsets
    assert first["n_pairs"] == 24


class TestFormats:
    """One comparison in the four formats, the second run's vectors read from the cache."""

    @pytest.fixture
    def shown(self, works, table, tiny):
        def run(form, *options):
            given = ("--dataset", table, *CALIBRATORS, *options, "--format", form)
            return works("evaluate", *tiny, *given)

        return run

    @pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
    def test_the_table_agrees_with_json(self, shown, aggregation):
        results = rows_in(shown("json"))
        lines = shown("table", "--aggregation", aggregation).splitlines()
        header, rule, _, *rows = lines[: 3 + len(SPECS)]
        assert re.split(r" {2,}", header)[:4] == ["vectors", "calibrator", "rho x 100", "change"]
        assert set(rule) == {"-", " "}
        base = results[0]["spearman"][aggregation]
        for i, (row, result) in enumerate(zip(rows, results, strict=True)):
            cells = row.split()[1:]
            rho = result["spearman"][aggregation]
            assert cells[0] == result["spec"]
            assert cells[1] == f"{100 * rho:.2f}"
            change = round(100 * rho, 2) - round(100 * base, 2)
            assert cells[2 if i else 1] == (f"{change:+.2f}" if i else cells[1])
            assert cells[-3] == f"{100 * result['pearson'][aggregation]:.2f}"
            assert cells[-2] == f"{result['random_cosine']:.3f}"
        assert len({len(row) for row in rows}) == 1  # aligned


def test_what_is_undefined_is_null_a_dash_or_empty(works, here, tiny):
    rows = [(*row[:2], 2.5 if row[3] == "odd" else row[2], row[3]) for row in pair_rows()]
    path = write_pairs(here / "flat.csv", rows)

    def run(form):
        options = ("--calibrator", "identity", "--aggregation", "mean", "--format", form)
        return works("evaluate", *tiny, "--dataset", path, *options)

    spearman = rows_in(run("json"))[0]["spearman"]
    assert spearman["subsets"]["odd"] is None
    assert spearman["mean"] is spearman["wmean"] is None
    assert isinstance(spearman["all"], float)
    assert isinstance(spearman["subsets"]["even"], float)
    assert run("table").splitlines()[3].split()[1:4] == ["identity", "-", "-"]
    _, row = csv.DictReader(io.StringIO(run("csv")))
    assert row["spearman_mean"] == row["pearson_wmean"] == row["spearman_subsets_odd"] == ""
    assert "identity & - &" in run("latex")
