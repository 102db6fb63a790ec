"""Lance datasets in place of parquet files: the same rows, a fragment a shard, seen all at once."""

import shutil
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import SENTENCES, read_rows, write_texts, write_vectors
from tiny_models import MAX_TOKENS

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.datasets.lance_files import lance_damage, lance_writer
from bertflow_core.datasets.vector_output import write_vector_dataset
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.scale import Calibrate, Embed, fit_shards, neighbours, open_engine, run_stage

lance = pytest.importorskip("lance", reason='the extra is not installed: pip install ".[lance]"')

X = np.random.default_rng(0).normal(size=(90, 6)).astype(np.float32)


def run(stage, source, out, **options):
    with open_engine() as engine:
        return run_stage(stage, source, out, engine=engine, **options)


def fit(spec, source, **options):
    with open_engine() as engine:
        return fit_shards(spec, source, engine=engine, **options)


def rows(folder, version=None):
    table = lance.dataset(str(folder), version=version).to_table()
    return table.column("id").to_pylist(), np.array(table.column("vector").to_pylist(), np.float32)


def standardized(x=X):
    return Calibrate(build_calibrator("standardize").fit(x))


@pytest.fixture
def dataset(tmp_path):
    """The 90 rows in three fragments."""
    stage = Calibrate(build_calibrator("identity").fit(X))
    run(stage, write_vectors(tmp_path / "parquet", X, 3), tmp_path / "x.lance")
    return tmp_path / "x.lance"


def test_sentences_are_embedded_into_a_dataset_that_is_searched(tmp_path, tiny_bert):
    options = {"layers": "layer:2", "max_length": MAX_TOKENS, "device": "cpu"}
    source = write_texts(tmp_path / "in", {"a": [*SENTENCES[:2], None], "b": SENTENCES[2:]})
    run(Embed(str(tiny_bert), **options), source, tmp_path / "parquet")
    done = run(Embed(str(tiny_bert), texts=True, **options), source, tmp_path / "v.lance")
    assert (done.n_shards, done.rows, done.refused, done.width) == (2, 5, 1, 16)
    ids, x = read_rows(tmp_path / "parquet")
    assert rows(tmp_path / "v.lance")[0] == ids
    np.testing.assert_array_equal(rows(tmp_path / "v.lance")[1], x)
    found = lance.dataset(str(tmp_path / "v.lance"))
    assert found.to_table().column("text").to_pylist() == SENTENCES
    assert str(found.schema.field("vector").type) == "fixed_size_list<item: float>[16]"
    nearest = found.to_table(nearest={"column": "vector", "q": x[3], "k": 1})
    assert nearest.column("text").to_pylist() == [SENTENCES[3]]
    side = pq.read_table(tmp_path / "v.lance" / "_refused" / "a.parquet")
    assert side.column("row").to_pylist() == [3]
    fitted = fit("standardize", tmp_path / "v.lance")
    assert (fitted.recipe.model, fitted.recipe.layers) == (str(tiny_bert), "layer:2")
    lance.write_dataset(found.to_table().slice(0, 3), str(tmp_path / "t.lance"))
    run(Embed(str(tiny_bert), **options), tmp_path / "t.lance", tmp_path / "of_lance")
    of_lance = fit("standardize", tmp_path / "of_lance").recipe  # no file of texts is known
    assert "t.lance#" not in str(of_lance)
    np.testing.assert_allclose(
        fitted.calibrator.mean_, fit("standardize", tmp_path / "parquet").calibrator.mean_
    )


@pytest.mark.parametrize("spec", ["whiten", "flow:epochs=1"])
def test_a_fit_is_that_of_parquet_files(tmp_path, dataset, spec):
    options = {"n_sample": 50, "seed": 3}
    one, other = (fit(spec, each, **options) for each in (tmp_path / "parquet", dataset))
    states = [each.calibrator.get_state() for each in (one, other)]
    assert all(np.array_equal(states[0][name], states[1][name]) for name in states[0])
    assert (other.n_usable, other.refused) == (90, 0)


