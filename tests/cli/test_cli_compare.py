"""`compare`: forms, resuming from a folder, and refusals before any work."""

import csv
import io
import json
import shlex

import pytest
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared
from bertflow_core.studies.comparison import Grid

SPECS = ("null-top-k:k=2", "standardize")
CALIBRATORS = tuple(word for spec in SPECS for word in ("--calibrator", spec))


@pytest.fixture
def tables(here):
    return (
        *("--dataset", write_pairs(here / "one.csv")),
        *("--dataset", write_pairs(here / "two.csv", pair_rows(30)[3:])),
    )


@pytest.fixture
def command(tiny, tables):
    return ("compare", *tiny, "--layers", "last", *tables, *CALIBRATORS)


@pytest.fixture
def n_fits(monkeypatch):
    """The number of fits so far, as the only item of a list."""
    counted = [0]
    evaluate = Prepared.under

    def count(*args, **options):
        counted[0] += 1
        return evaluate(*args, **options)

    monkeypatch.setattr(Prepared, "under", count)
    return counted


def test_numbers_are_those_of_evaluate(works, command, tiny_elsewhere, here):
    rows = list(csv.DictReader(io.StringIO(works(*command, "--format", "csv"))))
    assert len(rows) == 2 * (1 + 3 * 2)
    options = ("--layers", "last", "--dataset", here / "two.csv", "--format", "json")
    alone = json.loads(works("evaluate", *tiny_elsewhere, *options, *CALIBRATORS))["rows"]
    for result in alone:
        (row,) = [
            row
            for row in rows
            if (row["layers"], row["calibrator"], row["dataset"])
            == ("last", result["spec"], str(here / "two.csv"))
        ]
        for how in ("all", "mean", "wmean"):
            assert float(row[f"spearman_{how}"]) == result["spearman"][how]


def test_the_table_has_encoders_as_rows_data_sets_as_columns_and_an_average(works, command):
    lines = works(*command).splitlines()
    assert lines[0].split()[:2] == ["encoder", "calibrator"]
    assert "average" in lines[0]
    assert len([line for line in lines if "layer:2" in line or " last" in line]) >= 6


def test_one_column_of_sentences_has_no_arrows_and_says_what_evaluate_says(works, tiny, here):
    (here / "one.csv").write_text("sentence\n" + "\n".join(row[0] for row in pair_rows(12)))
    options = (*tiny, "--layers", "last", "--dataset", "one.csv", *CALIBRATORS[:2])
    said = [works(command, *options).splitlines() for command in ("evaluate", "compare")]
    (why,) = [line for line in said[0] if "not available" in line]
    assert why in said[1]
    assert not any("Holm" in line or "not significant" in line for line in said[1])


def test_a_stopped_run_is_resumed(works, command, here, n_fits):
    works(*command[:-2], "--out", here / "out")  # the last calibrator is still to come
    assert n_fits == [10]
    first = (here / "out" / "comparison.csv").read_text()
    works(*command, "--out", here / "out")
    assert n_fits == [14]
    assert first.splitlines()[1] in (here / "out" / "comparison.csv").read_text().splitlines()
    works(*command, "--out", here / "out")
    assert n_fits == [14]


def test_the_folder_holds_every_form_and_the_tests(works, command, here):
    out = here / "out"
    text = works(*command, "--bootstrap", 200, "--out", out)
    assert {entry.name for entry in out.iterdir()} == {
        "cells", "comparison.csv", "comparison.json", "comparison.md", "comparison.tex",
        "significance.csv", "significance.md", "significance.tex",
    }  # fmt: skip
    rows = list(csv.DictReader((out / "significance.csv").open()))
    assert len(rows) == 2 * (1 + 6)
    assert all(float(row["rho_low"]) <= float(row["rho"]) <= float(row["rho_high"]) for row in rows)
    assert "p (Holm)" in text
    assert json.loads((out / "comparison.json").read_text())["grid"]["n_seeds"] == 1


@pytest.mark.usefixtures("no_embedding")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--calibrator", "whitten"), "unknown calibrator 'whitten'"),
        (("--seeds", "0"), "seeds must be from 1 to 50, got 0"),
        (("--dataset", "nowhere.csv"), "nowhere.csv"),
        (("--aggregation", "median"), "aggregation must be"),
    ],
)
def test_invalid_choices_are_refused_before_any_work(refuses, tiny, options, words):
    refuses("compare", *tiny, *options, words=words)


@pytest.mark.usefixtures("no_embedding")
def test_a_folder_of_other_things_is_left_alone(refuses, command, here):
    (here / "thesis").mkdir()
    (here / "thesis" / "chapter.tex").write_text("all my work")
    refuses(*command, "--out", here / "thesis", words="'chapter.tex'")
    refuses(*command, "--out", here / "one.csv", words="is a file")


def test_the_command_of_a_grid_can_be_run(works, tiny, here):
    odd = write_pairs(here / "odd.csv")
    odd.write_text(odd.read_text().replace("score", "points", 1))
    options = dict(zip(tiny[::2], tiny[1::2], strict=True))
    grid = Grid(
        protocol=Recipe(
            dataset="odd.csv",
            sentence1="sentence1",
            sentence2="sentence2",
            score="points",
            max_length=int(options["--max-length"]),
        ),
        models=(options["--model"],),
        layers=("last",),
        calibrators=("standardize",),
        datasets=("odd.csv",),
    )
    words = shlex.split(grid.to_command(n_draws=100))
    assert words.pop(0) == "bertflow-lab"
    assert "standardize" in works(*words, "--device", "cpu")


def test_the_baseline_is_any_row_as_it_is_printed(works, refuses, command, tiny):
    label = f"{tiny[1]} last standardize"
    text = works(*command, "--bootstrap", 100, "--baseline", label)
    assert f"Differences are to {label}" in text
    refuses(*command, "--bootstrap", 100, "--baseline", "last", words="no row is called 'last'")


def test_a_data_set_that_cannot_be_tested_is_still_in_the_table(lab, tiny, here):
    (here / "plain.csv").write_text("sentence1,sentence2\nthe cat,a dog\na mat,the dog\n")
    options = ("--dataset", here / "plain.csv", "--calibrator", "null-top-k:k=1")
    outcome = lab("compare", *tiny, *options, "--bootstrap", 100, "--out", here / "out")
    assert outcome.code == 0
    assert "not tested" in outcome.err
    assert "null-top-k:k=1" in outcome.out
    assert (here / "out" / "comparison.csv").exists()
    assert not (here / "out" / "significance.csv").exists()
