"""Names of models and layer sets, and fingerprints that tell encoders apart."""

import copy
import json
import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_pairs import tiny_recipe

from bertflow_core.encoders import (
    LayerSet,
    TokenPooling,
    TransformerEncoder,
    resolve_model,
    transformer,
)
from bertflow_core.errors import InputError
from bertflow_core.lab.lab import Lab


@pytest.fixture
def fingerprint(open_encoder):
    return lambda folder, **options: open_encoder(folder, **options).fingerprint


def test_options_and_versions_count_where_they_decide_the_vectors(
    tiny_bert, fingerprint, monkeypatch
):
    before = fingerprint(tiny_bert, device=None)
    for options in ({"max_length": 39}, {"dtype": "bfloat16"}):
        assert fingerprint(tiny_bert, **options) != before
    for options in ({"batch_tokens": 8}, {"device": "cpu"}):
        assert fingerprint(tiny_bert, **options) == before
    found = {before}
    for name, value in (
        ("PASS_VERSION", 10**6),
        ("version_of", lambda name: f"{name == 'torch'}"),
        ("version_of", lambda name: f"{name == 'transformers'}"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(transformer, name, value)
            found.add(fingerprint(tiny_bert))
    assert len(found) == 4


def test_every_file_that_loading_may_read_counts_and_no_other_name_or_commit(
    folder, fingerprint, tmp_path
):
    before = fingerprint(folder)
    (folder / "README.md").write_text("hello")
    (folder / "sub").mkdir()
    copy = resolve_model(str(shutil.copytree(folder, tmp_path / "elsewhere")))
    other = TransformerEncoder(replace(copy, name="x", revision="a" * 40), max_length=40)
    assert fingerprint(folder) == other.fingerprint == before
    assert (other.description["model"], other.description["revision"]) == ("x", "a" * 40)
    assert json.loads(json.dumps(other.description)) == other.description
    found = {before}
    names = "config.json model.safetensors tokenizer.json vocab.txt spiece.model added_tokens.json"
    for name in names.split():
        with (folder / name).open("ab") as stream:
            stream.write(b" ")
        found.add(fingerprint(folder))
    assert len(found) == 7


def test_what_can_be_no_model_or_has_no_revision_is_refused(tiny_bert, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    nearest = {"minlm": "did you mean .*minilm", "bert_base": "did you mean .*bert-base"}
    for name in (*nearest, "", "/no/such", "~nobody/x", "\0", "x" * 400, "a/b/c"):
        with pytest.raises(InputError, match=nearest.get(name, "model")):
            resolve_model(name)
    for name in ("minilm", str(tiny_bert)):
        with pytest.raises(InputError, match="so it has no revision 'main'"):
            resolve_model(name, revision="main")


def test_a_folder_is_named_by_its_path_and_does_not_take_a_short_name(
    tiny_bert, tmp_path, monkeypatch
):
    monkeypatch.chdir(tiny_bert.parent)
    monkeypatch.setenv("HOME", str(tiny_bert.parent))
    names = (str(tiny_bert), tiny_bert.name, f"~/{tiny_bert.name}")
    assert len({resolve_model(name).digest for name in names}) == 1
    monkeypatch.chdir(tmp_path)
    Path("minilm").symlink_to(tiny_bert)
    model = resolve_model("minilm")
    assert (model.n_layers, model.dim, model.max_positions, model.revision) == (6, 384, 512, None)
    assert resolve_model("./minilm").dim == 16


def test_a_layer_set_names_these_hidden_states_and_others_are_refused():
    for name, n_layers, indices in [
        ("last", 12, (12,)),
        ("last2", 12, (11, 12)),
        ("first-last", 12, (1, 12)),  # the layers behind the published avg-last-2; not (0, 12)
        ("layer:0", 12, (0,)),
        ("last2", 1, (0, 1)),
        ("first-last", 1, (1, 1)),
        ("layer:100", 100, (100,)),
    ]:
        assert LayerSet(name).indices(n_layers) == indices, name
    with pytest.raises(InputError, match=r"layer:13.*0 \(the embedding output\) to 12"):
        LayerSet("layer:13").indices(12)
    for name in ("", "Last", "last\n", "layer:", "layer:-1", "layer:1000", "layer:04", "layer:²"):
        with pytest.raises(InputError, match="expected model, last, last2, first-last or layer:k"):
            LayerSet(name)
    with pytest.raises(
        InputError,
        match=r"'median'.*'mean', 'mean-content', 'mean-after-first', 'cls', 'max', 'last'",
    ):
        TokenPooling.parse("median")


def test_plain_and_evaluate_load_one_network(recipe_of, own_cache, loaded):
    recipe, lab = recipe_of(), Lab()
    lab.evaluate([recipe.plain, *recipe.each(layers=("layer:0", "layer:1"))])
    lab.embed(recipe.model, ["a dog runs"], layers="layer:1", max_length=recipe.max_length)
    assert len(loaded) == 1


def test_another_choice_another_file_and_another_thread_get_another_encoder(folder):
    recipe, lab = tiny_recipe(folder, "captions"), Lab()
    first = lab.encoder(recipe)
    assert lab.encoder(recipe.with_(layers="layer:1", seed=3)) is first
    assert lab.encoder(recipe.with_(max_length=9)).max_length == 9
    again = lab.encoder(recipe)
    assert again is not first  # only one encoder is kept
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lab.encoder, recipe).result() is not again
    config = folder / "config.json"
    config.write_text(config.read_text() + "\n")
    assert lab.encoder(recipe) is not again
    for copied in (copy.deepcopy(lab), pickle.loads(pickle.dumps(lab))):
        assert copied.encoder(recipe) is not lab.encoder(recipe)
