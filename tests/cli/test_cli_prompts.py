"""Prompt and width of layers `model` in every command that takes several layer sets.

Each number is that of `evaluate` alone on those layers, and each printed command makes it again.
"""

import csv
import io
import json
import shlex

import numpy as np
import pytest
from tiny_models import save_tiny_model

from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

LAYERS = ("--layers", "layer:2", "--layers", "model")
DECLARED = ("--prompt", "query", "--truncate-dim", "5")
SAID = "pooled as its folder declares, prompt 'query', first 5 features"


@pytest.fixture
def model(here):
    """A tiny model that declares two prompts."""
    save_tiny_model(here / "tiny", "bert", max_position_embeddings=Recipe.max_length)
    kind = "sentence_transformers.models"
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": f"{kind}.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{kind}.Pooling"},
    ]
    (here / "tiny" / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": 16, "pooling_mode_mean_tokens": True}
    settings = {"prompts": {"query": "the red cat: ", "passage": "a dog: "}}
    for name, content in (
        ("modules.json", modules),
        ("1_Pooling/config.json", pooling),
        ("config_sentence_transformers.json", settings),
    ):
        (here / "tiny" / name).write_text(json.dumps(content))
    return "./tiny"


@pytest.fixture
def options(model, table):
    return ("--model", model, "--dataset", str(table), "--device", "cpu")


@pytest.fixture
def declared(works, options):
    """The results of layers `model` alone, under identity and standardize."""
    text = works(
        "evaluate", *options, "--layers", "model", *DECLARED, "--calibrator", "standardize",
        "--format", "json",
    )  # fmt: skip
    return {each["spec"]: each for each in json.loads(text)["rows"]}


def test_compare_has_the_numbers_of_evaluate_and_says_so(works, options, declared):
    given = ("compare", *options, *LAYERS, *DECLARED, "--calibrator", "standardize")
    rows = list(csv.DictReader(io.StringIO(works(*given, "--format", "csv"))))
    of_model = {row["calibrator"]: row for row in rows if row["layers"] == "model"}
    for spec, row in of_model.items():
        assert float(row["spearman_all"]) == declared[spec]["spearman"]["all"]
        assert (row["recipe_prompt"], row["recipe_truncate_dim"]) == ("query", "5")
    others = {row["recipe_prompt"] for row in rows if row["layers"] == "layer:2"}
    assert others == {""}


def test_the_command_of_a_comparison_names_both(works, options):
    given = ("compare", *options, *LAYERS, *DECLARED, "--calibrator", "standardize")
    once = json.loads(works(*given, "--format", "json"))
    words = shlex.split(once["command"])[1:]
    again = json.loads(works(*words, "--device", "cpu", "--format", "json"))
    assert {*DECLARED} < {*words}
    assert again["command"] == once["command"]
    assert [row["score"] for row in again["rows"]] == [row["score"] for row in once["rows"]]
    of_declared = [row for row in once["rows"] if row["layers"] == "model"]
    assert [row["recipe"]["truncate_dim"] for row in of_declared] == [0, 5, 5]


def test_cone_has_the_numbers_of_evaluate(works, options, declared):
    given = ("analyse", "cone", *options, *LAYERS, *DECLARED, "--calibrator", "identity")
    rows = list(csv.DictReader(io.StringIO(works(*given, "--format", "csv"))))
    (row,) = (row for row in rows if row["layers"] == "model")
    assert float(row["rho"]) == pytest.approx(declared["identity"]["spearman"]["all"], abs=1e-12)
    assert (row["recipe_prompt"], row["recipe_tokens"]) == ("query", "model")
    assert {row["recipe_tokens"] for row in rows} == {"model", "mean"}
    assert f"layer:2: mean tokens, at most 64 tokens; model: {SAID}" in works(*given)


def test_sentences_measure_the_vectors_that_the_model_declares(works, options, model, table):
    given = ("analyse", "spectrum", *options, *LAYERS, *DECLARED, "--calibrator", "identity")
    rows = json.loads(works(*given, "--format", "json"))["rows"]
    (of_model,) = (row for row in rows if row["layers"] == "model")
    assert of_model["recipe_prompt"] == "query"
    pairs, _ = Lab().load(Recipe(dataset=str(table)))
    x = Lab(device="cpu").embed(model, pairs.sentences(), prompt="query", truncate_dim=5)
    values = np.linalg.svd(x - x.mean(axis=0), compute_uv=False)
    found = np.array(of_model["singular_values"])
    assert len(found) == 5
    np.testing.assert_allclose(found / found[0], values / values[0], rtol=1e-4)


@pytest.mark.usefixtures("no_embedding")
@pytest.mark.parametrize(
    "command",
    [
        ("evaluate",),
        ("compare",),
        ("analyse", "cone"),
        ("analyse", "wall", "--out", "x.html"),
    ],
)
def test_they_are_refused_without_layers_model(refuses, command):
    for option in (DECLARED[:2], DECLARED[2:]):
        refuses(*command, "--layers", "last", *option, words="add --layers model")
