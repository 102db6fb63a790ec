"""An exported folder in plain sentence-transformers gives this package's vectors."""

import json
import shutil

import numpy as np
import pytest
import yaml
from tiny_models import save_tiny_model
from tiny_pairs import write_pairs

from bertflow_core import EmbeddingStore, Lab, Recipe, build_calibrator, load_calibrator
from bertflow_core.cli import main
from bertflow_core.encoders import resolve_model
from bertflow_core.errors import InputError
from bertflow_core.export.check import agreement_of
from bertflow_core.export.dense import dense_layers
from bertflow_core.export.pieces import pieces_of
from bertflow_core.export.run import export_model
from bertflow_core.export.sentence_transformers import Modules, write_modules

SENTENCES = ["a cat sat", "the big dog runs fast on a mat", "red", "blue cat on the mat " * 20]
LAYERS = ("layer:0", "layer:2", "last", "last2", "first-last")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(store=EmbeddingStore(tmp_path_factory.mktemp("store")), device="cpu")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    families = ("bert", "roberta", "mpnet", "distilbert", "albert", "modernbert")
    home = tmp_path_factory.mktemp("models")
    return {family: save_tiny_model(home / family, family) for family in families}


def encoded(folder, **options):
    """Return the vectors of the sentences by sentence-transformers alone."""
    from sentence_transformers import SentenceTransformer  # late: every worker reads this file

    network = SentenceTransformer(str(folder), device="cpu", **options)
    return network.encode(SENTENCES, show_progress_bar=False)


def written(model, recipe, lab, out, *, spec="whiten", cut=True, normalize=False):
    """Write an export of a calibrator fitted on the sentences; return its vectors and ours."""
    x = lab.vectors(recipe, SENTENCES).x
    calibrator = build_calibrator(spec, device="cpu").fit(x)
    head = dense_layers(pieces_of(calibrator), x.shape[1])
    out.mkdir()
    write_modules(Modules(resolve_model(str(model)), recipe, head, normalize), out, cut=cut)
    return encoded(out, local_files_only=True), calibrator.transform(x)


@pytest.mark.parametrize("tokens", ["mean", "cls", "last", "max"])
@pytest.mark.parametrize("layers", LAYERS)
def test_layers_and_poolings_come_along(layers, tokens, folders, lab, tmp_path):
    recipe = Recipe(model=str(folders["bert"]), layers=layers, tokens=tokens, max_length=20)
    if tokens == "max" and layers in ("last2", "first-last"):
        with pytest.raises(InputError, match="token pooling max"):
            written(folders["bert"], recipe, lab, tmp_path / "out")
        return
    spec = (
        "standardize" if (layers, tokens) == ("layer:0", "cls") else "whiten"
    )  # all are one there
    given, expected = written(folders["bert"], recipe, lab, tmp_path / "out", spec=spec)
    np.testing.assert_allclose(given, expected, atol=2e-5)


@pytest.mark.parametrize("family", ["roberta", "mpnet", "distilbert", "albert", "modernbert"])
def test_an_encoder_that_normalises_its_end_is_left_whole(family, folders, lab, tmp_path):
    recipe = Recipe(model=str(folders[family]), layers="layer:2", max_length=20)
    cut = family != "modernbert"
    given, expected = written(folders[family], recipe, lab, tmp_path / "out", cut=cut)
    np.testing.assert_allclose(given, expected, atol=2e-5)
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    n_layers = config.get("num_hidden_layers", config.get("n_layers"))
    assert n_layers == (2 if cut else 3)


def test_what_a_model_declares_stays_in_front(folders, lab, tmp_path):
    model = tmp_path / "declared"
    shutil.copytree(folders["bert"], model)
    (model / "1_Pooling").mkdir()
    modes = {"word_embedding_dimension": 16, "pooling_mode_cls_token": True}
    (model / "1_Pooling" / "config.json").write_text(
        json.dumps({**modes, "pooling_mode_mean_tokens": False})
    )
    kinds = (("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize"))
    listed = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (kind, path) in enumerate(kinds)
    ]
    (model / "modules.json").write_text(json.dumps(listed))
    settings = {"prompts": {"query": "the cat: "}, "default_prompt_name": None}
    (model / "config_sentence_transformers.json").write_text(json.dumps(settings))
    recipe = Recipe(model=str(model), layers="model", prompt="query")
    given, expected = written(model, recipe, lab, tmp_path / "out", spec="standardize")
    # Unit vectors of 16 features: division by their small deviations enlarges what rounding leaves.
    np.testing.assert_allclose(given, expected, atol=1e-4)
    plain = encoded(model)
    np.testing.assert_allclose(np.linalg.norm(plain, axis=1), 1, atol=1e-5)
    assert np.abs(np.linalg.norm(given, axis=1) - 1).max() > 0.1
    with pytest.raises(InputError, match="first 8 features"):
        cut = recipe.with_(truncate_dim=8)
        written(model, cut, lab, tmp_path / "cut", spec="standardize")


def test_the_command_writes_compares_and_tells(folders, lab, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_pairs(tmp_path / "pairs.csv")
    options = f"--model {folders['bert']} --layers layer:2 --max-length 40 --dataset pairs.csv"
    fit = f"fit {options} --calibrator flow:epochs=20 --out c --device cpu".split()
    for words in (fit, "export c --out m --normalize --device cpu".split()):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert not left.value.code, capsys.readouterr().err
    assert "the smallest cosine to our own vectors is 1.0000" in capsys.readouterr().err
    calibrator, config = load_calibrator(tmp_path / "c")
    x = lab.vectors(Recipe.from_dict(config["recipe"]), SENTENCES).x
    given = encoded(tmp_path / "m")
    z = calibrator.transform(x)
    np.testing.assert_allclose(given, z / np.linalg.norm(z, axis=1, keepdims=True), atol=2e-5)
    card = (tmp_path / "m" / "README.md").read_text()
    front = yaml.safe_load(card.split("---")[1])
    assert front["library_name"] == "sentence-transformers"
    assert "| before | after | change |" in card
    with pytest.raises(InputError, match="not empty"):
        export_model(tmp_path / "c", tmp_path / "m", lab)


def test_other_vectors_are_told_apart():
    expected = np.random.default_rng(0).normal(size=(20, 4))
    given = expected * 3.0
    assert agreement_of(given, expected).holds  # cosine does not see a length
    given[7] += [0.1, 0, 0, 0]
    found = agreement_of(given, expected)
    assert not found.holds
    cosine = given[7] @ expected[7] / np.linalg.norm(given[7]) / np.linalg.norm(expected[7])
    assert found.min_cosine == pytest.approx(cosine)
    assert found.max_difference == pytest.approx(np.abs(given - expected).max())
