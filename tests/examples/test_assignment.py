"""The assignment: the notebook is made from its source, and the checks name each known mistake."""

import json
import re
import sys

import pytest
from wrong_solutions import TEACHING, WRONG, code, make, write_data


@pytest.fixture
def runs(tmp_path, monkeypatch, capsys):
    """Return a function that runs code cells beside small data and returns what they print."""
    monkeypatch.chdir(tmp_path)
    write_data(tmp_path / "data.npz")

    def run(cells):
        names = {}
        for cell in cells:
            exec(cell, names)
        return capsys.readouterr().out

    return run


def test_the_notebook_is_what_its_source_gives_without_outputs_and_solution():
    text = (TEACHING / "assignment.ipynb").read_text(encoding="utf-8")
    assert text == make.notebook(solved=False)
    cells = json.loads(text)["cells"]
    assert all(not cell.get("outputs") for cell in cells)
    assert text.count("...  # write this") == 11
    left = [line for line in code(make.notebook(solved=True)) for line in line.splitlines()]
    taken = {line for line in left if line.startswith("    ") and line not in "\n".join(code(text))}
    assert len(taken) > 20
    assert "### " not in "\n".join(code(make.notebook(solved=True)))


def test_the_empty_notebook_runs_to_its_end(runs):
    said = runs(code(make.notebook(solved=False)))
    assert said.count(": it returns nothing yet.") == 11
    assert "right" not in said


def test_the_solution_is_right(runs):
    said = runs(code(make.notebook(solved=True))[:-1])  # test_grade.py runs all cells
    assert said.count(": right.") == 11
    autograd, own = (line.rpartition(":")[2] for line in said.splitlines() if "tensor" in line)
    assert own.strip("tensor([ ])\n") == autograd.strip("tensor( )\n")


def test_without_torch_and_the_package_only_the_sixth_task_does_not_work(runs, monkeypatch):
    for module in ("torch", "bertflow_core"):  # as in JupyterLite
        monkeypatch.setitem(sys.modules, module, None)
    said = runs(code(make.notebook(solved=True))[:-1])
    assert said.count(": right.") == 9
    assert said.count("Task 6, ") == said.count("it needs torch, which is not installed here") == 2


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_function_is_told_what_is_wrong(name, runs):
    right, wrong, told = WRONG[name]
    cells = [cell for cell in code(make.notebook(solved=True)) if "def " in cell or "load" in cell]
    (number,) = (n for n, cell in enumerate(cells) if right in cell)
    assert cells[number].count(right) == 1
    before = [re.sub(r"^check\(.*", "", cell, flags=re.M) for cell in cells[:number]]
    assert told in runs([*before, cells[number].replace(right, wrong)])
