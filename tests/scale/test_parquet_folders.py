"""Batches and folders of parquet files: equal to rows in memory, resumed, refused one by one."""

import os
import shutil
import socket
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import SENTENCES, read_rows, write_texts, write_vectors
from tiny_models import MAX_TOKENS
from waiting import stopping

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.saved import save_calibrator
from bertflow_core.encoders.given import ROW_VECTORS
from bertflow_core.errors import Cancelled, InputError, ResourceError
from bertflow_core.export.run import export_model
from bertflow_core.lab.lab import Lab
from bertflow_core.runtime import context
from bertflow_core.runtime.files import MAX_SENTENCE
from bertflow_core.scale import Calibrate, Embed, fit_files, folders, write_files
from bertflow_core.scale.folders import find_files
from bertflow_core.store import Unstored

X = np.random.default_rng(0).normal(size=(300, 8)) @ np.random.default_rng(1).normal(size=(8, 8))
X = (X + 5).astype(np.float32)
SMALL = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.fixture
def embed(tiny_bert):
    """The stage that embeds with a tiny encoder."""
    return Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")


def whitened(x):
    return build_calibrator("whiten").fit(x)


def contents(folder):
    return {each.name: each.read_bytes() for each in sorted(folder.rglob("*.parquet"))}


def test_closed_forms_are_those_of_all_rows_and_flows_of_a_sample(tmp_path):
    source = write_vectors(tmp_path / "in", X, 7)
    done = fit_files("null-top-k:k=2", source)
    x = X.astype(np.float64)  # float32 rows are mapped in float32
    expected = build_calibrator("null-top-k:k=2").fit(X).transform(x)
    np.testing.assert_allclose(done.calibrator.transform(x), expected, atol=1e-6)
    rows = np.sort(np.random.default_rng(3).choice(300, 100, replace=False))
    for n_sample, some, epochs in ((100, X[rows], 6), (300, X, 2), (400, X, 2)):
        done = fit_files("flow:epochs=2,batch_size=32", source, n_sample=n_sample, seed=3)
        spec = f"flow:epochs={epochs},batch_size=32"  # 2 epochs of 300 rows are 6 of 100
        expected = build_calibrator(spec, seed=3).fit(some).get_state()
        state = done.calibrator.get_state()
        assert all(np.array_equal(state[name], expected[name]) for name in expected)
        assert any("100 of 300" in note for note in done.notes) == (n_sample == 100)


@pytest.mark.parametrize("spec", ["whiten", "flow:epochs=1"])
def test_rows_that_cannot_be_used_are_left_out_and_counted(tmp_path, spec):
    x = X.copy()
    x[[5, 200]] = np.nan
    done = fit_files(spec, write_vectors(tmp_path / "in", x, 3))
    expected = build_calibrator(spec).fit(np.delete(X, [5, 200], axis=0))
    np.testing.assert_allclose(done.calibrator.transform(X), expected.transform(X), atol=1e-6)
    assert done.n_rows == 298
    assert any("2 rows are left out (vector holds values" in note for note in done.notes)
    write_vectors(tmp_path / "none", np.full((3, 2), np.nan), 1)
    with pytest.raises(InputError, match="no row has a usable vector"):
        fit_files(spec, tmp_path / "none")
    write_vectors(tmp_path / "in" / "narrow", X[:, :3], 1)
    (tmp_path / "in" / "narrow" / "v0.parquet").rename(tmp_path / "in" / "w.parquet")
    with pytest.raises(InputError, match="different widths"):
        fit_files(spec, tmp_path / "in")


def test_the_recipe_is_that_of_the_vectors(tmp_path, embed):
    source = write_texts(tmp_path / "in", {"a": SENTENCES, "b": ["the red mat"]})
    out = tmp_path / "out"
    write_files(embed, source, out)
    recipe = fit_files("standardize", out).recipe
    settings = recipe.layers, recipe.max_length, recipe.calibrator
    assert settings == ("layer:2", MAX_TOKENS, "standardize")
    assert (
        fit_files("standardize", write_vectors(tmp_path / "own", X, 2)).recipe.source is ROW_VECTORS
    )
    for given, is_one in ((out, False), (out / "a.parquet", True)):
        done = fit_files("standardize", given)
        folder = tmp_path / f"c{is_one}"
        save_calibrator(done.calibrator, folder, spec="standardize", recipe=done.recipe.to_dict())
        if is_one:
            corpus = Lab(store=Unstored(), device="cpu").corpus(done.recipe)
            assert [*corpus.sentences] == SENTENCES
        else:
            with pytest.raises(InputError, match="many files"):
                export_model(folder, tmp_path / "model", Lab())
    other = Embed(embed.recipe.with_(layers="layer:1"), device="cpu")
    (source / "a.parquet").rename(source / "c.parquet")
    write_files(other, source / "c.parquet", tmp_path / "other")
    with pytest.raises(InputError, match="different recipes"):
        fit_files("standardize", tmp_path / "o*" / "*.parquet")


