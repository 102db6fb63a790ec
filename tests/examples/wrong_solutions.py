"""Solutions of the assignment with one mistake each, and small data to run them on."""

import json
import sys

import numpy as np
from project_tree import ROOT

TEACHING, EXAMPLE = ROOT / "docs" / "teaching", ROOT / "examples" / "assignment"
sys.path[:0] = [str(EXAMPLE), str(TEACHING)]

import answer  # noqa: E402, F401
import grade  # noqa: E402, F401
import make  # noqa: E402, F401

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
        "Task 4, leave_out: the largest variance is not",
    ),
    "values": (
        "spearmanr((first * second).sum(axis=1) / lengths, gold).statistic",
        "np.corrcoef((first * second).sum(axis=1) / lengths, gold)[0, 1]",
        "Task 4, rho: that is Pearson's r",
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
        "Task 5, whiten: the divisors are variances",
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
        "of_after - of_before,",
        "of_after[::-1] - of_before,",  # each is scored on draws of its own
        "Task 7, interval: the same cosines before and after differ by 0 in every resample",
    ),
    "other way": (
        "of_after - of_before,",
        "of_before - of_after,",
        "Task 7, interval: that is before minus after",
    ),
    "90 %": (
        "[0.025, 0.975]",
        "[0.05, 0.95]",
        "Task 7, interval: that is about a 90 % interval",
    ),
    "no interval": (
        "low, high = interval(plain, candidate, gold)\n",
        "low = high = spearmanr(candidate, gold)[0] - spearmanr(plain, gold)[0]\n",
        "Task 8, decide: ",
    ),
    "raises": ("return x - fit.mean(axis=0)", "return x - fit.maen(axis=0)", "it raises Attribu"),
    "nothing": ("return x - fit.mean(axis=0)", "pass", "Task 2, centre: it returns nothing yet"),
    "a word": ('return "calibrate"', 'return "yes"', "Task 8, decide: what it returns is no "),
}


def write_data(path):
    """Write vectors of 40 pairs and of 50 sentences to fit on, in a cone."""
    rng, found = np.random.default_rng(0), {"gold": np.arange(40.0)}
    for layer in ("layer4", "output"):
        for name, n in {"fit": 50, "first": 40, "second": 40}.items():
            found[f"{layer}_{name}"] = rng.normal(1, 1, (n, 8))
    np.savez(path, **found)


def code(text):
    """Return the code cells of a notebook."""
    cells = json.loads(text)["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
