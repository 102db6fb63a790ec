"""The assignment: the notebook is made from its source, and the checks name each known mistake."""

import json
import re
import sys
from importlib import import_module

import numpy as np
import pytest
from project_tree import ROOT

TEACHING, EXAMPLE = ROOT / "docs" / "teaching", ROOT / "examples" / "assignment"
WRONG = {  # what is replaced in the solution, by what, and what the check then says
    "no norms": (
        "    unit = x / np.linalg.norm(x, axis=1, keepdims=True)\n    cosines",
        "    unit = x\n    cosines",
        "Task 1, random_cosine: these are dot products",
    ),
    "pairs with itself": ("np.triu_indices(len(x), 1)", "np.triu_indices(len(x))", "Task 1, "),
    "twice": ("].mean()\n", "].mean() * 2\n", "Task 1, random_cosine: each pair counts twice"),
    "length of the mean": (
        "return np.sum(unit.mean(axis=0) ** 2)",
        "return np.linalg.norm(unit.mean(axis=0))",
        "Task 2, mean_share: that is the length of the mean",
    ),
    "own mean": (
        "return x - fit.mean(axis=0)",
        "return x - x.mean(axis=0)",
        "Task 2, centre: the mean is that of x",
    ),
    "no mean": ("return x - fit.mean(axis=0)", "return x", "Task 2, centre: the mean is not"),
    "one mean": (
        "return x - fit.mean(axis=0)",
        "return x - fit.mean()",
        "Task 2, centre: each coordinate",
    ),
    "sum of 1": (
        "/ (n * (n - 1))\n",
        "/ (n * (n - 1) * random_cosine(x))\n",
        "Task 3, contributions: the contributions sum to the random cosine, not to 1",
    ),
    "with itself": (
        "(unit.sum(axis=0) ** 2 - (unit**2).sum(axis=0)) / (n * (n - 1))",
        "(unit.sum(axis=0) / n) ** 2",
        "Task 3, contributions: each vector is also paired with itself",
    ),
    "mean kept": (
        "x[:, kept] - fit[:, kept].mean(axis=0)",
        "x[:, kept]",
        "Task 4, leave_out: the mean is not subtracted",
    ),
    "variance": (
        "np.argsort(contributions(fit))",
        "np.argsort(fit.var(axis=0))",
        "Task 4, leave_out: the coordinate with the largest variance",
    ),
    "values": (
        "spearmanr((first * second).sum(axis=1) / lengths, gold).statistic",
        "np.corrcoef((first * second).sum(axis=1) / lengths, gold)[0, 1]",
        "Task 4, rho: that is Pearson's",
    ),
    "products": (
        "(first * second).sum(axis=1) / lengths, gold",
        "(first * second).sum(axis=1), gold",
        "Task 4, rho: these are dot products",
    ),
    "biased": (
        "np.sqrt(len(fit) - 1)",
        "np.sqrt(len(fit))",
        "Task 5, whiten: the variances divide by n: the unbiased ones divide by n - 1",
    ),
    "not centred": (
        "mean = fit.mean(axis=0)\n",
        "mean = 0 * fit.mean(axis=0)\n",
        "Task 5, whiten: the mean of fit is not subtracted",
    ),
    "by variances": (
        "(lengths / np.sqrt(len(fit) - 1))",
        "(lengths**2 / (len(fit) - 1))",
        "Task 5, whiten: divide by standard deviations, not by variances",
    ),
    "rotated": (
        " / (lengths / np.sqrt(len(fit) - 1))",
        "",
        "Task 5, whiten: the rows are rotated",
    ),
    "singular": (
        "(lengths / np.sqrt(len(fit) - 1))",
        "lengths",
        "Task 5, whiten: the lengths are those of singular vectors",
    ),
    "order": (
        "(b - shift(a)) / torch.exp(scale(a))",
        "b / torch.exp(scale(a)) - shift(a)",
        "Task 6, inverse: undo the last step",
    ),
    "sign": (
        "return scale(a).sum(dim=1)",
        "return -scale(a).sum(dim=1)",
        "Task 6, log_determinant: the sign",
    ),
    "determinant": (
        "return scale(a).sum(dim=1)",
        "return scale(a).sum(dim=1).exp()",
        "Task 6, log_determinant: that is the determinant",
    ),
    "unit": (
        "scores = [spearmanr(each[drawn], gold[drawn]).statistic for each in (before, after)]\n",
        "scores = [spearmanr(each[i := rng.integers(len(gold), size=len(gold))], gold[i]).statistic"
        " for each in (before, after)]\n",
        "Task 7, interval: the same cosines before and after differ by 0 in every resample",
    ),
    "other way": (
        "scores[1] - scores[0]",
        "scores[0] - scores[1]",
        "Task 7, interval: that is before minus after",
    ),
    "90 %": (
        "[0.025, 0.975]",
        "[0.05, 0.95]",
        "Task 7, interval: that is about a 90 % interval",
    ),
    "no interval": (
        "low, high = interval(plain, candidate, gold)\n",
        "low = high = rho(candidate[:, None], np.ones((len(gold), 1)), gold) - 0.5\n",
        "Task 8, decide: ",
    ),
    "raises": ("return x - fit.mean(axis=0)", "return x - fit.maen(axis=0)", "it raises Attribu"),
    "nothing": ("return x - fit.mean(axis=0)", "pass", "Task 2, centre: it returns nothing yet"),
    "a word": ('return "calibrate"', 'return "yes"', "Task 8, decide: what it returns is no "),
}


