"""The rule that makes thresholds, on measurements with a known crossing; and the shipped file."""

import json
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from bertflow_core.files import resource
from bertflow_core.studies.advice import rules
from bertflow_core.studies.advice.rules import fact, threshold

ROOT = Path(__file__).parents[3]
ADVICE = ROOT / "bertflow_core" / "studies" / "advice"
ONE = ["a"]


@pytest.fixture
def module(monkeypatch):
    """Import a module of the benchmarks, which are not installed."""
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: import_module(f"benchmarks.{name}")


@pytest.fixture
def find_crossing(module):
    return module("crossing").find_crossing


@pytest.fixture(scope="module")
def shipped():
    return json.loads(resource("thresholds.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("rises", [True, False])
def test_a_clean_crossing_is_the_middle_of_its_gap(find_crossing, rises):
    x, y = [1, 2, 4, 5], [-3, -1, 1, 2]
    crossing = find_crossing(x, y if rises else y[::-1], ONE * 4, level=0, rises=rises)
    assert (crossing.value, crossing.n_wrong, crossing.n, crossing.n_above) == (3, 0, 4, 2)
    assert (crossing.smallest, crossing.largest) == (1, 5)


def test_the_level_moves_the_cut(find_crossing):
    x = np.arange(11.0)
    assert find_crossing(x, x, ONE * 11, level=2.5, rises=True).value == 2.5
    assert find_crossing(x, -x, ONE * 11, level=-7.5, rises=False).value == 7.5


@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("rises", [True, False])
def test_the_cut_is_where_the_quantile_of_a_noisy_gain_passes_the_level(
    find_crossing, rises, share
):
    from scipy.stats import norm

    rng = np.random.default_rng(0)
    x = rng.uniform(0, 10, 4000)
    sign = 1 if rises else -1
    y = sign * (x - 4) + rng.normal(size=4000)  # above 0 with chance Phi(sign (x - 4))
    crossing = find_crossing(
        x, y, [str(i % 40) for i in range(4000)], level=0, rises=rises, share=share
    )
    expected = 4 + sign * norm.ppf(share)
    assert crossing.value == pytest.approx(expected, abs=0.3)
    assert crossing.low - 0.1 < expected < crossing.high + 0.1
    assert crossing.low <= crossing.value <= crossing.high
    assert crossing.n_groups == 40


@pytest.mark.parametrize(("level", "n_above"), [(-1, 3), (9, 0)])
def test_without_a_crossing_there_is_no_value(find_crossing, level, n_above):
    crossing = find_crossing([1, 2, 3], [0, 1, 2], ONE * 3, level=level, rises=True)
    assert (crossing.value, crossing.low, crossing.high) == (None, None, None)
    assert (crossing.n_wrong, crossing.n_above) == (0, n_above)


def test_equal_x_are_not_cut_apart(find_crossing):
    crossing = find_crossing([1, 1, 1, 2], [-1, 1, -1, 1], ONE * 4, level=0, rises=True)
    assert (crossing.value, crossing.n_wrong) == (1.5, 1)


def test_a_crossing_that_rests_on_one_group_has_no_interval(find_crossing):
    x, y, groups = [0, 1, 2, 3], [-1, 1, 1, 1], ["low", "a", "b", "c"]
    crossing = find_crossing(x, y, groups, level=0, rises=True)
    assert crossing.value == 0.5
    assert (crossing.low, crossing.high) == (None, None)


@pytest.mark.parametrize(
    ("x", "y", "share"), [([], [], 0.5), ([1], [1, 2], 0.5), ([np.nan], [1], 0.5), ([1], [1], 1)]
)
def test_what_no_rule_applies_to_is_refused(find_crossing, x, y, share):
    with pytest.raises(ValueError):
        find_crossing(x, y, ONE * len(x), level=0, rises=True, share=share)


def test_the_shipped_thresholds_follow_from_the_shipped_measurements(module, shipped):
    tables, recorded = module("thresholds").read_tables()
    rules = module("threshold_rules")
    assert json.loads(json.dumps(rules.derive(tables))) == shipped["thresholds"]
    assert json.loads(json.dumps(rules.facts(tables))) == shipped["facts"]
    assert recorded["recipe"]["model"] == "minilm"


def test_writing_what_was_read_changes_nothing(module, tmp_path):
    thresholds = module("thresholds")
    thresholds.write(tmp_path / "again.json", *thresholds.read_tables())
    shipped = resource("thresholds.json").read_text(encoding="utf-8")
    assert (tmp_path / "again.json").read_text(encoding="utf-8") == shipped


def test_every_threshold_and_fact_in_use_is_shipped_with_its_derivation(shipped):
    text = "".join(path.read_text(encoding="utf-8") for path in ADVICE.glob("*.py"))
    names = re.findall(r'threshold\("([^"]+)"\)', text)
    assert len(names) >= 8
    for name in names:
        entry = shipped["thresholds"][name]
        assert entry["smallest"] <= threshold(name).value <= entry["largest"]
        derivation = entry["derivation"]
        assert {"table", "x", "y", "level", "rises", "share", "groups"} <= set(derivation)
    for name in re.findall(r'fact\("([^"]+)"\)', text):
        assert fact(name)["smallest"] <= fact(name)["median"] <= fact(name)["largest"]


def test_no_threshold_is_typed_in(shipped):
    """No value of the file, and no comparison with a number, stands in the text of the rules."""
    text = Path(rules.__file__).read_text(encoding="utf-8")
    values = [each["value"] for each in shipped["thresholds"].values()]
    assert not any(str(value) in text for value in values if value is not None)
    assert not re.search(r"[<>]=?\s*\d*\.\d", text)


def test_the_file_says_what_it_rests_on(shipped):
    assert {"date", "versions", "recipe", "seconds", "rule", "notes", "measurements"} <= set(
        shipped
    )
    assert sum(shipped["seconds"].values()) < 600
    assert any("minilm" in note for note in shipped["notes"])
    text = resource("thresholds.json").read_text(encoding="utf-8")
    assert not any(place in text for place in (str(ROOT), str(Path.home()), "/tmp"))