@pytest.mark.parametrize("out", ["z.lance", "z"])
def test_a_dataset_is_calibrated_into_either(tmp_path, dataset, out):
    stage = standardized()
    assert run(stage, dataset, tmp_path / out).n_shards == 3
    read = rows if out.endswith(".lance") else read_rows
    ids, z = read(tmp_path / out)
    assert ids == list(range(90))
    np.testing.assert_allclose(z, stage.calibrator.transform(X), atol=1e-6)
    assert run(stage, dataset, tmp_path / out).n_skipped == 3


def test_neighbours_are_those_of_parquet_files(tmp_path, dataset):
    with open_engine() as engine:
        one, other = (
            neighbours(each, X[:4], 5, engine=engine) for each in (tmp_path / "parquet", dataset)
        )
    np.testing.assert_array_equal(one.ids, other.ids)
    np.testing.assert_array_equal(one.values, other.values)


def test_only_what_changed_is_made_again_and_old_versions_stay(tmp_path):
    source, out = write_vectors(tmp_path / "in", X, 3), tmp_path / "z.lance"
    stage = standardized()
    run(stage, source, out)
    first = lance.dataset(str(out)).version
    assert first == 1  # no empty one came before
    assert run(stage, source, out).n_skipped == 3
    assert lance.dataset(str(out)).version == first
    pq.write_table(pq.read_table(source / "v1.parquet").slice(0, 1), source / "v1.parquet")
    assert run(stage, source, out).n_skipped == 2
    assert rows(out)[0] == [*range(31), *range(60, 90)]
    assert rows(out, first)[0] == list(range(90))
    other = Calibrate(build_calibrator("whiten").fit(X))
    with pytest.raises(InputError, match="made otherwise"):
        run(other, source, out)
    run(other, source, out, force=True)
    kept = [*range(31), *range(60, 90)]
    np.testing.assert_allclose(rows(out)[1], other.calibrator.transform(X[kept]), atol=1e-5)


def test_nothing_is_seen_before_all_is_done(tmp_path):
    source, out = write_vectors(tmp_path / "in", X, 3), tmp_path / "z.lance"

    def stop(done, total, unit):
        if done > 30:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        run(standardized(), source, out, progress=stop)
    with pytest.raises(InputError, match="nobody has finished"):
        fit("standardize", out)
    assert run(standardized(), source, out).n_skipped >= 1
    assert rows(out)[0] == list(range(90))


def test_a_damaged_input_costs_itself_and_the_dataset_is_not_fitted_on(tmp_path):
    source, out = write_vectors(tmp_path / "in", X, 3), tmp_path / "z.lance"
    good = (source / "v1.parquet").read_bytes()
    (source / "v1.parquet").write_bytes(good[:99])
    with pytest.raises(InputError, match=r"v1\.parquet"):
        run(standardized(), source, out)
    assert len(rows(out)[0]) == 60
    with pytest.raises(InputError, match="not finished"):
        fit("whiten", out)
    (source / "v1.parquet").write_bytes(good)
    assert run(standardized(), source, out).n_skipped == 2
    assert fit("whiten", out).n_rows == 90


def test_rows_that_somebody_changed_are_seen_and_kept(tmp_path, dataset):
    stage = standardized()
    run(stage, dataset, tmp_path / "z.lance")
    lance.dataset(str(dataset)).delete("id = 31")
    assert run(stage, dataset, tmp_path / "z.lance").n_skipped == 2
    assert rows(tmp_path / "z.lance")[0] == [each for each in range(90) if each != 31]
    lance.write_dataset(
        lance.dataset(str(dataset)).to_table().slice(0, 2), str(dataset), mode="append"
    )
    assert fit("whiten", dataset).n_rows == 91
    with pytest.raises(InputError, match="source has not"):
        run(Calibrate(build_calibrator("identity").fit(X)), tmp_path / "parquet", dataset)


