"""Stages over shards in one process: equal to the direct way, resumed, and refused row by row."""

import json
import os
import shutil
import socket
import sys
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import SENTENCES, read_rows, write_texts, write_vectors
from killing import killed_everywhere
from tiny_models import MAX_TOKENS

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import Cancelled, InputError, ResourceError
from bertflow_core.scale import Calibrate, Embed, open_engine, run_stage
from bertflow_core.scale.manifest import Request
from bertflow_core.scale.outputs import OutputFolder
from bertflow_core.scale.shard import Shard
from bertflow_core.scale.shards import find_shards, is_pattern
from bertflow_core.scale.work import ShardWork

MEAN, LAYER = 0, 2


@pytest.fixture
def embed(tiny_bert):
    return Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")


@pytest.fixture
def vectors_of(tiny_bert):
    """Layer 2 of the tiny model, mean pooling, without any of this."""
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=MAX_TOKENS, device="cpu")
    return lambda sentences: encoder.encode(sentences).vectors[LAYER, MEAN]


def run(stage, source, out, **options):
    with open_engine() as engine:
        return run_stage(stage, source, out, engine=engine, **options)


def whitened(x):
    return build_calibrator("whiten").fit(x)


def contents(folder):
    """Return every file, but for the times that manifests hold."""
    return {
        path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))
    }


def test_shards_hold_what_the_encoder_gives(tmp_path, embed, vectors_of):
    long = " ".join(["red"] * 60)
    texts = {"a": SENTENCES[:3], "b": [*SENTENCES[3:], long]}
    done = run(embed, write_texts(tmp_path / "in", texts), tmp_path / "out")
    ids, x = read_rows(tmp_path / "out")
    assert ids == ["a0", "a1", "a2", "b0", "b1", "b2"]
    np.testing.assert_allclose(x, vectors_of([*SENTENCES, long]), rtol=0, atol=1e-5)
    assert (done.n_shards, done.rows, done.refused, done.cut, done.width) == (2, 6, 0, 1, 16)
    assert not list((tmp_path / "out" / "_refused").iterdir())


def test_rows_that_cannot_be_embedded_go_to_a_side_table(tmp_path, embed, vectors_of):
    texts = ["the cat sat", None, " ", "x" * 200_000, "a dog runs fast"]
    source = write_texts(tmp_path / "in", {"a": texts, "b": ["the red mat"]})
    pq.write_table(pa.table({"id": ["c0", "c1"], "text": [1.5, 2.5]}), source / "c.parquet")
    done = run(embed, source, tmp_path / "out")
    ids, x = read_rows(tmp_path / "out")
    assert ids == ["a0", "a4", "b0"]
    np.testing.assert_allclose(
        x, vectors_of(["the cat sat", "a dog runs fast", "the red mat"]), rtol=0, atol=1e-5
    )
    assert (done.rows, done.refused) == (3, 5)
    side = pq.read_table(tmp_path / "out" / "_refused" / "a.parquet")
    assert side.column("id").to_pylist() == ["a1", "a2", "a3"]
    assert side.column("row").to_pylist() == [2, 3, 4]
    reasons = side.column("reason").to_pylist()
    assert all(
        word in why for word, why in zip(("blank", "blank", "200,000"), reasons, strict=True)
    )
    wrong_type = pq.read_table(tmp_path / "out" / "_refused" / "c.parquet")
    assert all("not text" in why for why in wrong_type.column("reason").to_pylist())


def test_a_sentence_that_the_encoder_refuses_costs_itself_alone(embed, vectors_of):
    texts = [*SENTENCES, "half \ud800 a pair", *SENTENCES]
    made = embed({"id": np.arange(11), "text": np.array(texts, object)})
    reasons = made.column("refused").to_pylist()
    assert [row for row, why in enumerate(reasons) if why] == [5]
    assert "surrogate" in reasons[5]
    x = np.array([v for v in made.column("vector").to_pylist() if v is not None])
    np.testing.assert_allclose(x, vectors_of(SENTENCES * 2), rtol=0, atol=1e-5)


