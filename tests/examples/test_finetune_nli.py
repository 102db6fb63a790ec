"""The example that trains an encoder on inference pairs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tiny_models import WORDS

from bertflow_core import Lab

EXAMPLE = Path(__file__).parents[2] / "examples" / "finetune_nli.py"


@pytest.mark.campaign
def test_it_writes_a_model_that_was_trained(tiny_bert, tmp_path):
    for name in ("accelerate", "datasets"):
        pytest.importorskip(name, reason="sentence-transformers[train] is not installed")
    rng = np.random.default_rng(0)
    pairs = tmp_path / "pairs.jsonl"
    rows = (
        {"premise": first, "hypothesis": second, "label": int(label)}
        for first, second, label in zip(
            *(rng.choice(WORDS, 70) for _ in range(2)), rng.integers(-1, 3, 70), strict=True
        )
    )
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    out = tmp_path / "model"
    args = ["--model", str(tiny_bert), "--data", str(pairs), "--out", str(out)]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub")}
    run = subprocess.run(
        [sys.executable, EXAMPLE, *args], capture_output=True, text=True, env=offline
    )
    assert run.returncode == 0, run.stderr
    words = [" ".join(WORDS[i : i + 4]) for i in range(8)]
    trained, before = (Lab().embed(str(each), words) for each in (out, tiny_bert))
    assert trained.shape == before.shape
    assert np.abs(trained - before).max() > 1e-5
