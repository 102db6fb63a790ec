"""In MTEB: its scores of calibrated vectors are ours, and nothing is fetched."""

import builtins
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr
from tiny_pairs import tiny_recipe, write_pairs

from bertflow_core import EmbeddingStore, Lab, build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.mteb import CalibrationWrapper, pairs_task

X = np.random.default_rng(0).normal(size=(40, 6)).astype(np.float32) + 3


@dataclass(frozen=True)
class Meta:
    revision: str | None

    def model_copy(self, update):
        return Meta(**update)


class Model:
    """An encoder as MTEB knows them, of rows by number."""

    mteb_model_meta = Meta("abc")

    def encode(self, inputs: list[int], **options: Any) -> np.ndarray:
        assert options == {"batch_size": 7}
        return X[inputs]


def test_a_wrapper_calibrates_and_compares_by_cosine():
    calibrator = build_calibrator("whiten:n_components=3", device="cpu").fit(X)
    wrapper = CalibrationWrapper(Model(), calibrator)
    z = wrapper.encode([4, 1, 2], batch_size=7)
    np.testing.assert_allclose(z, calibrator.transform(X)[[4, 1, 2]], rtol=1e-5)
    unit = z / np.linalg.norm(z, axis=1, keepdims=True)
    np.testing.assert_allclose(wrapper.similarity(z, z[:2]), unit @ unit[:2].T, atol=1e-6)
    np.testing.assert_allclose(wrapper.similarity_pairwise(z, z[::-1])[1], 1, atol=1e-6)


def test_results_of_another_fit_stay_apart():
    def revision(spec, x):
        fitted = build_calibrator(spec, device="cpu").fit(x)
        return CalibrationWrapper(Model(), fitted).mteb_model_meta.revision

    assert revision("whiten", X).startswith("abc+whiten")
    assert revision("whiten", X) == revision("whiten", X.copy())
    assert len({revision("whiten", X), revision("whiten", X[1:]), revision("standardize", X)}) == 3


def test_without_mteb_the_way_to_get_it_is_said(monkeypatch):
    real = builtins.__import__

    def absent(name, *args, **options):
        if name.partition(".")[0] == "mteb" or name == "bertflow_core.mteb.task":
            raise ImportError(name)
        return real(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(InputError, match=r"pip install .*\[mteb\]"):
        pairs_task()
    with pytest.raises(InputError, match=r"pip install .*\[mteb\]"):
        CalibrationWrapper(object(), build_calibrator("whiten"))


def test_mteb_gives_our_score_of_a_users_own_pairs(tiny_bert, tmp_path):
    pytest.importorskip("mteb.abstasks", reason="mteb is not installed (the extra mteb)")
    import mteb
    from sentence_transformers import SentenceTransformer

    table = write_pairs(tmp_path / "my pairs.csv")
    lab = Lab(store=EmbeddingStore(tmp_path / "store"), device="cpu")
    model = SentenceTransformer(str(tiny_bert), device="cpu", local_files_only=True)
    recipe = tiny_recipe(tiny_bert, table, layers="last", max_length=model.max_seq_length)
    (result,) = lab.evaluate(recipe, ["whiten:n_components=5"])
    task = pairs_task(str(table), lab=lab)
    wrapped = CalibrationWrapper(model, result.calibrator)
    for _ in range(2):  # MTEB unloads a task's data after a run
        done = mteb.evaluate(wrapped, tasks=[task], cache=None)
        score = done.task_results[0].get_score()
        assert score == pytest.approx(result.score, abs=1e-6)
    assert score == pytest.approx(spearmanr(result.similarity, lab.pairs(recipe).gold).statistic)
