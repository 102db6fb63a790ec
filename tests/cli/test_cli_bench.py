"""`bench`: rows for programs, their table, and what is recorded; nothing is timed here."""

import json
import sys

import pytest

from bertflow_core.text_table import to_csv

suites = pytest.importorskip("bertflow_benchmarks.suites", reason="install the package again")

ROWS = [
    {
        "name": "standardize",
        "seconds": 0.5,
        "peer": "scikit-learn",
        "peer_seconds": 1.0,
        "ratio": 2.0,
        "spread": [1.5, 2.5],
        "checks": {"max_error": 1e-7},
    },
    {"name": "neighbours", "seconds": 0.25, "peer": "FAISS", "missing": "faiss is not installed"},
    {"name": "first load", "seconds": 1.5, "server_mib": 600.0},
]


@pytest.fixture
def measured(monkeypatch):
    """Let the suite called linear give the rows above."""
    from bertflow_benchmarks.record import Outcome, describe_machine

    def measure(modules, *, quick):
        assert (list(modules), quick) == (["closed_forms"], True)
        yield Outcome({"rows": 7}, ROWS).record("closed_forms", describe_machine())

    monkeypatch.setattr(sys.modules["bertflow_benchmarks.suites"], "measure", measure)


def test_every_row_has_the_same_keys_and_a_missing_peer_no_ratio(lab, measured):
    outcome = lab("bench", "linear", "--quick", "--format", "json")
    rows = json.loads(outcome.out)
    empty = {"peer_seconds": None, "ratio": None, "spread": None}
    assert rows[0] == ROWS[0]
    assert rows[1] == {**ROWS[1], **empty, "checks": {}}
    assert rows[2] == {
        **{"name": "first load", "seconds": 1.5, "peer": None},
        **empty,
        "checks": {"server_mib": 600.0},
    }
    assert outcome.err == "neighbours: faiss is not installed\n"


def test_a_table_and_columns_say_the_same(lab, measured):
    table = lab("bench", "linear", "--quick").out
    assert "1.50 to 2.50" in table
    assert "closed_forms: " in table
    assert "Recipe: rows 7." in table
    flat = {"spread_low": 1.5, "spread_high": 2.5, "max_error": 1e-7}
    plain = {key: value for key, value in ROWS[0].items() if key not in ("spread", "checks")}
    first = to_csv([{**plain, **flat}]).splitlines()[1]
    assert first in lab("bench", "linear", "--quick", "--format", "csv").out


def test_why_a_row_has_no_ratio_stands_right_below_the_table(lab, measured):
    outcome = lab("bench", "linear", "--quick")
    below = outcome.out.split("\n\n", 1)[1].splitlines()
    assert below[0] == "neighbours: faiss is not installed"
    assert below[1].startswith("closed_forms: ")
    assert outcome.err == ""


def test_recorded_differences_of_rho_name_their_unit():
    from bertflow_benchmarks.record import read_records
    from bertflow_benchmarks.tables import README

    found = {
        record["benchmark"]: {name for row in record["results"] for name in row.get("checks", {})}
        for record in read_records(README.parent / "results")
    }
    for benchmark in ("embed", "flow"):  # of which modules take rho x 100
        assert "rho_x_100_difference" in found[benchmark]
        assert "rho_difference" not in found[benchmark]


def test_a_record_says_on_what_machine(lab, measured, tmp_path):
    assert lab("bench", "linear", "--quick", "--out", tmp_path / "records").code == 0
    record = json.loads((tmp_path / "records" / "closed_forms.json").read_text(encoding="utf-8"))
    assert record["results"] == ROWS
    assert {"cpu", "cores", "instruction_sets", "memory_gib"} <= set(record["machine"])


def test_the_five_suites_are_the_default_and_others_are_refused(refuses):
    assert set(suites.BY_DEFAULT) <= set(suites.SUITES)
    refuses("bench", "linaer", words=("unknown suite 'linaer'", "linear"))
