"""`analyse lexical`: Table 6 in each form."""

import csv
import io
import json

import pytest

SPECS = ("--calibrator", "identity", "--calibrator", "null-top-k:k=3")


@pytest.fixture
def command(tiny, table):
    return ("analyse", "lexical", *tiny, "--dataset", table, *SPECS, "--bootstrap", 100)


def test_json_is_keyed_by_spec(works, command):
    found = json.loads(
        works(*command, "--unit", "whitespace", "--threshold", 5, "--format", "json")
    )
    names = ["gold", "identity", "null-top-k:k=3", "edit_distance"]
    names += ["normalised_edit_distance", "length"]
    assert list(found["spearman"]) == names
    for a in names:
        assert set(found["spearman"][a]) == set(names) - {a}
        for b, rho in found["spearman"][a].items():
            low, high = found["intervals"][a][b]
            assert -1 <= low <= high <= 1
            assert rho == found["spearman"][b][a]
    assert found["recipe"]["unit"] == "whitespace"
    assert found["close"]["threshold"] == 5
    assert 0 < found["close"]["n"] < found["n_pairs"] == 24
    assert set(found["given_gold"]) == {"identity", "null-top-k:k=3"}


def test_csv_has_one_row_per_two_columns(works, command):
    rows = list(csv.DictReader(io.StringIO(works(*command, "--format", "csv"))))
    assert len([row for row in rows if row["pairs"] == "all"]) == 15
    assert rows[0]["unit"] == "treebank"


def test_the_table_says_that_so_few_pairs_say_little(works, command):
    assert "24 pairs: a rho of so few" in works(*command)


def test_an_unknown_unit_is_refused(refuses, command):
    refuses(*command, "--unit", "letters", words="expected one of treebank")


def test_figure_two_is_a_page_of_its_own(works, command, here):
    works(*command, "--figures", here / "drawn")
    (page,) = (here / "drawn").glob("*.html")
    assert page.name == "similarity_panels.html"
    text = page.read_text(encoding="utf-8")
    assert "bertflow-lab analyse lexical" in text
    assert "edit distance" in text
