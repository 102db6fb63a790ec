"""The rule of a threshold as code, run in each language."""

import json
import shutil
import subprocess

import numpy as np
import pytest
from project_tree import ROOT
from sklearn.metrics.pairwise import paired_cosine_distances

from bertflow_core.datasets import Corpus
from bertflow_core.export.rule import python_rule, typescript_rule
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.saved_thresholds import owner_of

FIRST, SECOND = np.random.default_rng(0).normal(size=(2, 200, 6))
ENTRY = owner_of(Recipe(), Corpus(("a",), "", ())) | {"threshold": 0.25}
EXPECTED = (1 - paired_cosine_distances(FIRST, SECOND) > 0.25).tolist()


def test_python_decides_by_the_cosine():
    assert 0 < sum(EXPECTED) < len(EXPECTED)
    made = {}
    exec(python_rule(ENTRY), made)
    assert made["are_alike"](FIRST, SECOND).tolist() == EXPECTED
    assert made["are_alike"](FIRST.tolist(), SECOND.tolist()).tolist() == EXPECTED


def test_typescript_decides_by_the_cosine(tmp_path):
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    if not esbuild.exists() or shutil.which("node") is None:
        pytest.skip("esbuild is not installed: `make check` installs it where there is npm")
    sides = json.dumps([FIRST.tolist(), SECOND.tolist()])
    asked = (
        f"const [a, b] = {sides};\nconsole.log(JSON.stringify(a.map((x, i) => areAlike(x, b[i]))));"
    )
    code = f"{typescript_rule(ENTRY)}{asked}"
    script = subprocess.run(
        [esbuild, "--loader=ts"], input=code, capture_output=True, text=True, check=True
    ).stdout
    (tmp_path / "rule.mjs").write_text(script)
    run = subprocess.run(
        ["node", tmp_path / "rule.mjs"], capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == EXPECTED
