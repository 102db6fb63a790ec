"""`analyse words`: each form, and what is refused before any work."""

import csv
import io
import json

import pytest
import typer
from typer.testing import CliRunner

from bertflow_core.cli.analyse_words import words
from bertflow_core.errors import InputError


@pytest.fixture
def run(tiny_bert, here):
    (here / "counts.txt").write_text("the 9\ncat 8\na 7\ndog 6\nmat 5\nred 4\n", encoding="utf-8")
    app = typer.Typer()
    app.command()(words)
    fixed = ("--model", str(tiny_bert), "--counts", "counts.txt", "--bins", "0,2,6", "--k", "1,3")

    def run(*args):
        outcome = CliRunner().invoke(app, [*fixed, *map(str, args)])
        if outcome.exception is not None and not isinstance(outcome.exception, SystemExit):
            raise outcome.exception
        assert outcome.exit_code == 0, outcome.output
        return outcome.stdout

    return run


def test_json_has_the_form_that_the_readme_promises(run):
    found = json.loads(run("--format", "json"))
    assert found["recipe"]["k"] == [1, 3]
    assert [each["range"] for each in found["bins"]] == [[0, 2], [2, 6]]
    assert [each["n"] for each in found["bins"]] == [2, 4]
    for each in found["bins"]:
        assert set(each) == {"range", "n", "mean_norm", "knn_l2", "knn_dot"}
        assert set(each["knn_l2"]) == set(each["knn_dot"]) == {"1", "3"}
    assert found["calibrated"] == []


def test_csv_has_a_line_a_calibrator_and_bin(run):
    rows = list(csv.DictReader(io.StringIO(run("--calibrator", "whiten", "--format", "csv"))))
    assert [(row["calibrator"], row["low"]) for row in rows] == [
        ("identity", "0"),
        ("identity", "2"),
        ("whiten", "0"),
        ("whiten", "2"),
    ]
    alone = json.loads(run("--calibrator", "whiten", "--format", "json"))
    assert float(rows[2]["knn_dot_3"]) == alone["calibrated"][0]["bins"][0]["knn_dot"]["3"]
    assert rows[0]["recipe_counts"] == "counts.txt"
    assert rows[0]["published_mean_norm"] == ""


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_tables_lay_bins_across(run, form):
    text = run("--format", form)
    assert "1 to 2" in text
    assert "slope of norm" in text


def test_switches_reach_the_recipe(run):
    switches = {"digits": "drop", "neighbours": "whole", "itself": "include", "ranks": "list"}
    switches |= {"table": "layer-norm", "words": "any"}
    args = [part for name, value in switches.items() for part in (f"--{name}", value)]
    recipe = json.loads(run(*args, "--format", "json"))["recipe"]
    assert {name: recipe[name] for name in switches} == switches


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--bins", "0,x"), "bins must be"),
        (("--bins", "5,0"), "bins must be"),
        (("--k", "3,3"), "k must be rising"),
        (("--neighbours", "none"), "neighbours must be"),
        (("--calibrator", "whitten"), "whiten"),
        (("--counts", "gone.txt"), "does not exist"),
    ],
)
def test_what_cannot_be_meant_is_refused(run, args, message):
    with pytest.raises(InputError, match=message):
        run(*args)
