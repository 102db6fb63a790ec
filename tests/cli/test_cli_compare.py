"""`compare`: forms, resuming from a folder, and refusals before any work."""

import csv
import io
import json
import shlex

import pytest
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.space import Prepared

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
    first = (here / "out" / "compare.csv").read_text()
    works(*command, "--out", here / "out")
    assert n_fits == [14]
    assert first.splitlines()[1] in (here / "out" / "compare.csv").read_text().splitlines()
    works(*command, "--out", here / "out")
    assert n_fits == [14]


def test_the_folder_holds_every_form_and_the_tests(works, command, here):
    out = here / "out"
    text = works(*command, "--bootstrap", 200, "--out", out)
    names = {entry.name for entry in out.glob("[!.]*")}
    tests = [name for name in names if name.startswith("compare-tests")]
    forms = {f"compare.{ending}" for ending in ("txt", "csv", "json", "md", "tex")}
    pictures = {f"{name}.html" for name in ("by-dataset", "differences", "intervals")}
    assert names - {*tests} == {"cells", *forms, *pictures}
    assert len(tests) == 2
    rows = [row for name in tests for row in csv.DictReader((out / name).open())]
    assert len(rows) == 2 * (1 + 6)
    assert all(float(row["rho_low"]) <= float(row["rho"]) <= float(row["rho_high"]) for row in rows)
    assert "p (Holm)" in text
    assert json.loads((out / "compare.json").read_text())["recipe"]["seeds"] == 1


@pytest.mark.usefixtures("no_embedding")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--calibrator", "whitten"), "unknown calibrator 'whitten'"),
        (("--seeds", "0"), "seeds must be a whole number from 1 to 50, got 0"),
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


def test_the_printed_command_names_a_tables_columns_with_the_table_first(works, tiny, here):
    odd = write_pairs(here / "odd.csv")
    odd.write_text(odd.read_text().replace("score", "points", 1))
    columns = ("--sentence1", "sentence1", "--sentence2", "sentence2", "--score", "points")
    datasets = ("--dataset", "odd.csv", "--dataset", "teaching")
    options = (*tiny, *columns, *datasets, "--layers", "last", *CALIBRATORS[2:])
    once = json.loads(works("compare", *options, "--bootstrap", 100, "--format", "json"))
    words = shlex.split(once["command"])[1:]
    assert [words[i + 1] for i, word in enumerate(words) if word == "--dataset"] == [
        *datasets[1::2]
    ]
    again = json.loads(works(*words, "--device", "cpu", "--format", "json"))
    assert again["tables"] == once["tables"]
    assert again["rows"][0]["score"] == once["rows"][0]["score"]


def test_a_data_set_that_cannot_be_tested_is_still_in_the_table(lab, tiny, here):
    (here / "plain.csv").write_text("sentence1,sentence2\nthe cat,a dog\na mat,the dog\n")
    options = ("--dataset", here / "plain.csv", "--calibrator", "null-top-k:k=1")
    outcome = lab("compare", *tiny, *options, "--bootstrap", 100, "--out", here / "out")
    assert outcome.code == 0
    assert "is not tested" in outcome.out
    assert "null-top-k:k=1" in outcome.out
    assert (here / "out" / "compare.csv").exists()
