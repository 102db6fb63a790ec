"""Calibrators fitted on shards: as on all rows at once, or bit for bit as on the same sample."""

import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import SENTENCES, write_texts, write_vectors
from tiny_models import MAX_TOKENS

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.persistence import save_calibrator
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.experiment import Lab
from bertflow_core.export.subject import saved_subject
from bertflow_core.scale import Embed, fit_shards, open_engine, run_stage
from bertflow_core.scale.sampling import sampled
from bertflow_core.store import Unstored

N, D = 300, 8
X = np.random.default_rng(0).normal(size=(N, D)) @ np.random.default_rng(1).normal(size=(D, D))
X = (X + 5).astype(np.float32)


def fit(spec, source, **options):
    with open_engine() as engine:
        return fit_shards(spec, source, engine=engine, **options)


@pytest.mark.parametrize("spec", ["standardize", "whiten", "null-top-k:k=2", "standardize+whiten"])
@pytest.mark.parametrize("n_shards", [1, 7])
def test_closed_forms_are_those_of_all_rows(tmp_path, spec, n_shards):
    done = fit(spec, write_vectors(tmp_path / "in", X, n_shards))
    expected = build_calibrator(spec).fit(X)
    x = X.astype(np.float64)  # float32 rows are mapped in float32
    np.testing.assert_allclose(done.calibrator.transform(x), expected.transform(x), atol=1e-6)
    assert (done.n_rows, done.n_usable, done.refused) == (N, N, 0)


def test_a_flow_is_that_of_the_sample_bit_for_bit(tmp_path):
    spec = "flow:epochs=2,batch_size=32"
    batch = {"id": np.arange(N), "vector": X}
    drawn = sampled(lambda draw: [draw(batch)], 100, N, seed=3, column="vector", key="id")
    expected = build_calibrator(spec, seed=3).fit(drawn.x).get_state()
    for n_shards in (1, 4):
        source = write_vectors(tmp_path / str(n_shards), X, n_shards)
        done = fit(spec, source, n_sample=100, seed=3)
        state = done.calibrator.get_state()
        assert all(np.array_equal(state[name], expected[name]) for name in expected)
        assert any("100 of 300" in note for note in done.notes)


def test_rows_that_cannot_be_used_are_left_out_and_counted(tmp_path):
    x = X.copy()
    x[[5, 200]] = np.nan
    done = fit("whiten", write_vectors(tmp_path / "in", x, 3))
    expected = build_calibrator("whiten").fit(np.delete(X, [5, 200], axis=0))
    np.testing.assert_allclose(done.calibrator.transform(X), expected.transform(X), atol=1e-6)
    assert (done.n_rows, done.refused) == (N - 2, 2)
    assert any("finite" in note for note in done.notes)


def test_the_recipe_is_that_of_the_shards(tmp_path, tiny_bert):
    stage = Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")
    source = write_texts(tmp_path / "in", {"a": SENTENCES, "b": SENTENCES})
    with open_engine() as engine:
        run_stage(stage, source, tmp_path / "out", engine=engine)
    done = fit("standardize", tmp_path / "out")
    kept = {name: getattr(done.recipe, name) for name in ("model", "layers", "max_length")}
    assert kept == {"model": str(tiny_bert), "layers": "layer:2", "max_length": MAX_TOKENS}
    assert fit("standardize", write_vectors(tmp_path / "own", X, 2)).recipe.is_static
    save_calibrator(
        done.calibrator, tmp_path / "c", spec="standardize", recipe=done.recipe.to_dict()
    )
    with pytest.raises(InputError, match="many files"):
        saved_subject(tmp_path / "c", Lab())


def test_a_fit_on_one_file_of_vectors_knows_its_sentences(tmp_path, tiny_bert):
    stage = Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")
    source = write_texts(tmp_path / "in", {"a": SENTENCES, "b": ["the red mat"]})
    with open_engine() as engine:
        run_stage(stage, source, tmp_path / "out", engine=engine)
    done = fit("standardize", tmp_path / "out" / "a.parquet")
    save_calibrator(
        done.calibrator, tmp_path / "c", spec="standardize", recipe=done.recipe.to_dict()
    )
    subject = saved_subject(tmp_path / "c", Lab(store=Unstored(), device="cpu"))
    assert [*subject.corpus.sentences] == SENTENCES
    x = pq.read_table(tmp_path / "out" / "a.parquet").column("vector").to_pylist()
    np.testing.assert_allclose(subject.embedded(SENTENCES), np.array(x), atol=1e-5)


@pytest.mark.parametrize("spec", ["whiten", "flow:epochs=1"])
def test_a_damaged_row_alone_in_its_file_does_not_stop_a_fit(tmp_path, spec):
    source = write_vectors(tmp_path / "in", X, 2)
    whole = fit(spec, source)
    damaged = pa.array([[1.0, 2.0]], pa.list_(pa.float32()))
    for name in ("a", "z"):
        pq.write_table(pa.table({"id": [N], "vector": damaged}), source / f"{name}.parquet")
    done = fit(spec, source)
    assert (done.n_rows, done.refused) == (N, 2)
    assert "2 numbers: expected 8" in done.reason
    np.testing.assert_allclose(
        done.calibrator.transform(X), whole.calibrator.transform(X), atol=1e-6
    )


def test_a_folder_that_is_not_finished_is_refused(tmp_path, tiny_bert):
    stage = Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")
    other = Embed(str(tiny_bert), layers="layer:1", max_length=MAX_TOKENS, device="cpu")
    source = write_texts(tmp_path / "in", {"a": SENTENCES, "b": SENTENCES})
    out = tmp_path / "out"

    def stop(done, total, unit):
        if done > 5:
            raise Cancelled("stopped")

    def embed(stage, **options):
        with open_engine() as engine:
            run_stage(stage, source, out, engine=engine, **options)

    def refuse():
        with pytest.raises(InputError, match="not finished"):
            fit("standardize", out)

    with pytest.raises(Cancelled):
        embed(stage, progress=stop)
    refuse()
    embed(stage)
    fit("standardize", out)
    fit("standardize", out / "a*.parquet")
    with pytest.raises(Cancelled):
        embed(other, progress=stop, force=True)
    refuse()
    embed(other, force=True)
    assert fit("standardize", out).recipe.layers == "layer:1"
    (out / "b.parquet").unlink()
    refuse()
    shutil.copytree(source, tmp_path / "two" / "texts")
    source, out = tmp_path / "two" / "texts", tmp_path / "two" / "one"
    for name in ("a", "b"):
        (source / f"{name}.parquet").rename(source / f"{name}2.parquet")
    embed(stage)
    write_vectors(tmp_path / "two" / "own", X, 1)
    with pytest.raises(InputError, match="different recipes"):
        fit("standardize", tmp_path / "two" / "o*" / "*.parquet")


def test_shards_that_do_not_fit_are_refused(tmp_path):
    source = write_vectors(tmp_path / "in", X, 2)
    (source / "broken.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"broken\.parquet"):
        fit("whiten", source)
    (source / "broken.parquet").unlink()
    write_vectors(tmp_path / "narrow", X[:, :3], 1)
    pq.write_table(pq.read_table(tmp_path / "narrow" / "v0.parquet"), source / "w.parquet")
    with pytest.raises(InputError, match="width"):
        fit("whiten", source)
