"""`compare` and `ledger`: the numbers of `evaluate`, folders, commands."""

import csv
import io
import json
import shlex

import pytest
from tiny_pairs import pair_rows, write_pairs

SPECS = ("null-top-k:k=2", "standardize")
CALIBRATORS = tuple(word for spec in SPECS for word in ("--calibrator", spec))


@pytest.fixture
def reads(works):
    """Return a function that runs a command and gives the rows of its CSV."""
    return lambda *words: list(csv.DictReader(io.StringIO(works(*words, "--format", "csv"))))


def test_what_has_no_gold_is_measured_without_rho_and_without_arrows(works, tiny, here):
    (here / "one.csv").write_text("sentence\n" + "\n".join(row[0] for row in pair_rows(12)))
    options = (*tiny, "--dataset", "one.csv", *CALIBRATORS[:2])
    evaluated, compared = (works(name, *options) for name in ("evaluate", "compare"))
    assert "12 sentences" in evaluated and "need pairs" in evaluated
    assert evaluated.splitlines()[4].split()[1:4] == [SPECS[0], "-", "-"]
    (why,) = [line for line in evaluated.splitlines() if "not available" in line]
    assert why in compared
    assert "Holm" not in compared and "not significant" not in compared
    (here / "plain.csv").write_text("sentence1,sentence2\nthe cat,a dog\na mat,the dog\n")
    options = (*tiny, "--dataset", "plain.csv", "--calibrator", "null-top-k:k=1")
    shown = works("compare", *options, "--bootstrap", 100)
    assert "is not tested" in shown and "null-top-k:k=1" in shown


def test_a_folder_gets_every_form_the_pictures_and_the_tests_and_none_of_other_files_is_taken(
    works, refuses, tiny, here, request
):
    tables = (write_pairs(here / "one.csv"), write_pairs(here / "two.csv", pair_rows(30)[3:]))
    data = (word for path in tables for word in ("--dataset", path))
    command = ("compare", *tiny, *data, *CALIBRATORS)
    out = here / "out"
    assert "p (Holm)" in works(*command, "--bootstrap", 200, "--out", out)
    names = {entry.name for entry in out.glob("[!.]*")}
    tests = {name for name in names if name.startswith("compare-tests")}
    forms = {f"compare.{ending}" for ending in ("txt", "csv", "json", "md", "tex")}
    pictures = {f"{name}.html" for name in ("by-dataset", "differences", "intervals")}
    assert names - tests == {"cells", *forms, *pictures}
    rows = [row for name in sorted(tests) for row in csv.DictReader((out / name).open())]
    assert (len(tests), len(rows)) == (2, 2 * (1 + 3))
    for row in rows:
        assert float(row["score_low"]) <= float(row["score"]) <= float(row["score_high"])
    (here / "thesis").mkdir()
    (here / "thesis" / "chapter.tex").write_text("all my work")
    request.getfixturevalue("no_embedding")
    refuses(*command, "--out", here / "thesis", words="'chapter.tex'")


def test_the_printed_command_names_a_tables_columns_with_the_table_first(works, tiny, here):
    for name in ("odd.csv", "two.csv"):
        path = write_pairs(here / name)
        path.write_text(path.read_text().replace("score", "points", 1))
    columns = ("--sentence1", "sentence1", "--sentence2", "sentence2", "--score", "points")
    options = (*tiny, *columns, "--dataset", "odd.csv", "--dataset", "two.csv", *CALIBRATORS[2:])
    once = json.loads(works("compare", *options, "--bootstrap", 100, "--format", "json"))
    words = shlex.split(once["command"])[1:]
    named = [words[i + 1] for i, word in enumerate(words) if word == "--dataset"]
    assert named == ["odd.csv", "two.csv"]
    again = json.loads(works(*words, "--device", "cpu", "--format", "json"))
    assert again["tables"] == once["tables"]
    assert again["rows"][0]["score"] == once["rows"][0]["score"]


def test_shares_of_pairs_add_up_to_the_difference_that_evaluate_gives(works, reads, tiny, table):
    ledger = ("ledger", *tiny, "--dataset", table, "--after", SPECS[0])
    rows = reads(*ledger, "--order", "row")
    assert len(rows) == 24
    text = works("evaluate", *tiny, "--dataset", table, *CALIBRATORS[:2], "--format", "json")
    rho = [result["spearman"]["all"] for result in json.loads(text)["rows"][1:]]
    assert sum(float(row["share"]) for row in rows) == pytest.approx(rho[1] - rho[0], abs=1e-9)
    for order, sign in (("improved", 1), ("worsened", -1)):
        found = reads(*ledger, "--order", order, "--top", 5)
        improved = [sign * float(row["improved"]) for row in found]
        assert 0 < len(improved) <= 5
        assert improved == sorted(improved, reverse=True) and improved[-1] > 0