def test_only_what_is_not_there_or_was_made_of_other_rows_is_made_again(tmp_path):
    source, out = write_vectors(tmp_path / "in", X, 4), tmp_path / "out"
    changed, plain = source / "v2.parquet", {"compression": "none", "use_dictionary": False}
    table = pq.read_table(changed)
    pq.write_table(table, changed, **plain)
    size, stage = changed.stat().st_size, Calibrate(whitened(X))
    first = write_files(stage, source, out)
    assert (first.n_files, first.n_skipped, first.rows, first.width) == (4, 0, 300, 8)
    before, made = contents(out), (out / "v3.parquet").stat().st_mtime_ns
    assert write_files(stage, source, out) == replace(first, n_skipped=4)
    (out / "v0.parquet").unlink()
    turned = table["vector"].take(pa.array(range(74, -1, -1)))
    pq.write_table(table.set_column(1, "vector", turned), changed, **plain)
    assert changed.stat().st_size == size
    done = write_files(stage, source, out)
    assert (done.n_skipped, done.rows) == (2, 300)
    assert contents(out)["v0.parquet"] == before["v0.parquet"]
    assert (out / "v3.parquet").stat().st_mtime_ns == made
    expected = np.concatenate([X[:150], X[150:225][::-1], X[225:]])
    np.testing.assert_allclose(read_rows(out)[1], stage.calibrator.transform(expected), atol=1e-5)