def test_a_damaged_dataset_is_refused_in_a_sentence(tmp_path, dataset):
    data = sorted((dataset / "data").glob("*.lance"))
    content = data[1].read_bytes()
    for damage in (content[:-50], b"no such thing" * 9):
        data[1].write_bytes(damage)
        with pytest.raises(InputError, match=r"v1.*damaged"):
            fit("whiten", dataset)
    data[1].unlink()
    with pytest.raises(InputError, match="does not exist"):
        fit("whiten", dataset)
    for version in (dataset / "_versions").iterdir():
        version.write_bytes(b"x" * 40)
    with pytest.raises(InputError, match="damaged or no Lance"):
        fit("whiten", dataset)
    shutil.rmtree(dataset / "_versions")
    with pytest.raises(InputError, match="no Lance dataset"):
        fit("whiten", dataset)


def test_an_error_of_the_caller_is_none_of_the_disk(tmp_path):
    with pytest.raises(RuntimeError, match="out of memory"), lance_writer(tmp_path / "x") as write:
        write(pa.table({"id": ["a"]}))
        raise RuntimeError("out of memory")


def test_what_another_version_says_otherwise_is_damage():
    for error in (KeyError("files"), IndexError("0"), TypeError("None")):
        with pytest.raises(InputError, match="damaged or no Lance"), lance_damage("x.lance"):
            raise error


def test_files_outside_the_folder_are_refused(tmp_path, dataset):
    table = lance.dataset(str(dataset)).to_table()
    elsewhere = lance.DatasetBasePath(str(tmp_path / "elsewhere"), "elsewhere", False, 1)
    (tmp_path / "elsewhere").mkdir()
    out = tmp_path / "y.lance"
    options = {"initial_bases": [elsewhere], "target_bases": ["elsewhere"], "mode": "create"}
    lance.write_dataset(table, str(out), **options)
    assert list((tmp_path / "elsewhere").rglob("*.lance"))
    with pytest.raises(InputError, match="outside"):
        fit("whiten", out)


def test_ids_of_two_kinds_are_refused(tmp_path):
    source = write_vectors(tmp_path / "in", X, 2)
    table = pq.read_table(source / "v1.parquet").drop_columns("id")
    pq.write_table(table, source / "v1.parquet")
    with pytest.raises(InputError, match="different columns"):
        run(standardized(), source, tmp_path / "z.lance")


def test_ids_of_several_parts_are_refused(tmp_path):
    source = write_vectors(tmp_path / "in", X, 1)
    table = pq.read_table(source / "v0.parquet")
    parts = pa.StructArray.from_arrays([table["id"].combine_chunks()], ["part"])
    pq.write_table(table.set_column(0, "id", parts), source / "v0.parquet")
    with pytest.raises(InputError, match="columns in columns"):
        run(standardized(), source, tmp_path / "z.lance")


@pytest.mark.parametrize("options", [{"data_storage_version": "2.0"}, {}])
def test_a_dataset_of_another_program_is_replaced(tmp_path, options):
    out = tmp_path / "z.lance"
    lance.write_dataset(pa.table({"other": ["a", "b"]}), str(out), **options)
    write_vector_dataset(out, [X[:5], X[5:7]])
    found = lance.dataset(str(out))
    assert found.data_storage_version == "2.1"
    numbers, vectors = rows(out)
    assert numbers == list(range(7))
    np.testing.assert_array_equal(vectors, X[:7].astype(np.float32))


def test_pylance_that_is_not_installed_is_named(tmp_path, monkeypatch):
    source = write_vectors(tmp_path / "in", X, 2)
    monkeypatch.setitem(sys.modules, "lance", None)
    with pytest.raises(InputError, match=r"bertflow-lab\[lance\]"):
        run(standardized(), source, tmp_path / "z.lance")
    assert not (tmp_path / "z.lance").exists()
