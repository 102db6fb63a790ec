"""`calibrate` with files that are no calibrator, and with options that have no meaning."""

import numpy as np
import pytest
from saved_files import change_config, write_config

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.saved import save_calibrator

GOOD = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
NOT_VALID = "no valid saved calibrator"


@pytest.fixture(autouse=True)
def saved(here):
    """A calibrator of 4 features without a recipe, `c`, and vectors for it, `good.npy`."""
    np.save(here / "good.npy", GOOD)
    return save_calibrator(build_calibrator("standardize").fit(GOOD), here / "c")


@pytest.fixture
def refused(refuses, no_embedding, sentences):
    """Return a function that expects one sentence, whatever the source is."""

    def run(*words, sources=("good.npy", sentences), options=()):
        for source in sources:
            refuses(
                "calibrate", source, "--calibrator", "c", "--out", "z.npy", *options, words=words
            )

    return run


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--column", "sentence"), "leave out --column"),
        (("--device", "cpu"), "can take --device: leave it out"),
        (("--no-store",), "can take --no-store: leave it out"),
    ],
)
def test_options_of_a_table_or_of_embedding_have_no_meaning_for_vectors(refused, options, words):
    refused(words, sources=["good.npy"], options=options)


def test_sentences_need_a_recipe(refused, sentences):
    refused("holds no recipe to embed by", sources=[sentences])


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda file: file.unlink(), "does not exist"),
        *(
            (lambda file, text=text: write_config(file, text), "'c")
            for text in ("", "{", "[]", "5")
        ),
        *(
            (lambda file, raw=raw: file.write_bytes(raw), "is damaged")
            for raw in (b"", b"\xff" * 9)
        ),
    ],
)
def test_a_file_that_is_no_saved_thing_is_refused(refused, saved, damage, words):
    damage(saved)
    refused(words)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "bertflow-flow-1"},
        *({"spec": spec} for spec in (None, "null-top-k:k=2", "identity", "flow", "os:system")),
        *({"n_features_in": n} for n in (5, -4, "4", None, True)),
        *({"parameters": values} for values in ({"k": 10**9}, {"seed": -1}, {"steps": 5}, [1])),
        *({"notes": notes} for notes in (5, {"a": 1})),
        {"foreign": 1},
        {"versions": None},
    ],
    ids=str,
)
def test_a_configuration_that_contradicts_itself_or_the_weights_is_refused(refused, saved, changes):
    change_config(saved, **changes)
    refused(NOT_VALID)


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ({"layers": "layer:99999"}, "unknown layer set"),
        ({"colour": "red"}, "no field 'colour'"),
        ({"seed": "1"}, "whole number"),
        ({"model": "nothing-like-it"}, "unknown model"),
        ([1, 2], "no recipe"),
        ("minilm", "no recipe"),
    ],
)
def test_a_recipe_that_is_none(refused, saved, sentences, recipe, words):
    change_config(saved, recipe=recipe)
    refused(words, sources=[sentences])


def test_vectors_of_another_model(refuses, table, works, tiny):
    works("fit", *tiny, "--dataset", table, "--calibrator", "whiten", "--out", "other")
    options = ("--calibrator", "other", "--out", "z.npy")
    refuses("calibrate", "good.npy", *options, words=("X has 4 features", "expecting 16 features"))