def test_a_damaged_file_costs_itself_alone(tmp_path):
    source, out = write_vectors(tmp_path / "in", X, 3), tmp_path / "out"
    good = (source / "v1.parquet").read_bytes()
    (source / "v1.parquet").write_bytes(good[: len(good) // 2])
    stage = Calibrate(whitened(X))
    with pytest.raises(InputError, match=r"1 of 3 files failed .*v1\.parquet"):
        write_files(stage, source, out)
    assert sorted(contents(out)) == ["v0.parquet", "v2.parquet"]
    with pytest.raises(InputError, match=r"v1\.parquet"):
        fit_files("whiten", source)
    (source / "v1.parquet").write_bytes(good)
    done = write_files(stage, source, out)
    assert (done.n_skipped, done.rows) == (2, 300)


def test_what_was_made_otherwise_is_kept_unless_forced(tmp_path):
    source, out = write_vectors(tmp_path / "in", X, 3), tmp_path / "out"
    write_files(Calibrate(whitened(X)), source, out)
    fitted = build_calibrator("standardize").fit(X)
    before = contents(out)
    others = Calibrate(fitted), Calibrate(whitened(X), key="name"), Calibrate(whitened(2 * X))
    for other in others:
        with pytest.raises(InputError, match="made with other settings"):
            write_files(other, source, out)
    assert contents(out) == before
    write_files(Calibrate(fitted), source, out, force=True)
    np.testing.assert_allclose(read_rows(out)[1], fitted.transform(X), atol=1e-6)


def test_folders_that_hold_something_else_are_refused_and_left(tmp_path):
    stage = Calibrate(whitened(X))
    strange = (
        lambda source, out: (out / "mine.txt").write_text("mine"),
        lambda source, out: shutil.copy(source / "v0.parquet", out / "mine.parquet"),
        lambda source, out: (source / "v0.parquet").unlink(),
    )
    for number, prepare in enumerate(strange):
        source = write_vectors(tmp_path / f"in{number}", X, 3)
        out = tmp_path / f"out{number}"
        write_files(stage, source, out)
        prepare(source, out)
        before = contents(out)
        with pytest.raises(InputError, match="does not come from the source"):
            write_files(stage, source, out, force=True)
        shutil.rmtree(source)
        with pytest.raises(InputError, match=r"no \.parquet"):
            write_files(stage, source, out, force=True)
        assert contents(out) == before


def test_the_input_is_never_written_over(tmp_path):
    source = write_vectors(tmp_path / "in" / "part", X, 3)
    (tmp_path / "link").symlink_to(source)
    before = contents(tmp_path / "in")
    link = tmp_path / "link"
    for given, out in [(source, link), (link, source), (source, source / ".." / "part")]:
        with pytest.raises(InputError, match=r"no \.parquet file outside"):
            write_files(Calibrate(whitened(X)), given, out, force=True)
    assert contents(tmp_path / "in") == before
    for n_skipped in (0, 3):  # the output matches the pattern too
        pattern, out = tmp_path / "in" / "**" / "*.parquet", tmp_path / "in" / "out"
        assert write_files(Calibrate(whitened(X)), pattern, out).n_skipped == n_skipped


def test_files_are_found_by_folder_pattern_and_name(tmp_path):
    for folder, pattern, names in [
        ("c/d", "../**/*.parquet", ["v0", "v1"]),
        (".hid/[1]", "", ["v0", "v1"]),
        ("a", "v[1].parquet", ["v1"]),
    ]:
        write_vectors(tmp_path / folder, np.eye(4), 2)
        (tmp_path / folder / ".v3.parquet").touch()
        source = os.path.normpath(tmp_path / folder / pattern)
        assert [each.stem for each in find_files(source)] == names
    for other in "xy":
        write_vectors(tmp_path / other, X, 1)
    with pytest.raises(InputError, match="several files named"):
        find_files(tmp_path / "[xy]" / "*.parquet")


def test_progress_is_of_the_whole_batch_by_batch_and_stops_the_work(tmp_path, monkeypatch):
    source, stage, told = write_vectors(tmp_path / "in", X, 3), Calibrate(whitened(X)), []
    monkeypatch.setattr(folders, "ROWS_AT_ONCE", 50)
    with context.reporting(lambda *done: told.append(done)):
        write_files(stage, source, tmp_path / "out")
    assert sorted({done for done, _, _ in told}) == [*range(0, 301, 50)]
    assert {(total, unit) for _, total, unit in told} == {(300, "rows")}
    with pytest.raises(Cancelled), stopping(lambda done, *_: done):
        write_files(stage, source, tmp_path / "stopped")
    assert not [each for each in (tmp_path / "stopped").iterdir() if each.name != "v0.parquet"]


def test_an_address_is_connected_to_unless_nobody_listens(monkeypatch, tmp_path):
    asked = []

    def init(**options):
        asked.append(options["address"])
        raise Cancelled("connected")

    ray = SimpleNamespace(is_initialized=lambda: False, init=init)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setitem(sys.modules, "ray.data", ray)
    source, stage = write_vectors(tmp_path / "in", X, 1), Calibrate(whitened(X))
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{one.getsockname()[1]}"
        for nobody in (address, "127.0.0.1:none"):
            with pytest.raises(ResourceError, match="cannot connect to Ray"):
                write_files(stage, source, tmp_path / "out", address=nobody)
        one.listen()
        with pytest.raises(Cancelled):
            write_files(stage, source, tmp_path / "out", address=address)
    assert asked == [address]


def as_it_is(column):
    """Return the vectors and the reasons of a column, by a calibrator that changes nothing."""
    made = Calibrate(build_calibrator("identity").fit(SMALL))(pa.table({"vector": column}))
    return made.column("vector").to_pylist(), made.column("refused").to_pylist()


def test_texts_become_what_the_encoder_gives_and_the_rest_have_reasons(embed, encode):
    long = " ".join(["red"] * 60)
    flood = "a" * (MAX_SENTENCE + 1)
    bad = [(None, "blank"), (" ", "blank"), ("a\0b", "NUL"), (flood, "characters")]
    texts = [*SENTENCES, *(text for text, _ in bad), long]
    made = embed(pa.table({"id": np.arange(len(texts)), "text": texts, "more": texts}))
    assert made.column_names == ["id", "cut", "vector", "refused"]
    reasons = made.column("refused").to_pylist()
    assert [why is None for why in reasons] == [True] * 5 + [False] * 4 + [True]
    assert all(word in why for (_, word), why in zip(bad, reasons[5:9], strict=True))
    x = np.array(made.column("vector").drop_null().to_pylist())
    np.testing.assert_allclose(x, encode([*SENTENCES, long]), atol=1e-5)
    assert made.column("cut").to_pylist() == [False] * 9 + [True]


def test_a_batch_of_nothing_usable_is_a_batch_and_another_table_none(embed):
    made = embed(pa.table({"text": pa.array([1.5, 2.5])}))
    assert made.column("vector").type == pa.list_(pa.float32(), 16)
    assert all("not text" in why for why in made.column("refused").to_pylist())
    empty = pa.table({"vector": pa.array([], pa.list_(pa.float32()))})
    stage = Calibrate(build_calibrator("whiten").fit(SMALL + SMALL**2))
    assert len(stage(empty)) == 0
    with pytest.raises(InputError, match="did you mean vector"):
        stage(pa.table({"vectors": list(SMALL)}))
    with pytest.raises(InputError, match="batch_format"):
        stage({"vector": SMALL})
    with pytest.raises(InputError, match="'vector' cannot be the column of ids"):
        Embed(key="vector")


def test_vectors_are_read_from_every_kind_of_list_and_others_have_reasons():
    for column in (
        pa.array(list(SMALL), pa.list_(pa.float32())),
        pa.array(list(SMALL.astype(np.float16)), pa.large_list(pa.float16())),
        pa.array(SMALL.astype(int).tolist()),
        pa.chunked_array([pa.array(list(SMALL[:1])), pa.array(list(SMALL[1:]))]),
        pa.array([[9.0] * 3, *SMALL], pa.list_(pa.float32(), 3)).slice(1),
    ):
        assert as_it_is(column) == (SMALL.tolist(), [None] * 4)
    cells = [None, [1.0, 2.0, 3.0], [1.0], [4.0, 5.0, np.nan], [np.inf, 0.0, 0.0], [7.0, 8.0, 9.0]]
    x, reasons = as_it_is(pa.array(cells, pa.list_(pa.float32())))
    assert x == [None, [1, 2, 3], None, None, None, [7, 8, 9]]
    words = {0: "blank", 2: "1 numbers: expected 3", 3: "finite", 4: "finite"}
    assert all(word in reasons[row] for row, word in words.items())
    assert "lists of numbers" in as_it_is(["1,2", "3,4"])[1][0]
