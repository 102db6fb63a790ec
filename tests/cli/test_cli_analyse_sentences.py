"""`analyse sentences|spectrum|layers`: forms, recipes, and the numbers of the library."""

import csv
import io
import json

import pytest
import typer
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows, write_pairs
from typer.testing import CliRunner

from bertflow_core.cli import analyse_sentences
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.sentences.measure import measure_sentences
from bertflow_core.studies.sentences.measures import MEASURES, Part

COMMANDS = typer.Typer()
for command in (analyse_sentences.sentences, analyse_sentences.spectrum, analyse_sentences.layers):
    COMMANDS.command()(command)
SPECS = ("--calibrator", "identity", "--calibrator", "whiten")


@pytest.fixture
def options(tiny_bert, tmp_path):
    table = write_pairs(tmp_path / "pairs.csv", pair_rows(60))
    return (
        *("--model", str(tiny_bert), "--max-length", str(MAX_TOKENS), "--device", "cpu"),
        *("--dataset", str(table), *SPECS),
    )


@pytest.fixture
def run():
    def run(*args):
        outcome = CliRunner().invoke(COMMANDS, [str(arg) for arg in args])
        assert outcome.exit_code == 0, outcome.output
        return outcome.stdout

    return run


def test_sentences_gives_every_measure_of_the_library_with_recipes(run, options):
    printed = run("sentences", *options, "--layers", "layer:2", "--format", "json")
    found = json.loads(printed)
    recipe = Recipe.from_dict(found["spaces"][1]["recipe"])
    assert (recipe.layers, recipe.calibrator) == ("layer:2", "whiten")
    again = measure_sentences(recipe, Lab(device="cpu"), ["layer:2"], ["identity", "whiten"])
    assert found == json.loads(json.dumps(again.to_dict()))
    assert set(found["rows"]) == set(Part)
    assert set(found["spaces"][0]["measures"]) == {measure.name for measure in MEASURES}


def test_the_default_layer_set_is_the_recipes(run, options):
    # The tiny model has three layers only, so that its default is refused.
    outcome = CliRunner().invoke(COMMANDS, ["sentences", *options])
    assert "layer:4" in str(outcome.exception)


def test_layers_measures_each_of_them(run, options):
    rows = list(csv.DictReader(io.StringIO(run("layers", *options, "--format", "csv"))))
    assert [(r["layers"], r["calibrator"]) for r in rows] == [
        (f"layer:{k}", spec) for k in range(4) for spec in ("identity", "whiten")
    ]
    assert float(rows[1]["iso_score"]) > float(rows[0]["iso_score"])
    assert rows[0]["recipe_max_length"] == str(MAX_TOKENS)
    table = run("layers", *options, "--layers", "layer:1")
    assert "iso score" in table
    assert "layer:1" in table
    assert "layer:2" not in table


def test_spectrum_lists_every_singular_value(run, options):
    args = ("spectrum", *options, "--layers", "last")
    rows = list(csv.DictReader(io.StringIO(run(*args, "--format", "csv"))))
    assert len(rows) == 16 + 15  # LayerNorm leaves 15 directions, which whitening keeps
    identity = [row for row in rows if row["calibrator"] == "identity"]
    assert [int(row["direction"]) for row in identity] == list(range(1, 17))
    assert sum(float(row["variance_share"]) for row in identity) == pytest.approx(1)
    values = json.loads(run(*args, "--format", "json"))["spaces"][0]["singular_values"]
    assert values == [float(row["singular_value"]) for row in identity]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("command", ["sentences", "spectrum", "layers"])
@pytest.mark.parametrize(
    ("form", "mark"),
    [("table", "-----"), ("markdown", "| :---"), ("latex", r"\begin{tabular}")],
)
def test_every_form_of_table_holds_both_calibrators_and_says_its_rows(
    run, options, command, form, mark
):
    printed = run(command, *options, "--layers", "last", "--format", form)
    assert mark in printed
    for word in ("identity", "whiten", "120 sentences, of which"):
        assert word in printed
