"""What a type checker sees of the public names."""

import re
from pathlib import Path

from mypy import api

import bertflow_core

ROOT = Path(bertflow_core.__file__).parent.parent
EVERY_NAME = """
from pathlib import Path
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
from bertflow_core import calibrators, flows
bf.buid_calibrator
calibrators.Calibratr
flows.Glo
"""


def test_public_names_are_typed_and_a_misspelt_one_is_found(tmp_path: Path) -> None:
    """One run of mypy, under --strict, over three programs."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(import bertflow_core as bf\n.*?)```", readme, re.DOTALL)
    programs = {"names": EVERY_NAME, "readme": example, "misspelt": MISSPELT}
    paths = [tmp_path / f"{name}.py" for name in programs]
    for path, program in zip(paths, programs.values(), strict=True):
        path.write_text(program, encoding="utf-8")
    config = ("--strict", "--config-file", str(ROOT / "pyproject.toml"))
    said, _, _ = api.run([*config, *map(str, paths)])
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert set(re.findall(r"bf\.(\w+)", EVERY_NAME)) >= set(bertflow_core.__all__)
    assert all("misspelt.py" in error for error in errors), errors
    assert len(errors) == 3
    for name in ("buid_calibrator", "Calibratr", "Glo"):
        assert sum(f'has no attribute "{name}"' in error for error in errors) == 1
