"""Results as rows and CSV, from results made by hand: changes, aggregations, guards."""

import csv
import io
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from bertflow_core.calibrators import build_calibrator
from bertflow_core.datasets import Corpus, Provenance, SentencePairs
from bertflow_core.evaluation.sts import Correlations, StsScores
from bertflow_core.recipe import Recipe
from bertflow_core.report import Column, Report, Table
from bertflow_core.space import Prepared, Space
from bertflow_core.studies.scores import scores_report

X = np.random.default_rng(0).standard_normal((3, 2))
SOURCE = Provenance("A table.", "not stated", "table", (), (("main", 3),))


def correlations(value, subsets=None):
    return Correlations(value, value, value, {"main": value} if subsets is None else subsets)


def result(spec="identity", rho=0.5, subsets=None, **recipe):
    recipe = Recipe(dataset="pairs.csv", calibrator=spec, **recipe)
    pairs = SentencePairs("pairs", "test", "abc", "def", [1, 2, 3], (0, 5), ["main"] * 3, SOURCE)
    corpus = Corpus(("a", "b", "c"), "3 sentences of pairs.", (SOURCE,))
    return Space(
        recipe=recipe,
        scores=StsScores(3, correlations(rho, subsets), correlations(0.25)),
        random_cosine=0.1234567,
        similarity=np.zeros(3),
        calibrator=build_calibrator(spec).fit(X),
        prepared=Prepared(recipe, pairs, corpus, X, X, X, 1, 6, {"model": "minilm"}, 1.5),
        seconds={"embed": 1.5, "fit": 0.126, "transform": 0.01},
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
    rows = scores_report([result(rho=rho) for rho in rhos]).rows
    assert [row["score"] for row in rows] == rhos
    assert [row.get("change") for row in rows] == changes


def test_a_notebook_shows_every_text_as_it_is():
    text, columns = "<b>a & b</b>", [Column("said", "<i>")]
    rows = [{"said": text}]
    tables = (Table(columns, rows, remarks=(f"{text}.",)),)
    said = {"title": text, "remarks": (text,), "command": text, "tables": tables}
    report = Report("name", Recipe(), columns, rows, **said)
    shown = [*ET.fromstring(f"<div>{report._repr_html_()}</div>").itertext()]
    assert shown == [text, "<i>", text, text, "<i>", text, f"{text}.", text]


def test_the_aggregation_of_the_recipe_is_shown():
    shown = result(aggregation="wmean")
    scores = replace(shown.scores, spearman=Correlations(0.1, 0.2, 0.3, {}))
    assert scores_report([replace(shown, scores=scores)]).rows[0]["score"] == 0.3


@pytest.mark.parametrize(
    "name", ["a,b", 'say "x"', "two\nlines", "=1+1", " ", "\u00fc", "all", "mean", "wmean"]
)
def test_a_subset_may_be_called_anything_and_hides_no_aggregation(name):
    text = scores_report([result(rho=0.5, subsets={name: 0.75})]).write("csv")
    (row,) = csv.DictReader(io.StringIO(text))
    assert row[f"spearman_subsets_{name}"] == "0.75"
    assert row["spearman_all"] == row["spearman_mean"] == row["spearman_wmean"] == "0.5"