def test_rows_without_ids_are_named_by_file_and_number(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    column = pa.array(list(np.eye(3, dtype=np.float32)), pa.list_(pa.float32()))
    pq.write_table(pa.table({"vector": column}), source / "first.parquet")
    run(Calibrate(build_calibrator("identity").fit(np.eye(3))), source, tmp_path / "out")
    assert read_rows(tmp_path / "out")[0] == ["first:1", "first:2", "first:3"]


@pytest.mark.parametrize(
    ("ids", "key", "expected"),
    [
        (pa.array(["a", None, "c"]), "id", ["a", "v:2", "c"]),
        (pa.array(["a", None, "c"], pa.large_string()), "name", ["a", "v:2", "c"]),
        (pa.nulls(3), "id", ["v:1", "v:2", "v:3"]),
        (pa.array([1, None, 3]), "id", "no text but int64"),
        (pa.array(["a", "b", "c"]), "nosuch", "no column 'nosuch'"),
    ],
)
def test_missing_ids_are_filled_or_refused(tmp_path, ids, key, expected):
    column = pa.array(list(np.eye(3, dtype=np.float32)), pa.list_(pa.float32()))
    named = "id" if key == "nosuch" else key
    pq.write_table(pa.table({named: ids, "vector": column}), tmp_path / "v.parquet")
    stage = Calibrate(build_calibrator("identity").fit(np.eye(3)), key=key)
    source, out = tmp_path / "v.parquet", tmp_path / "out"
    if isinstance(expected, str):
        with pytest.raises(InputError, match=expected):
            run(stage, source, out)
    else:
        run(stage, source, out)
        assert pq.read_table(out / "v.parquet").column(key).to_pylist() == expected


@pytest.mark.parametrize("spec", ["whiten", "null-top-k:k=2", "flow:epochs=1"])
def test_shards_are_calibrated_as_the_whole_is(tmp_path, spec):
    x = np.random.default_rng(0).normal(size=(90, 8)).astype(np.float32)
    calibrator = build_calibrator(spec).fit(x)
    run(Calibrate(calibrator), write_vectors(tmp_path / "in", x, 3), tmp_path / "out")
    ids, z = read_rows(tmp_path / "out")
    assert ids == list(range(90))
    np.testing.assert_allclose(z, calibrator.transform(x), rtol=0, atol=1e-6)


def test_a_manifest_says_what_a_shard_is_and_how_it_was_made(tmp_path, embed):
    import hashlib

    source = write_texts(tmp_path / "in", {"a": [*SENTENCES, None]})
    run(embed, source, tmp_path / "out")
    said = json.loads((tmp_path / "out" / "_manifest" / "a.json").read_text())
    output = (tmp_path / "out" / "a.parquet").read_bytes()
    assert said["output"]["sha256"] == hashlib.sha256(output).hexdigest()
    given = (source / "a.parquet").read_bytes()
    assert said["source"]["sha256"] == hashlib.sha256(given).hexdigest()
    assert (said["rows"], said["refused"], said["width"]) == (5, 1, 16)
    assert said["choices"]["recipe"]["layers"] == "layer:2"
    assert {"bertflow-lab", "numpy", "torch"} <= said["versions"].keys()
    whole = json.loads((tmp_path / "out" / "_manifest.json").read_text())
    assert (whole["rows"], whole["refused"], whole["failed"]) == (5, 1, {})


def test_only_what_is_not_finished_is_made_again(tmp_path):
    x = np.random.default_rng(0).normal(size=(12, 3)).astype(np.float32)
    source, out = write_vectors(tmp_path / "in", x, 4), tmp_path / "out"
    stage = Calibrate(whitened(x))
    run(stage, source, out)
    before = contents(out)
    made = {path: (out / path).stat().st_mtime_ns for path in before}
    assert run(stage, source, out).n_skipped == 4
    (out / "v0.parquet").write_bytes(b"PAR1")  # damaged
    (out / "_manifest" / "v1.json").write_text("{")
    changed = pq.read_table(source / "v2.parquet")
    pq.write_table(changed.slice(0, 1), source / "v2.parquet")
    done = run(stage, source, out)
    assert (done.n_skipped, done.rows) == (1, 10)
    after = contents(out)
    assert (
        after[next(p for p in after if p.name == "v0.parquet")]
        == before[next(p for p in before if p.name == "v0.parquet")]
    )
    kept = next(path for path in after if path.name == "v3.parquet")
    assert (out / kept).stat().st_mtime_ns == made[kept]
    assert pq.read_table(out / "v2.parquet").num_rows == 1


@pytest.mark.campaign
def test_killed_anywhere_it_is_resumed_and_equal(tmp_path):
    x = np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32)
    x[4] = np.nan
    source, out = write_vectors(tmp_path / "in", x, 2), tmp_path / "out"
    stage = Calibrate(build_calibrator("standardize").fit(x[:4]))
    run(stage, source, tmp_path / "whole")
    expected = contents(tmp_path / "whole")
    for n in killed_everywhere(lambda: run(stage, source, out)):
        for path in out.glob("*.parquet"):
            assert path.read_bytes() == expected[path.relative_to(out)], n
        run(stage, source, out)
        assert contents(out) == expected, n
        shutil.rmtree(out)


