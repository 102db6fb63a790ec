"""The shipped file of thresholds: all that is in use, with its derivation and what it rests on."""

import json
import re
from pathlib import Path

import pytest

from bertflow_core.files import resource
from bertflow_core.studies.advice import rules
from bertflow_core.studies.advice.rules import fact, threshold

ROOT = Path(__file__).parents[3]
ADVICE = ROOT / "bertflow_core" / "studies" / "advice"


@pytest.fixture(scope="module")
def shipped():
    return json.loads(resource("thresholds.json").read_text(encoding="utf-8"))


def test_every_threshold_and_fact_in_use_is_shipped_with_its_derivation(shipped):
    text = "".join(path.read_text(encoding="utf-8") for path in ADVICE.glob("*.py"))
    names = re.findall(r'threshold\("([^"]+)"\)', text)
    assert len(names) >= 8
    for name in names:
        entry = shipped["thresholds"][name]
        assert entry["smallest"] <= threshold(name).value <= entry["largest"]
        assert f"{entry['value']:.3g}" in threshold(name).source
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
