"""`evaluate` answers the same question at once, and any other one anew."""

import json
import platform
from pathlib import Path

import pytest
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.cli import kept_reports
from bertflow_core.experiment import Lab
from bertflow_core.files import resource

WORDS = "and kept; --no-store measures anew"


@pytest.fixture
def measured(monkeypatch):
    """Return the list of what was measured."""
    found, evaluate = [], Lab.evaluate

    def noted(lab, recipe, *args, **kwargs):
        found.append(recipe)
        return evaluate(lab, recipe, *args, **kwargs)

    monkeypatch.setattr(Lab, "evaluate", noted)
    return found


@pytest.fixture
def words(tiny, table):
    return ("evaluate", *tiny, "--dataset", table, "--calibrator", "standardize")


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "json"])
def test_the_same_question_gets_the_same_text_without_measuring(lab, measured, words, form):
    first, second = (lab(*words, "--format", form) for _ in range(2))
    assert (second.code, second.out) == (0, first.out)
    assert len(measured) == 1
    assert WORDS not in first.err
    assert WORDS in second.err


def _other_scores(table):
    rows = [(*row[:2], 5 - row[2], row[3]) for row in pair_rows()]
    write_pairs(table, rows)
    return ()


def _other_code(monkeypatch):
    monkeypatch.setattr(kept_reports, "_code", lambda: "other")
    return ()


def _other_machine(monkeypatch):
    monkeypatch.setattr(platform, "node", lambda: "other")
    return ()


def _other_packaged_data(monkeypatch, folder):
    (folder / "published.json").write_text("{}")
    names = {"published.json": folder / "published.json"}
    monkeypatch.setattr(kept_reports, "resource", lambda name: names.get(name) or resource(name))
    return ()


@pytest.mark.parametrize(
    "change",
    [
        lambda **_: ("--seed", "1"),
        lambda **_: ("--calibrator", "whiten"),
        lambda **_: ("--aggregation", "mean"),
        lambda **_: ("--format", "csv"),
        lambda **_: ("--format", "json", "--pairs"),
        lambda **_: ("--lexical",),
        lambda **_: ("--fit-on", "captions"),
        lambda **_: ("--no-store",),
        lambda table, **_: _other_scores(table),
        lambda monkeypatch, **_: _other_code(monkeypatch),
        lambda monkeypatch, **_: _other_machine(monkeypatch),
        lambda monkeypatch, table, **_: _other_packaged_data(monkeypatch, Path(table).parent),
    ],
)
def test_another_question_is_measured(lab, measured, words, table, monkeypatch, change):
    lab(*words)
    lab(*words, "--format", "json")
    outcome = lab(*words, *change(table=table, monkeypatch=monkeypatch))
    assert (outcome.code, len(measured)) == (0, 3)
    assert WORDS not in outcome.err


def test_a_damaged_or_hostile_text_is_measured_anew(lab, measured, words, own_cache):
    first = lab(*words)
    (entry,) = (own_cache / kept_reports.REPORTS).glob("*/config.json")
    whole = json.loads(entry.read_text())
    for bad in ("{", json.dumps(whole | {"text": "\x1b]0;x\x07"}), json.dumps(whole | {"text": 1})):
        entry.write_text(bad)
        assert lab(*words).out.split("fit s")[0] == first.out.split("fit s")[0]
    assert len(measured) == 4


def test_nothing_is_kept_with_no_store_and_clearing_frees_it(lab, measured, words, own_cache):
    lab(*words, "--no-store")
    assert not (own_cache / kept_reports.REPORTS).exists()
    lab(*words)
    lab("data", "cache", "--clear")
    assert not (own_cache / kept_reports.REPORTS).exists()
    lab(*words)
    assert len(measured) == 3
