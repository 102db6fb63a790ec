"""The study that CONTRIBUTING.md writes: command, forms, figure and page come by themselves."""

import csv
import io
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from app_pages import at_address, check, press

from bertflow_core.cli import main
from bertflow_core.cli.tree import ANALYSES
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies import STUDIES

TEXT = Path(__file__).parents[2].joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture
def source(monkeypatch):
    """Put the module of the example among the studies; return its source."""
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    module = ModuleType("bertflow_core.studies.norms")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for known in (STUDIES, ANALYSES):
        monkeypatch.setitem(known, "norms", ("norms:norms", "Measure norms."))
    exec(compile(code, "norms.py", "exec"), module.__dict__)
    return code


def test_it_is_short_and_all_follows(source, capsys, tmp_path):
    assert len(source.splitlines()) <= 60
    words = ["analyse", "norms", "--dataset", "teaching", "--order", "1"]
    words += ["--calibrator", "identity"]

    def run(*more):
        with pytest.raises(SystemExit) as left:
            main([*words, *more])
        out, err = capsys.readouterr()
        assert left.value.code == 0, err
        return out

    (space,) = Lab().evaluate(Recipe(dataset="teaching"))
    x = np.concatenate(space.z)
    expected = np.abs(x).sum(axis=1)
    (row,) = json.loads(run("--format", "json"))["rows"]
    assert row["norm"] == pytest.approx(expected.mean(), rel=1e-5)
    assert row["spread"] == pytest.approx(expected.std() / expected.mean(), rel=1e-4)
    folder = tmp_path / "figures"
    (line,) = csv.DictReader(io.StringIO(run("--format", "csv", "--figures", str(folder))))
    assert (float(line["norm"]), line["recipe_order"]) == (row["norm"], "1.0")
    assert (folder / "spread.html").is_file()
    assert f"{100 * row['spread']:.1f}" in run("--format", "markdown")


@pytest.mark.usefixtures("source")
def test_it_has_a_page():
    page = press(at_address("norms", calibrators="standardize"), "Measure")
    check(page, pictures=2)
    assert page.title[0].value == "How long are the vectors?"
    assert page.code[-1].value.startswith("bertflow-lab analyse norms ")
