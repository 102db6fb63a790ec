"""Calibrators and the sentence encoder are scikit-learn's own: its checks, names and searches."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from bertflow_core import EmbeddingStore, Lab, SentenceEncoder, build_calibrator
from bertflow_core.calibrators import CALIBRATORS, Whiten
from bertflow_core.errors import InputError

SMALL = {
    **{name: f"{name}:n_layers=1,width=4,epochs=0.1" for name in ("realnvp", "spline-flow", "maf")},
    "flow": "flow:n_levels=1,depth=1,coupling_width=4,epochs=0.1",
    "rbig": "rbig:n_layers=2",
}


@pytest.mark.parametrize("name", [*CALIBRATORS, "standardize+null-top-k:k=1"])
def test_it_passes_the_checks_of_an_estimator(name):
    results = check_estimator(build_calibrator(SMALL.get(name, name)), on_skip=None)
    assert len(results) >= 47
    assert {each["status"] for each in results} <= {"passed", "skipped"}


def test_an_encoder_begins_a_pipeline(tiny_bert, tmp_path):
    lab = Lab(store=EmbeddingStore(tmp_path), device="cpu")
    texts = ["a cat sat", "the dog ran", "a dog sat", "the cat ran"]
    encoder = SentenceEncoder(str(tiny_bert), layers="layer:1", max_length=20, lab=lab)
    z = make_pipeline(encoder, Whiten(n_components=2)).fit_transform(texts)
    x = lab.embed(str(tiny_bert), texts, layers="layer:1", max_length=20)
    np.testing.assert_allclose(z, Whiten(n_components=2).fit_transform(x), atol=1e-6)
    for wrong, said in (
        ("a cat sat", "put it in a list"),
        (["a cat", None], "sentence 2 must be text, got None"),
    ):
        with pytest.raises(InputError, match=said):
            encoder.transform(wrong)
