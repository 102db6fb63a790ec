"""The optimiser of the default flow is the one that the recorded development scores choose."""

import importlib
import json
from pathlib import Path

import pytest

from bertflow_core.calibrators import build_calibrator

ROOT = Path(__file__).parent.parent
RECORD = ROOT / "benchmarks" / "results" / "optimisers.json"


@pytest.fixture
def optimisers(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    return importlib.import_module("benchmarks.optimisers")


def test_the_default_is_what_the_rule_chooses(optimisers):
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert record["recipe"]["split"] == "dev"
    names = [candidate.name for candidate in optimisers.CANDIDATES]
    assert [row["name"] for row in record["results"]] == names
    winner = optimisers.chosen([row["mean"] for row in record["results"]])
    assert winner.name == record["recipe"]["chosen"]
    default = build_calibrator("flow").resolved_parameters()
    assert build_calibrator(winner.spec).resolved_parameters() == default


def test_the_fewest_departures_win_only_near_the_best(optimisers):
    n = len(optimisers.CANDIDATES)
    assert optimisers.chosen([80.0] * n).departures == 0
    for best in range(1, n):
        means = [80.0] * n
        means[best] = 80.2
        assert optimisers.chosen(means) is optimisers.CANDIDATES[best]
