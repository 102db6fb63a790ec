"""What the documentation is made of: a page with formula and picture for each calibrator."""

import re
import xml.etree.ElementTree as ET
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from test_public_names import ROOMS

from bertflow_core.calibrators import CALIBRATORS

ROOT = Path(__file__).parent.parent


@pytest.fixture
def builder(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs" / "builder")
    return import_module


def drawn(svg):
    """Return the places of the points of both panes in a picture, each of shape (N, 2)."""
    tree = ET.fromstring(svg)
    marks = [each for each in tree.iter() if each.tag.endswith("circle")]
    places = np.array([[float(each.get("cx")), float(each.get("cy"))] for each in marks])
    return np.split(places, 2)


def test_each_calibrator_has_a_formula_a_page_and_its_parameters(builder, monkeypatch):
    methods = builder("methods")
    monkeypatch.setattr(methods, "before_and_after", lambda spec: f"<svg>{spec}</svg>")
    assert list(methods.FORMULAS) == list(CALIBRATORS)
    pages = methods.pages()
    for info in CALIBRATORS.values():
        page = pages[f"methods/{info.name}.md"]
        assert methods.FORMULAS[info.name][0] in page
        assert info.__name__ in page
        assert all(f"| `{each.name}` |" in page for each in info.parameters())
        assert f"({info.name}.md)" in pages["methods/index.md"]


def test_a_picture_shows_the_cloud_and_what_becomes_of_it(builder):
    pictures = builder("pictures")
    before, after = drawn(pictures.before_and_after("null-top-k:k=1"))
    assert len(before) == len(after) == pictures.N
    expected = pictures.cloud() * [1, -1]  # up is less in a picture
    for shown, true in zip(before.T, expected.T, strict=True):
        assert np.corrcoef(shown, true)[0, 1] > 0.9999
    spread = np.linalg.svd(after - after.mean(axis=0), compute_uv=False)
    assert spread[1] < 0.01 * spread[0]  # on a line: one direction is removed


def test_the_reference_has_every_public_name_once(builder):
    reference = builder("reference")
    assert list(reference.PACKAGES) == [f"bertflow_core{room}" for room in ROOMS]
    text = "\n".join(reference.pages().values())
    documented = [
        line.rpartition(".")[2] for line in re.findall(r"^\.\. auto\w+:: (.+)$", text, flags=re.M)
    ]
    assert len(documented) == len(set(documented)) > 60
    assert {"Lab", "load_pairs", "fit_flow", "compare_rhos"} <= set(documented)


def test_the_commands_are_shown_with_their_help(builder):
    page = builder("commands").pages()["reference/commands.md"]
    for name in ("bertflow-lab evaluate", "bertflow-lab analyse cone", "bertflow-lab data get"):
        assert f"## {name}\n" in page
    assert "--calibrator" in page
