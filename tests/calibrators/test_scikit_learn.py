"""Calibrators and the sentence encoder are scikit-learn's own: its checks, names and searches."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from bertflow_core import (
    EmbeddingStore,
    Lab,
    SentenceEncoder,
    build_calibrator,
)
from bertflow_core.calibrators import CALIBRATORS, Whiten
from bertflow_core.errors import InputError

D = 6
X = np.random.default_rng(0).normal(size=(60, D)) * np.arange(1, D + 1)
NAMES = [f"f{i}" for i in range(D)]
TABLE = pd.DataFrame(X, columns=NAMES)
OWN_NAMES = {  # those that keep the features; the others give new ones
    "identity": NAMES,
    "standardize": NAMES,
    "gaussianize": NAMES,
    "null-top-k": NAMES,
    "whiten:n_components=2": ["whiten0", "whiten1"],
    "soft-whiten": [f"softwhiten{i}" for i in range(D)],
    "soft-whiten:rotation=pca": [f"softwhiten{i}" for i in range(D)],
    "flow": [f"flowcalibrator{i}" for i in range(D)],
    "standardize+null-top-k": NAMES,
    "standardize+whiten:n_components=2": ["whiten0", "whiten1"],
}


SMALL = {name: f"{name}:n_layers=1,width=8" for name in ("realnvp", "spline-flow", "maf")}


@pytest.mark.parametrize("name", [*CALIBRATORS, "standardize+null-top-k:k=1"])
def test_it_passes_the_checks_of_an_estimator(name):
    results = check_estimator(build_calibrator(SMALL.get(name, name)), on_skip=None)
    assert len(results) >= 47
    assert {each["status"] for each in results} <= {"passed", "skipped"}


@pytest.mark.parametrize(("spec", "names"), OWN_NAMES.items())
def test_columns_have_names(spec, names):
    calibrator = build_calibrator(spec).set_output(transform="pandas")
    table = calibrator.fit_transform(TABLE)
    assert [*calibrator.feature_names_in_] == NAMES
    assert [*table.columns] == names
    expected = build_calibrator(spec).fit(X).transform(X)
    np.testing.assert_allclose(table.to_numpy(), expected, atol=1e-5)
    with pytest.raises(InputError, match="feature names should match"):
        calibrator.transform(TABLE[NAMES[::-1]])


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