def test_a_damaged_file_costs_itself_alone(tmp_path):
    x = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    source, out = write_vectors(tmp_path / "in", x, 3), tmp_path / "out"
    good = (source / "v1.parquet").read_bytes()
    (source / "v1.parquet").write_bytes(good[: len(good) // 2])
    stage = Calibrate(whitened(x))
    with pytest.raises(InputError, match=r"1 of 3 shards failed .*v1\.parquet"):
        run(stage, source, out)
    assert sorted(path.name for path in out.glob("*.parquet")) == ["v0.parquet", "v2.parquet"]
    assert "v1.parquet" in json.loads((out / "_manifest.json").read_text())["failed"]
    (source / "v1.parquet").write_bytes(good)
    done = run(stage, source, out)
    assert (done.n_skipped, done.rows) == (2, 9)


def test_what_another_request_made_is_kept_unless_forced(tmp_path):
    x = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    source, out = write_vectors(tmp_path / "in", x, 3), tmp_path / "out"
    run(Calibrate(whitened(x)), source, out)
    other = Calibrate(build_calibrator("standardize").fit(x))
    before = contents(out)
    with pytest.raises(InputError, match="made otherwise"):
        run(other, source, out)
    assert contents(out) == before
    run(other, source, out, force=True)
    np.testing.assert_allclose(read_rows(out)[1], other.calibrator.transform(x), atol=1e-6)


@pytest.mark.parametrize(
    ("prepare", "word"),
    [
        (lambda folder: (folder / "out" / "mine.txt").write_text("mine"), "other things"),
        (lambda folder: (folder / "in" / "v0.parquet").unlink(), "source has not"),
        (lambda folder: shutil.copytree(folder / "in", folder / "out" / "x" / "in"), "other"),
        (lambda folder: shutil.rmtree(folder / "in"), "no .parquet"),
    ],
)
def test_folders_that_do_not_fit_are_refused_and_left(tmp_path, prepare, word):
    x = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    source, out = write_vectors(tmp_path / "in", x, 3), tmp_path / "out"
    stage = Calibrate(whitened(x))
    if word == "source has not":
        run(stage, source, out)
    out.mkdir(exist_ok=True)
    prepare(tmp_path)
    before = contents(out)
    with pytest.raises(InputError, match=word):
        run(stage, source, out)
    assert contents(out) == before


def test_the_input_is_never_written_over(tmp_path):
    x = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    source = write_vectors(tmp_path / "in" / "part", x, 3)
    write_vectors(tmp_path / "in" / "first", x, 1)
    (tmp_path / "in" / "first" / "v0.parquet").rename(tmp_path / "in" / "first" / "a.parquet")
    (tmp_path / "link").symlink_to(source)
    before = contents(tmp_path / "in")
    stage = Calibrate(whitened(x))
    for given, out in [
        (source, tmp_path / "link"),
        (tmp_path / "link", source),
        (source, source / ".." / "part"),
        (tmp_path / "in" / "**" / "*.parquet", source),
    ]:
        with pytest.raises(InputError, match="holds the input"):
            run(stage, given, out)
        with pytest.raises(InputError, match="holds the input"):
            run(stage, given, out, force=True)
    assert contents(tmp_path / "in") == before


def test_other_ids_are_another_request(tmp_path, embed):
    calibrator = build_calibrator("identity").fit(np.eye(3))
    for one, other in [
        (Calibrate(calibrator), Calibrate(calibrator, key="name")),
        (embed, Embed.of(embed.recipe, key="name", device="cpu")),
    ]:
        made = [Request(each.name, each.describe()).digest for each in (one, other)]
        assert made[0] != made[1]


@pytest.mark.parametrize("key", ["cut", "vector", "refused", "row", "reason", "given"])
def test_ids_in_a_column_that_is_made_are_refused(key):
    calibrator = build_calibrator("identity").fit(np.eye(3))
    with pytest.raises(InputError, match=f"column '{key}'"):
        Embed(column="given", key=key)
    with pytest.raises(InputError, match=f"column '{key}'"):
        Calibrate(calibrator, column="given", key=key)


@pytest.mark.parametrize(
    ("folder", "pattern", "names"),
    [
        ("_vec", "", ["v0", "v1"]),
        ("_vec/part", "../*/*.parquet", ["v0", "v1"]),
        (".hid/[1]", "", ["v0", "v1"]),
        ("c/d", "../**/*.parquet", ["v0", "v1"]),
        ("c/_d", "../**/*.parquet", []),
        ("c/_d/e", "../../**/*.parquet", []),
        ("a[b]", "v0.parquet", ["v0"]),
        ("a", "v[1].parquet", ["v1"]),
    ],
)
def test_names_that_begin_with_an_underscore_are_passed_over_below(
    tmp_path, folder, pattern, names
):
    source = os.path.normpath(write_vectors(tmp_path / folder, np.eye(4), 2) / pattern)
    if names:
        assert [each.name for each in find_shards(source)] == names
    else:
        with pytest.raises(InputError, match="matches no"):
            find_shards(source)


def test_a_file_with_brackets_in_its_name_is_one_file(tmp_path):
    write_vectors(tmp_path, np.eye(4), 2)
    named = (tmp_path / "v1.parquet").rename(tmp_path / "v[0].parquet")
    assert not is_pattern(named)
    assert is_pattern(tmp_path / "v[01].parquet")
    assert [each.path for each in find_shards(named)] == [named]


def test_a_folder_inside_the_source_is_not_read_again(tmp_path):
    x = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    write_vectors(tmp_path / "in", x, 3)
    stage, source, out = Calibrate(whitened(x)), tmp_path / "in/**/*.parquet", tmp_path / "in/out"
    run(stage, source, out)
    assert run(stage, source, out).n_skipped == 3
    with pytest.raises(InputError, match="holds the input"):
        run(stage, out, tmp_path / "in/out/../out")


def test_a_corpus_without_a_usable_row_is_refused(tmp_path):
    x = np.ones((4, 3), np.float32)
    stage = Calibrate(build_calibrator("identity").fit(np.eye(5)))
    with pytest.raises(InputError, match="3 numbers: expected 5"):
        run(stage, write_vectors(tmp_path / "in", x, 2), tmp_path / "out")


def test_progress_is_of_the_whole_and_stops_the_work(tmp_path):
    x = np.random.default_rng(0).normal(size=(9, 3)).astype(np.float32)
    source, out = write_vectors(tmp_path / "in", x, 3), tmp_path / "out"
    told = []
    run(Calibrate(whitened(x)), source, out, progress=lambda done, total, unit: told.append(done))
    assert told == [0, 3, 6, 9]

    def stop(done, total, unit):
        if done:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        run(Calibrate(whitened(x)), source, tmp_path / "stopped", progress=stop)


def test_a_machine_that_would_compute_otherwise_is_refused(tmp_path):
    source = write_vectors(tmp_path / "in", np.eye(3, dtype=np.float32), 1)
    stage = Calibrate(whitened(np.random.default_rng(0).normal(size=(9, 3))))
    other = {**stage.describe(), "digest": "0" * 64}
    work = ShardWork(stage, Request(stage.name, other), OutputFolder(tmp_path / "out"))
    with pytest.raises(InputError, match="same versions"):
        work(Shard(source / "v0.parquet"), lambda rows: None)


@pytest.mark.parametrize(
    ("address", "error", "word"),
    [
        ("127.0.0.1:{port}", ResourceError, "no Ray cluster at '127.0.0.1:"),
        ("127.0.0.1:none", InputError, "no address of Ray"),
        (":6379", InputError, "no address of Ray"),
        ("127.0.0.1:99999", InputError, "no address of Ray"),
    ],
)
def test_an_address_that_nobody_listens_at_is_refused_at_once(monkeypatch, address, error, word):
    asked = []
    ray = SimpleNamespace(is_initialized=lambda: False, init=asked.append)
    monkeypatch.setitem(sys.modules, "ray", ray)
    with socket.socket() as closed:  # bound, so that nobody else listens there
        closed.bind(("127.0.0.1", 0))
        named = address.format(port=closed.getsockname()[1])
        with pytest.raises(error, match=word), open_engine("ray", address=named):
            pass
    assert asked == []


def test_an_address_needs_ray():
    with pytest.raises(InputError, match="engine ray"), open_engine(address="auto"):
        pass
