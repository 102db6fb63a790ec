"""`ledger`: the pairs and their shares, in each form."""

import csv
import io
import json

import pytest

AFTER = ("--after", "null-top-k:k=3")


@pytest.fixture
def command(tiny, table):
    return ("ledger", *tiny, "--dataset", table, *AFTER)


def test_shares_add_up_to_the_difference_that_evaluate_gives(works, command, tiny, table):
    rows = list(csv.DictReader(io.StringIO(works(*command, "--order", "row", "--format", "csv"))))
    assert len(rows) == 24
    specs = ("--calibrator", "identity", "--calibrator", AFTER[1])
    text = works("evaluate", *tiny, "--dataset", table, *specs, "--format", "json")
    _, *alone = json.loads(text)["rows"]  # the plain output comes first
    rho = [result["spearman"]["all"] for result in alone]
    assert sum(float(row["share"]) for row in rows) == pytest.approx(rho[1] - rho[0], abs=1e-9)
    assert {"first", "second", "length", "edit_distance", "cosine_before"} <= set(rows[0])


@pytest.mark.parametrize(("order", "sign"), [("improved", 1), ("worsened", -1)])
def test_the_ends_come_first(works, command, order, sign):
    document = json.loads(works(*command, "--order", order, "--top", 5, "--format", "json"))
    improved = [sign * pair["improved"] for pair in document["rows"]]
    assert 0 < len(improved) <= 5
    assert improved == sorted(improved, reverse=True)
    assert min(improved) > 0
    assert document["recipe"]["after"] == AFTER[1]
