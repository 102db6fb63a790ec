"""Results as text, from results made by hand: exact cells, guards, escapes."""

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.datasets import Corpus, Provenance, SentencePairs
from bertflow_core.evaluation.sts import Correlations, StsScores
from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared, Space
from bertflow_core.studies.scores import score_rows, scores_report

X = np.random.default_rng(0).standard_normal((3, 2))
SOURCE = Provenance("A table.", "not stated", "table", (), (("main", 3),))


def correlations(value, subsets=None):
    return Correlations(value, value, value, {"main": value} if subsets is None else subsets)


def result(spec="identity", rho=0.5, pearson=0.25, subsets=None, notes=(), **recipe):
    recipe = Recipe(dataset="pairs.csv", calibrator=spec, **recipe)
    pairs = SentencePairs("pairs", "test", "abc", "def", [1, 2, 3], (0, 5), ["main"] * 3, SOURCE)
    corpus = Corpus(("a", "b", "c"), "3 sentences of pairs.", (SOURCE,))
    calibrator = build_calibrator(spec).fit(X)
    calibrator.notes_ = tuple(notes)
    return Space(
        recipe=recipe,
        scores=StsScores(3, correlations(rho, subsets), correlations(pearson, subsets)),
        random_cosine=0.1234567,
        similarity=np.zeros(3),
        calibrator=calibrator,
        prepared=Prepared(recipe, pairs, corpus, X, X, X, 1, 6, {"model": "minilm"}, 1.5),
        seconds={"embed": 1.5, "fit": 0.126, "transform": 0.01},
    )


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def write(form, results):
    return scores_report(results).write(form)


def test_the_table_is_exactly_this():
    results = [
        result(),
        result("standardize", 0.612345, -0.1),
        result("whiten:n_components=1", 0.4, None, notes=["1 direction has no variance"]),
    ]
    assert write("table", results) == "\n".join(
        [
            "vectors  calibrator             rho x 100  change  Pearson  random cos  fit s",
            "-------  ---------------------  ---------  ------  -------  ----------  -----",
            "layer:4  identity                   50.00            25.00       0.123   0.13",
            "layer:4  standardize                61.23  +11.23   -10.00       0.123   0.13",
            "layer:4  whiten:n_components=1      40.00  -10.00        -       0.123   0.13",
            "",
            "minilm, mean tokens, at most 64 tokens, float32; pairs.csv test; fitted on target, "
            "seed 0; aggregation all.",
            "3 pairs.",
            "Fitted on 3 sentences of pairs.",
            "Transductive: 3 of 6 scored sentences are among those fitted on, without their "
            "scores.",
            "1 of 6 distinct sentences were cut (input at most 64 tokens).",
            "Only 3 pairs: a rho of so few is mostly chance.",
            "whiten:n_components=1: 1 direction has no variance.",
            "change: against the same vectors uncalibrated.",
            "random cos: mean cosine of 10,000 random pairs of the scored sentences.",
        ]
    )


@pytest.mark.parametrize(
    ("rhos", "changes"),
    [
        ([0.5, 0.5, 0.25], [None, 0, -0.25]),
        ([None, 0.5], [None, None]),
        ([0.5, None, 1.0], [None, None, 0.5]),
    ],
)
def test_change_is_against_the_first_and_needs_both(rhos, changes):
    rows = score_rows([result(rho=rho) for rho in rhos])
    assert [row["score"] for row in rows] == rhos
    assert [row.get("change") for row in rows] == changes


def test_the_aggregation_of_the_recipe_is_shown():
    shown = result(aggregation="wmean")
    scores = replace(shown.scores, spearman=Correlations(0.1, 0.2, 0.3, {}))
    assert score_rows([replace(shown, scores=scores)])[0]["score"] == 0.3


class TestJson:
    def test_is_utf8_and_whole(self):
        text = write("json", [result(model="mod\u00e8le"), result("whiten", None)])
        assert "mod\u00e8le" in text
        first, second = json.loads(text)["rows"]
        assert first["recipe"]["model"] == "mod\u00e8le"
        assert second["spearman"]["all"] is None
        assert list(first)[:3] == ["vectors", "layers", "calibrator"]


class TestCsv:
    def test_holds_every_number_and_the_recipe(self):
        (row,) = rows_of(write("csv", [result("standardize", 0.1, 0.2, seed=7)]))
        assert row["spec"] == row["recipe_calibrator"] == "standardize"
        assert (row["spearman_all"], row["pearson_wmean"]) == ("0.1", "0.2")
        assert (row["n_pairs"], row["n_cut"], row["recipe_seed"]) == ("3", "1", "7")
        assert row["seconds_fit"] == "0.126"
        assert row["recipe_revision"] == ""
        assert {f"recipe_{name}" for name in Recipe(dataset="teaching").to_dict()} < set(row)

    @pytest.mark.parametrize("name", ["a,b", 'say "x"', "two\nlines", "=1+1", " ", "\u00fc"])
    def test_a_subset_may_be_called_anything(self, name):
        (row,) = rows_of(write("csv", [result(subsets={name: 0.75})]))
        assert row[f"spearman_subsets_{name}"] == "0.75"

    @pytest.mark.parametrize("name", ["all", "mean", "wmean"])
    def test_a_subset_never_hides_an_aggregation(self, name):
        (row,) = rows_of(write("csv", [result(rho=0.5, pearson=0.5, subsets={name: 0.75})]))
        assert row[f"spearman_{name}"] == row[f"pearson_{name}"] == "0.5"


class TestLatex:
    @pytest.mark.parametrize("name", ["\\", "{", "}}", "$", "%", "~^", r"\input{x}", "\\\\"])
    def test_its_braces_balance_and_nothing_is_run(self, name):
        text = write("latex", [result(model=name)])
        bare = re.sub(r"\\[{}&%$#_]", "", text)
        assert bare.count("{") == bare.count("}")
        assert not re.search(r"[~^]", bare)
        assert re.findall(r"(?<!\\)%", text) == []
        assert set(re.findall(r"\\([a-z]+)", text)) <= {
            *("begin", "end", "centering", "toprule", "midrule", "bottomrule", "caption"),
            *("rho", "times", "textbackslash", "textasciitilde", "textasciicircum"),
        }
