"""The plain output equals `SentenceTransformer.encode`, whatever a model's folder declares."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from declared_models import OURS, THEIRS
from safetensors.torch import save_file
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows

from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.catalog import look_at
from bertflow_core.encoders.declared import DeclaredEncoder
from bertflow_core.encoders.declared_folder import open_declared
from bertflow_core.errors import InputError
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime import context

SENTENCES = ["a cat sat", "the big dog runs fast on a mat", "red", "Blue Cat " * 40, "a cat", "!?"]
PROMPTS = {"query": "the cat: ", "passage": "a dog: "}
DEFAULT = {"default_prompt_name": "passage"}
SETTINGS = [({}, 0), ({**DEFAULT, "truncate_dim": 4}, 0), (DEFAULT, 3), (DEFAULT, 0)]
SETTINGS.append(({**DEFAULT, "truncate_dim": 4}, 2))
"""Settings of a folder, and the number of features requested; the models take them in turn."""


def opened(folder: Path, prompt: str | None = None, **options: Any) -> DeclaredEncoder:
    declared = open_declared(resolve_model(str(folder)), prompt=prompt)
    return DeclaredEncoder(declared, device="cpu", **options)


def check_same(
    folder: Path, kept: int = 0, prompts: tuple[str | None, ...] = (None,), *, is_ours: bool = False
) -> None:
    """Compare with sentence-transformers, which is hidden while one of `OURS` runs."""
    from sentence_transformers import SentenceTransformer

    network = SentenceTransformer(str(folder), device="cpu", truncate_dim=kept or None)
    expected = {prompt: network.encode(SENTENCES, prompt_name=prompt) for prompt in prompts}
    encoder = opened(folder, truncate_dim=kept)
    with pytest.MonkeyPatch.context() as patch:
        if is_ours:
            patch.setitem(sys.modules, "sentence_transformers", None)
        for prompt, x in expected.items():
            encoder.prompt = open_declared(encoder.model, prompt=prompt).prompt
            block = encoder.encode(SENTENCES)
            np.testing.assert_allclose(block.vectors[0], x, rtol=0, atol=1e-5)
            assert (encoder.dim, block.vectors.dtype) == (x.shape[1], np.float32)


@pytest.mark.parametrize("name", [*OURS, *THEIRS])
def test_vectors_are_those_of_sentence_transformers(name, saved, tmp_path):
    settings, kept = SETTINGS[[*OURS, *THEIRS].index(name) % len(SETTINGS)]
    folder = saved(tmp_path, name, prompts=PROMPTS, **settings)
    check_same(folder, kept, (None, "query"), is_ours=name in OURS)


def test_a_conversation_is_what_sentence_transformers_makes_of_a_folder_for_one(
    tiny_folder, tmp_path
):
    folder = shutil.copytree(tiny_folder("qwen3"), tmp_path / "model")
    template = "{% for message in messages %}cat {{ message.content }} dog{% endfor %}"
    before = resolve_model(str(folder)).digest
    (folder / "chat_template.jinja").write_text(template)
    assert resolve_model(str(folder)).digest != before
    check_same(folder)
    assert "mean pooling, a chat template around each text" in str(look_at(str(folder)))


def test_the_tokens_of_a_chat_template_are_counted(recipe_of, own_cache, tiny_folder, tmp_path):
    from sentence_transformers import SentenceTransformer

    folder = shutil.copytree(tiny_folder("qwen3"), tmp_path / "model")
    plain, lab = recipe_of(6).with_(model=str(folder)).plain, Lab(device="cpu")
    assert next(lab.embedded([plain])).chat_remark == ""
    template = "{% for message in messages %}the cat {{ message.content }}{% endfor %}"
    (folder / "chat_template.jinja").write_text(template)
    found = next(lab.embedded([plain]))
    texts = [text for pair in pair_rows(6) for text in pair[:2]]
    tokens = SentenceTransformer(str(folder), device="cpu").preprocess(texts)["attention_mask"]
    counted = (2, round(float(tokens.sum(1).float().mean())))
    assert found.encoder["chat_tokens"] == counted
    assert "{} of {} tokens".format(*counted) in found.chat_remark
    around = plain.with_(template="dog dog {text}")  # which is no part of the folder's
    assert next(lab.embedded([around])).encoder["chat_tokens"][0] == 2


def test_the_embedded_model_is_what_sentence_transformers_gives(own_cache, minilm):
    """Its folder declares 256 tokens, mean pooling and unit length."""
    from sentence_transformers import SentenceTransformer

    sentences = ["A dog runs.", "Rain falls on the town " * 40]
    expected = SentenceTransformer(str(minilm), device="cpu").encode(sentences)
    np.testing.assert_allclose(Lab(device="cpu").embed("minilm", sentences), expected, atol=1e-6)


def test_progress_begins_at_none_and_ends_at_all_where_the_library_runs(saved, tmp_path):
    reports = []
    with context.reporting(lambda *report: reports.append(report)):
        opened(saved(tmp_path, "dense")).encode(SENTENCES)
    assert [reports[0], reports[-1]] == [(n, len(SENTENCES), "sentences") for n in (0, 6)]


def test_what_was_cut_is_told_and_words_are_counted(saved, tmp_path):
    cut = {"dense": [3], "a shorter length": [1, 3], "word averages": []}
    for name, rows in cut.items():
        block = opened(saved(tmp_path / name, name)).encode(SENTENCES)
        assert np.flatnonzero(block.cut).tolist() == rows, name
        assert block.n_tokens[0] == (3 if name == "word averages" else 5)


# The older layout of folders, which most models on the hub have.


def module(folder, index, kind, config=None, weights=None):
    """Write the folder of a module; return its entry in modules.json."""
    path = folder / f"{index}_{kind}"
    path.mkdir(exist_ok=True)
    if config is not None:
        (path / "config.json").write_text(json.dumps(config))
    if weights is not None:
        save_file(weights, path / "model.safetensors")
    return {"path": path.name, "type": f"sentence_transformers.models.{kind}"}


def declare(folder, *modules, **settings):
    first = {"path": "", "type": "sentence_transformers.models.Transformer"}
    listed = [{"idx": i, "name": str(i), **each} for i, each in enumerate((first, *modules))]
    (folder / "modules.json").write_text(json.dumps(listed))
    (folder / "config_sentence_transformers.json").write_text(json.dumps(settings))
    return folder


def old_pooling(folder, mode):
    keys = {"mean": "mean_tokens", "cls": "cls_token", "max": "max_tokens"}
    config = {f"pooling_mode_{key}": name == mode for name, key in keys.items()}
    return module(folder, 1, "Pooling", {"word_embedding_dimension": 16, **config})


def old_dense(folder, **changes):
    drawn = torch.Generator().manual_seed(3)
    shapes = {"linear.weight": (5, 16), "linear.bias": (5,)}
    weights = {name: torch.randn(shape, generator=drawn) for name, shape in shapes.items()}
    config = {"in_features": 16, "out_features": 5, "bias": True}
    config["activation_function"] = "torch.nn.modules.activation.Tanh"
    return module(folder, 2, "Dense", config | changes, weights)


@pytest.mark.parametrize(("mode", "has_dense"), [("mean", False), ("cls", True), ("max", False)])
def test_the_older_layout_is_read_as_well(folder, mode, has_dense):
    lengths = {"max_seq_length": 12, "do_lower_case": False}
    (folder / "sentence_bert_config.json").write_text(json.dumps(lengths))
    modules = [old_pooling(folder, mode), *([old_dense(folder)] if has_dense else [])]
    check_same(declare(folder, *modules, prompts=PROMPTS), prompts=("query",))


def test_the_lab_stores_what_is_declared_apart_and_knows_a_changed_module(folder, own_cache):
    declare(folder, old_pooling(folder, "cls"))
    lab = Lab(device="cpu")
    declared = lab.embed(str(folder), SENTENCES)
    cls = lab.embed(str(folder), SENTENCES, layers="last", tokens="cls", max_length=MAX_TOKENS)
    np.testing.assert_allclose(declared, cls, atol=1e-4)
    np.testing.assert_array_equal(lab.embed(str(folder), SENTENCES[::-1]), declared[::-1])
    declare(folder, old_pooling(folder, "max"))
    assert np.abs(lab.embed(str(folder), SENTENCES) - declared).max() > 0.1
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 5}')
    assert np.abs(lab.embed(str(folder), SENTENCES) - declared).max() > 0.1


def test_a_choice_that_the_model_does_not_have_is_refused_with_those_it_has(folder, own_cache):
    declare(folder, old_pooling(folder, "mean"), prompts=PROMPTS, truncate_dim=8)
    lab = Lab(device="cpu")
    assert lab.embed(str(folder), SENTENCES).shape == (6, 8)
    assert lab.embed(str(folder), SENTENCES, truncate_dim=12).shape == (6, 12)
    with pytest.raises(InputError, match="no prompt 'question': it declares 'query', 'passage'"):
        lab.embed(str(folder), SENTENCES, prompt="question")
    with pytest.raises(InputError, match=r"has 16 features.* got 17"):
        lab.embed(str(folder), SENTENCES, truncate_dim=17)


def test_layers_model_brings_its_own_choices_and_takes_them_along():
    recipe = Recipe(layers="model", prompt="query", truncate_dim=128)
    assert (recipe.tokens, recipe.max_length) == ("model", 0)
    assert "own pooling, prompt 'query', first 128 features" in recipe.caption()
    assert recipe.with_(layers="last") == Recipe(layers="last")
    assert recipe.without("layers") == Recipe().without("layers")
    assert recipe.fingerprint() != recipe.with_(prompt=None).fingerprint()
