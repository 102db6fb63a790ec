"""What a type checker sees of the public names."""

import re
from pathlib import Path

import pytest
from mypy import api

import bertflow_core

ROOT = Path(bertflow_core.__file__).parent.parent
EVERY_NAME = """
import numpy as np
import bertflow_core as bf

version: str = bf.__version__
store: bf.EmbeddingStore = bf.EmbeddingStore("store")
lab: bf.Lab = bf.Lab(store=store, device="cpu")
recipe: bf.Recipe = bf.Recipe(dataset="teaching", calibrator="whiten").with_(seed=1)
results = lab.evaluate(recipe, ["identity"])
rho: float = results[0].rho
calibrator: bf.Calibrator = bf.build_calibrator("whiten")
x = np.ones((4, 2), np.float32)
z = calibrator.fit(x).transform(x)
file: Path = bf.save_calibrator(calibrator, Path("saved.safetensors"))
again: bf.Calibrator = bf.load_calibrator(file)[0]
fitted: bf.Calibrator = lab.fit(recipe).calibrator
pairs = bf.load_pairs("teaching")
sentences: tuple[str, ...] = bf.load_corpus("teaching", "target").sentences
encoder = bf.TransformerEncoder(bf.resolve_model("minilm"))
cosine = bf.pairwise_cosine(z, z)
scores = bf.score_pairs(cosine, cosine, ["all"] * 4)
moments: bf.Moments = bf.Moments.of(x)
step: bf.SentenceEncoder = bf.SentenceEncoder("minilm")
with bf.progress_bars():
    url: str | None = bf.export_model(file, Path("exported"), lab).url
bf.inside()
bf.wall(recipe)
bf.wall_of({"x": x}, ["a", "b", "c", "d"])
"""
MISSPELT = """
import bertflow_core as bf
import bertflow_core.calibrators as calibrators
import bertflow_core.flows as flows

bf.buid_calibrator
calibrators.Calibratr
flows.Glo
"""


def said_of(program: str, folder: Path) -> list[str]:
    """Return the errors that mypy finds under --strict."""
    user = folder / "user.py"
    user.write_text(program, encoding="utf-8")
    said, _, _ = api.run(["--strict", "--config-file", str(ROOT / "pyproject.toml"), str(user)])
    return [line for line in said.splitlines() if ": error:" in line]


def test_programs_with_every_public_name_are_typed(tmp_path: Path) -> None:
    assert set(re.findall(r"bf\.(\w+)", EVERY_NAME)) >= set(bertflow_core.__all__)
    assert said_of("from pathlib import Path\n" + EVERY_NAME, tmp_path) == []


def test_the_example_of_the_readme_is_typed(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(import bertflow_core as bf\n.*?)```", readme, re.DOTALL)
    assert said_of(example, tmp_path) == []


@pytest.mark.parametrize("name", ["buid_calibrator", "Calibratr", "Glo"])
def test_a_misspelt_name_is_found(name: str, tmp_path: Path) -> None:
    errors = said_of(MISSPELT, tmp_path)
    assert len(errors) == 3
    assert sum(f'has no attribute "{name}"' in error for error in errors) == 1
