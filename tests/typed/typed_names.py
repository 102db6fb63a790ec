"""The public names, used with their types; `make check` runs mypy on this file.

Misspelt names must be found too: mypy reports an `ignore` that hides no error.
"""
# ruff: noqa: B018, F841

from pathlib import Path

import numpy as np

import bertflow_core as bf
from bertflow_core import calibrators, flows


def every_name(file: Path) -> None:
    """Use each public name."""
    version: str = bf.__version__
    store: bf.EmbeddingStore = bf.EmbeddingStore("store")
    lab: bf.Lab = bf.Lab(store=store, device="cpu")
    recipe: bf.Recipe = bf.Recipe(dataset="teaching", calibrator="whiten").with_(seed=1)
    rho: float = lab.evaluate([recipe])[0].rho
    calibrator: bf.Calibrator = bf.build_calibrator("whiten")
    x = np.ones((4, 2), np.float32)
    z = calibrator.fit(x).transform(x)
    saved: Path = bf.save_calibrator(calibrator, file)
    again: bf.Calibrator = bf.load_calibrator(saved)[0]
    fitted: bf.Calibrator = lab.fit(recipe).calibrator
    pairs = bf.load_dataset("teaching")
    sentences: tuple[str, ...] = bf.load_corpus("teaching", "target").sentences
    encoder = bf.TransformerEncoder(bf.resolve_model("minilm"))
    cosine = bf.pairwise_cosine(z, z)
    scores = bf.score_pairs(cosine, cosine, ["all"] * 4)
    moments: bf.Moments = bf.Moments.of(x)
    with bf.progress_bars():
        n_bytes: int = bf.export_model(saved, Path("exported"), lab).n_bytes
    bf.flow_plane()
    bf.wall(recipe)
    bf.wall_of({"x": x}, ["a", "b", "c", "d"])


bf.buid_calibrator  # type: ignore[attr-defined]
calibrators.Calibratr  # type: ignore[attr-defined]
flows.Glo  # type: ignore[attr-defined]
