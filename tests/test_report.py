"""Results as rows and CSV, with numbers set by hand: changes, aggregations, guards."""

import csv
import io
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from bertflow_core.evaluation.sts import Correlations
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.report import Column, Report, Table
from bertflow_core.studies.scores import scores_report


@pytest.fixture
def scored(recipe_of):
    """Return a function that gives a space other correlations, and its recipe other fields."""
    (space,) = Lab().evaluate(recipe_of())

    def scored(*rhos, subsets=(), **changes):
        correlations = Correlations(*rhos, dict(subsets))
        scores = replace(space.scores, spearman=correlations)
        return replace(space, scores=scores, recipe=space.recipe.with_(**changes))

    return scored


@pytest.mark.parametrize(
    ("rhos", "changes"),
    [
        ([0.5, 0.5, 0.25], [None, 0, -0.25]),
        ([None, 0.5], [None, None]),
        ([0.5, None, 1.0], [None, None, 0.5]),
    ],
)
def test_change_is_against_the_first_and_needs_both(scored, rhos, changes):
    rows = scores_report([scored(rho, rho, rho) for rho in rhos]).rows
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


def test_the_aggregation_of_the_recipe_is_shown(scored):
    shown = scored(0.1, 0.2, 0.3, aggregation="wmean")
    assert scores_report([shown]).rows[0]["score"] == 0.3


@pytest.mark.parametrize(
    "name", ["a,b", 'say "x"', "two\nlines", "=1+1", " ", "\u00fc", "all", "mean", "wmean"]
)
def test_a_subset_may_be_called_anything_and_hides_no_aggregation(scored, name):
    text = scores_report([scored(0.5, 0.5, 0.5, subsets={name: 0.75})]).write("csv")
    (row,) = csv.DictReader(io.StringIO(text))
    assert row[f"spearman_subsets_{name}"] == "0.75"
    assert row["spearman_all"] == row["spearman_mean"] == row["spearman_wmean"] == "0.5"
