"""`calibrate` with folders that are no calibrator, and with options that have no meaning."""

from functools import partial

import numpy as np
import pytest
from saved_files import change_config, write_config

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.saved import save_calibrator

GOOD = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)


@pytest.fixture(autouse=True)
def saved(here):
    """A calibrator of 4 features without a recipe, `c`, and vectors for it, `good.npy`."""
    np.save(here / "good.npy", GOOD)
    return save_calibrator(build_calibrator("standardize").fit(GOOD), here / "c")


@pytest.fixture
def calibrate():
    return lambda source, *more: ("calibrate", source, "--calibrator", "c", "--out", "z.npy", *more)


def test_options_of_a_table_have_no_meaning_for_vectors(refuses, calibrate):
    refuses(*calibrate("good.npy", "--column", "sentence"), words="leave out --column")


def test_options_of_embedding_have_none_either(refuses, calibrate):
    for options in (("--device", "cpu"), ("--batch-size", "9"), ("--no-store",)):
        refuses(*calibrate("good.npy", *options), words=f"can take {options[0]}: leave it out")


def test_sentences_need_a_recipe(refuses, no_embedding, calibrate, sentences):
    refuses(*calibrate(sentences), words="holds no recipe to embed by")


class TestFilesThatAreNoCalibrator:
    @pytest.fixture(autouse=True)
    def _arguments(self, refuses, calibrate, sentences, no_embedding):
        def refused(*words):
            for source in ("good.npy", sentences):
                refuses(*calibrate(source), words=words)

        self.refused = refused

    @pytest.fixture
    def change(self, saved):
        """Return a function that changes the saved configuration."""
        return partial(change_config, saved)

    def test_missing(self, saved):
        saved.unlink()
        self.refused("does not exist")

    @pytest.mark.parametrize("text", ["", "{", "[]", "5", "null", '{"a": 1}'])
    def test_other_configuration(self, saved, text):
        write_config(saved, text)
        self.refused("'c")

    @pytest.mark.parametrize("content", [b"", b"weights", b"\xff" * 100])
    def test_other_weights(self, saved, content):
        saved.write_bytes(content)
        self.refused("is damaged")

    @pytest.mark.parametrize(
        "changes",
        [
            {"format": "bertflow-flow-1"},
            {"spec": None},
            {"spec": "null-top-k:k=2"},
            {"spec": "identity"},
            {"spec": "standardize+standardize"},
            {"spec": "flow"},
            {"spec": "os:system"},
            {"n_features_in": 5},
            {"n_features_in": -4},
            {"n_features_in": "4"},
            {"n_features_in": None},
            {"n_features_in": True},
            {"parameters": {"k": 10**9}},
            {"parameters": {"seed": -1}},
            {"parameters": {"steps": 5}},
            {"spec": "null-top-k:k=1000000000"},
            {"foreign": 1},
            {"versions": None},
        ],
        ids=str,
    )
    def test_files_that_contradict_each_other(self, change, changes):
        change(**changes)
        self.refused("no valid saved calibrator")


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ({"layers": "layer:99999"}, "unknown layer set"),
        ({"colour": "red"}, "no field 'colour'"),
        ({"seed": "1"}, "whole number"),
        ({"model": "nothing-like-it"}, "unknown model"),
        ([1, 2], "no recipe"),
        ("minilm", "no recipe"),
        (5, "no recipe"),
        (["model"], "no recipe"),
    ],
)
def test_a_recipe_that_is_none(refuses, no_embedding, calibrate, saved, sentences, recipe, words):
    change_config(saved, recipe=recipe)
    refuses(*calibrate(sentences), words=words)


@pytest.mark.parametrize(
    "changes",
    [{"parameters": [1]}, {"parameters": "x"}, {"notes": 5}, {"notes": {"a": 1}}],
    ids=str,
)
def test_a_configuration_of_wrong_types_is_refused(refuses, calibrate, saved, changes):
    change_config(saved, **changes)
    refuses(*calibrate("good.npy"), words="no valid saved calibrator")


def test_vectors_of_another_model(refuses, here, calibrate, table, sentences, works, tiny):
    works("fit", *tiny, "--dataset", table, "--calibrator", "whiten", "--out", "other")
    options = ("--calibrator", "other", "--out", "z.npy")
    refuses("calibrate", "good.npy", *options, words=("X has 4 features", "expecting 16 features"))
