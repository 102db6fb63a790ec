"""The pages of the documentation that the code gives."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from test_public_names import ROOMS

from bertflow_core.calibrators import CALIBRATORS

ROOT = Path(__file__).parent.parent


@pytest.fixture
def generated(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "builder")
    return import_module("generated")


def test_each_calibrator_stands_among_the_methods_with_its_parameters(generated):
    page = generated.pages()["methods.md"]
    for info in CALIBRATORS.values():
        assert f"## {info.name}\n\n`{info.formula}`" in page
        assert info.__name__ in page
        assert all(f"| `{each.name}` |" in page for each in info.parameters())


def test_the_reference_has_every_public_name_once(generated):
    assert list(generated.PACKAGES) == [f"bertflow_core{room}" for room in ROOMS]
    text = "\n".join(generated.pages().values())
    documented = re.findall(r"^\.\. auto\w+:: .*\.(\w+)$", text, flags=re.M)
    assert len(documented) == len(set(documented)) > 60
    assert {"Lab", "load_pairs", "fit_flow", "compare_rhos"} <= set(documented)


def test_the_commands_are_shown_with_their_help(generated):
    page = generated.pages()["commands.md"]
    for name in ("bertflow-lab evaluate", "bertflow-lab analyse cone", "bertflow-lab data get"):
        assert f"## {name}\n" in page
    assert "--calibrator" in page
