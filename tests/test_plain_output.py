"""The plain output: what the model's own `encode` gives, and where it stands."""

import json

import numpy as np
import pytest
from tiny_models import declare
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.encoders import TransformerEncoder
from bertflow_core.lab import Lab
from bertflow_core.store import EmbeddingStore, Unstored
from bertflow_core.studies.scores import evaluate


@pytest.fixture
def folder(tiny_bert, tmp_path):
    """An encoder whose folder declares mean pooling, unit length and at most seven tokens."""
    path = declare(tiny_bert, tmp_path / "bert")
    (path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 7}))
    return path


@pytest.fixture
def recipe(folder, tmp_path):
    long = [(f"{a} the cat sat on the mat", b, score, s) for a, b, score, s in pair_rows(4)]
    return tiny_recipe(folder, write_pairs(tmp_path / "pairs.csv", [*pair_rows(), *long]))


@pytest.mark.parametrize(("pooling", "max_length"), [("mean", 5), ("cls", 40), ("mean", 40)])
def test_it_is_what_sentence_transformers_gives(
    recipe, tiny_bert, folder, own_cache, pooling, max_length
):
    from sentence_transformers import SentenceTransformer

    declare(tiny_bert, folder, pooling)
    plain = Lab().plain(recipe.with_(max_length=max_length))
    model = SentenceTransformer(str(folder), device="cpu")
    expected = model.encode(list(plain.prepared.pairs.first), show_progress_bar=False)
    np.testing.assert_allclose(plain.prepared.x_first, expected, atol=1e-6)
    np.testing.assert_array_equal(plain.z[0], plain.prepared.x_first)
    assert (plain.spec, plain.recipe.layers, plain.recipe.tokens) == ("identity", "model", "model")
    assert plain.prepared.n_cut > 0  # by the folder's own bound


def test_it_is_in_the_pass_for_another_layer(recipe, tmp_path, monkeypatch):
    passes, encode = [], TransformerEncoder.encode_blocks

    def note(encoder, sentences, **options):
        passes.append(len(sentences))
        return encode(encoder, sentences, **options)

    monkeypatch.setattr(TransformerEncoder, "encode_blocks", note)
    store = EmbeddingStore(tmp_path / "store", whole_bytes=0)
    report = evaluate(evaluate.params(**recipe.to_dict()), Lab(store=store), ["whiten"])
    assert [row["vectors"] for row in report.rows] == ["plain output", "layer:2", "layer:2"]
    whole, long = passes  # those that the folder cuts are embedded again
    assert 0 < long < whole
    apart = Lab(store=Unstored()).evaluate(recipe.plain)[0]
    assert report.rows[0]["score"] == pytest.approx(apart.score, abs=1e-9)


def test_every_row_is_told_against_it_and_against_the_same_vectors(recipe, own_cache):
    report = evaluate(evaluate.params(**recipe.to_dict()), Lab(), ["whiten"], ["layer:1", "last"])
    plain, *rows = report.rows
    assert "to_plain" not in plain and "change" not in plain
    for row in rows:
        (raw,) = report.where(layers=row["layers"], calibrator="identity")
        for name, other in (("to_plain", plain), ("change", raw)):
            if other is row:
                assert name not in row
                continue
            shown = round(100 * row["score"], 2) - round(100 * other["score"], 2)
            assert 100 * row[name] == pytest.approx(shown)
            assert row[f"{name}_low"] <= row["score"] - other["score"] <= row[f"{name}_high"]
            assert 0 < row[f"{name}_p"] <= row[f"{name}_p_holm"] <= 1


def test_asked_for_it_is_one_row(recipe, own_cache):
    report = evaluate(evaluate.params(**recipe.plain.to_dict()), Lab(), ["whiten"])
    assert [row["vectors"] for row in report.rows] == ["plain output"] * 2
    assert report.rows[1]["to_plain"] == report.rows[1]["change"]


def test_a_folder_that_cannot_be_read_is_said(recipe, folder, own_cache):
    (folder / "modules.json").write_text(json.dumps([{"type": "other.Thing", "path": ""}]))
    report = evaluate(evaluate.params(**recipe.to_dict()), Lab(), ["whiten"])
    assert [row["vectors"] for row in report.rows] == ["layer:2", "layer:2"]
    assert any(remark.startswith("There is no plain output: ") for remark in report.remarks)