@pytest.fixture(scope="module")
def make():
    """Return the module that makes the notebooks."""
    sys.path.insert(0, str(EXAMPLE))
    yield import_module("make")
    sys.path.remove(str(EXAMPLE))


@pytest.fixture
def runs(tmp_path, monkeypatch, capsys):
    """Return a function that runs code cells beside small data and returns what they print."""
    monkeypatch.syspath_prepend(TEACHING)
    monkeypatch.chdir(tmp_path)
    write_data(tmp_path / "data.npz")

    def run(cells):
        names = {}
        for cell in cells:
            exec(cell, names)
        return capsys.readouterr().out

    return run


def write_data(path):
    """Write vectors of 40 pairs and of 50 sentences to fit on, in a cone."""
    rng, found = np.random.default_rng(0), {"gold": np.arange(40.0)}
    for layer in ("layer4", "output"):
        for name, n in {"fit": 50, "first": 40, "second": 40}.items():
            found[f"{layer}_{name}"] = rng.normal(1, 1, (n, 5))
    np.savez(path, **found)


def code(text):
    """Return the code cells of a notebook."""
    cells = json.loads(text)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_the_notebook_is_what_its_source_gives_without_outputs_and_solution(make):
    text = (TEACHING / "assignment.ipynb").read_text(encoding="utf-8")
    assert text == make.notebook(solved=False)
    cells = json.loads(text)["cells"]
    assert all(not cell.get("outputs") for cell in cells)
    assert text.count("...  # write this") == 11
    left = [line for line in code(make.notebook(solved=True)) for line in line.splitlines()]
    taken = {line for line in left if line.startswith("    ") and line not in "\n".join(code(text))}
    assert len(taken) > 20
    assert "### " not in "\n".join(code(make.notebook(solved=True)))


def test_the_empty_notebook_runs_to_its_end(make, runs):
    said = runs(code(make.notebook(solved=False)))
    assert said.count(": it returns nothing yet.") == 11
    assert "right" not in said


def test_the_solution_is_right(make, runs):
    said = runs(code(make.notebook(solved=True))[:-1])  # the grader's test runs all cells
    assert said.count(": right.") == 11
    autograd, own = (line.rpartition(":")[2] for line in said.splitlines() if "tensor" in line)
    assert own.strip("tensor([ ])\n") == autograd.strip("tensor( )\n")


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_function_is_told_what_is_wrong(name, make, runs):
    right, wrong, told = WRONG[name]
    cells = [cell for cell in code(make.notebook(solved=True)) if "def " in cell or "load" in cell]
    (number,) = (n for n, cell in enumerate(cells) if right in cell)
    assert cells[number].count(right) == 1
    before = [re.sub(r"^check\(.*", "", cell, flags=re.M) for cell in cells[:number]]
    assert told in runs([*before, cells[number].replace(right, wrong)])
