"""The pages of the documentation that the code gives."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from test_public_names import ROOMS

ROOT = Path(__file__).parent.parent


@pytest.fixture
def generated(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "builder")
    return import_module("generated")


def test_the_reference_has_every_public_name_once(generated):
    assert list(generated.PACKAGES) == [f"bertflow_core{room}" for room in ROOMS]
    text = "\n".join(generated.pages().values())
    documented = re.findall(r"^\.\. auto\w+:: .*\.(\w+)$", text, flags=re.M)
    assert len(documented) == len(set(documented)) > 60
    assert {"Lab", "load_pairs", "fit_flow", "compare_rhos"} <= set(documented)
