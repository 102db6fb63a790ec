"""The shipped file of thresholds: all that is in use, with its derivation and what it rests on."""

import json
import re
from pathlib import Path

from bertflow_core.files import resource
from bertflow_core.studies.advice import rules
from bertflow_core.studies.advice.rules import fact, threshold


def test_every_threshold_and_fact_in_use_is_shipped_with_its_derivation_and_none_is_typed_in():
    shipped = json.loads(resource("thresholds.json").read_text(encoding="utf-8"))
    text = Path(rules.__file__).read_text(encoding="utf-8")
    names = re.findall(r'threshold\("([^"]+)"\)', text)
    assert len(names) >= 8
    for name in names:
        entry = shipped["thresholds"][name]
        assert entry["smallest"] <= threshold(name).value <= entry["largest"]
        assert f"{entry['value']:.3g}" in threshold(name).source
        assert {"table", "x", "y", "level", "rises", "share", "groups"} <= set(entry["derivation"])
    for name in re.findall(r'"((?:size|shift|linear)\.\w+)"', text):
        assert fact(name)["smallest"] <= fact(name)["median"] <= fact(name)["largest"]
    values = [each["value"] for each in shipped["thresholds"].values()]
    assert not any(str(value) in text for value in values if value is not None)
    assert not re.search(r"[<>]=?\s*\d*\.\d", text)
    assert {"date", "versions", "recipe", "rule", "measurements"} <= set(shipped)
    assert any("minilm" in note for note in shipped["notes"])
