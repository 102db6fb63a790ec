"""`bench`: rows for programs, their table, and what is recorded; nothing is timed here."""

import json
import sys

import pytest

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

    def measure(names, *, quick):
        assert (list(names), quick) == (["linear"], True)
        yield Outcome({"rows": 7}, ROWS).record("closed_forms", describe_machine())

    monkeypatch.setattr(sys.modules["bertflow_benchmarks.suites"], "measure", measure)


def test_programs_get_the_rows_as_they_are_recorded(lab, measured, tmp_path):
    outcome = lab("bench", "linear", "--quick", "--format", "json", "--out", tmp_path / "records")
    assert json.loads(outcome.out) == ROWS
    record = json.loads((tmp_path / "records" / "closed_forms.json").read_text(encoding="utf-8"))
    assert record["results"] == ROWS
    assert {"cpu", "cores", "instruction_sets", "memory_gib"} <= set(record["machine"])
