"""Ray as the engine: equal to one process; a worker that is killed costs its shard only."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import SENTENCES, read_rows, write_texts, write_vectors
from killed_stage import KilledOnce
from tiny_models import MAX_TOKENS
from waiting import wait_for

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.persistence import load_calibrator
from bertflow_core.scale import (
    Embed,
    fit_shards,
    moments,
    neighbours,
    open_engine,
    run_stage,
)

ray = pytest.importorskip("ray", reason='the extra is not installed: pip install ".[scale]"')
pytestmark = pytest.mark.campaign

X = np.random.default_rng(0).normal(size=(300, 8)).astype(np.float32)
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of this machine alone, with two cores."""
    ray.init(
        "local",
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=300 << 20,
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
        runtime_env={"env_vars": {"PYTHONPATH": str(HERE)}},
    )
    yield ray
    ray.shutdown()


def test_embedded_by_workers_as_here(tmp_path, cluster, tiny_bert):
    stage = Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")
    texts = {name: [*SENTENCES, None] for name in "abcd"}
    source = write_texts(tmp_path / "in", texts)
    for name in ("process", "ray"):
        with open_engine(name) as engine:
            done = run_stage(stage, source, tmp_path / name, engine=engine)
        assert (done.n_shards, done.rows, done.refused) == (4, 20, 4)
    ids, x = read_rows(tmp_path / "process")
    assert read_rows(tmp_path / "ray")[0] == ids
    np.testing.assert_allclose(read_rows(tmp_path / "ray")[1], x, rtol=0, atol=1e-6)


@pytest.mark.parametrize("spec", ["whiten", "flow:epochs=2"])
def test_fitted_by_workers_as_here(tmp_path, cluster, spec):
    source = write_vectors(tmp_path / "in", X, 5)
    states = []
    for name in ("process", "ray"):
        with open_engine(name) as engine:
            done = fit_shards(spec, source, engine=engine, n_sample=100)
        states.append(done.calibrator.get_state())
    one, other = states
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_neighbours_are_found_by_workers_as_here(tmp_path, cluster):
    source = write_vectors(tmp_path / "in", X, 5)
    found = []
    for name in ("process", "ray"):
        with open_engine(name) as engine:
            found.append(neighbours(source, X[:7], 4, engine=engine, own=[*map(str, range(7))]))
    one, other = found
    np.testing.assert_array_equal(one.ids, other.ids)
    np.testing.assert_array_equal(one.values, other.values)


def test_a_block_of_damaged_rows_is_left_out(tmp_path, cluster):
    source = write_vectors(tmp_path / "in", X, 2)
    for name, width in (("a", 3), ("z", 9)):
        column = pa.array([[1.0] * width], pa.list_(pa.float32()))
        pq.write_table(pa.table({"id": [-1], "vector": column}), source / f"{name}.parquet")
    with pytest.warns(UserWarning, match="2 rows are left out"):
        found = moments(ray.data.read_parquet(str(source)))
    assert found.n == 300
    np.testing.assert_allclose(found.mean, X.mean(axis=0), atol=1e-6)


def test_a_lost_worker_costs_its_shard_only(tmp_path, cluster):
    stage = KilledOnce(build_calibrator("standardize").fit(X))
    stage.mark = tmp_path / "mark"
    source = write_vectors(tmp_path / "in", X, 5)
    with open_engine("ray") as engine:
        done = run_stage(stage, source, tmp_path / "out", engine=engine)
    assert stage.mark.exists()
    assert (done.n_shards, done.rows) == (5, 300)
    np.testing.assert_allclose(
        read_rows(tmp_path / "out")[1], stage.calibrator.transform(X), rtol=0, atol=1e-6
    )


GUIDE = (HERE.parent.parent / "docs" / "scale.md").read_text(encoding="utf-8")


def guide_lines(heading: str, places: dict[str, str]) -> str:
    """Return the guide's Python below a heading, with other words in some places."""
    section = GUIDE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    (lines,) = re.findall(r"^```python\n(.*?)^```$", section, flags=re.M | re.S)
    for there, here in places.items():
        assert there in lines
        lines = lines.replace(there, here)
    return lines


def test_the_lines_of_the_guide_work(tmp_path, cluster, tiny_bert):
    write_texts(tmp_path / "corpus", {name: [*SENTENCES, None] for name in "ab"})
    got: dict[str, Any] = {}
    small = f'Embed({str(tiny_bert)!r}, layers="layer:2", max_length={MAX_TOKENS}, device="cpu")'
    places = {"s3://": f"{tmp_path}/", 'Embed("bge-base")': small, ", num_gpus=1": ""}
    places['"flow"'] = '"flow:epochs=1"'
    with pytest.warns(UserWarning, match="2 rows are left out"):
        exec(guide_lines("From Python, on Ray Data", places), got)
    x, z = got["x"], ray.data.read_parquet(str(tmp_path / "calibrated"))
    vectors = np.array([row["vector"] for row in x.take_all() if row["vector"] is not None])
    assert len(vectors) == 10
    np.testing.assert_allclose(got["whiten"].mean_, vectors.mean(axis=0), atol=1e-5)
    assert (z.count(), len([row for row in z.take_all() if row["vector"] is None])) == (12, 2)


def test_a_flow_by_ray_train_is_that_of_one_process(tmp_path, cluster):
    pytest.importorskip("ray.train", reason="it needs packages of ray[train]")
    np.save(tmp_path / "vectors.npy", X)
    places = {"/data": str(tmp_path), "batch_size=4096": "batch_size=100"}
    exec(guide_lines("A flow by Ray Train", places), {})
    found, _ = load_calibrator(tmp_path / "flow")
    expected = build_calibrator("flow:batch_size=100").fit(X)
    np.testing.assert_allclose(found.transform(X), expected.transform(X), rtol=0, atol=1e-4)


def test_actors_embed_as_tasks(tmp_path, cluster, tiny_bert):
    source = write_texts(tmp_path / "corpus", {name: [*SENTENCES, None] for name in "ab"})
    ds = ray.data.read_parquet(str(source))
    options = {"layers": "layer:2", "max_length": MAX_TOKENS, "device": "cpu"}
    by_tasks = ds.map_batches(Embed(str(tiny_bert), **options), batch_size=4)
    by_actors = ds.map_batches(
        Embed, fn_constructor_args=(str(tiny_bert),), fn_constructor_kwargs=options, concurrency=1
    )
    one, other = (
        {row["id"]: row["vector"] for row in each.take_all()} for each in (by_tasks, by_actors)
    )
    assert one.keys() == other.keys()
    for name, vector in one.items():
        assert (vector is None) == (other[name] is None)
        if vector is not None:
            np.testing.assert_allclose(vector, other[name], atol=1e-5)


def members(session: int) -> list[int]:
    """Return the processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(ValueError, ProcessLookupError):
            if os.getsid(int(entry.name)) == session:
                found.append(int(entry.name))
    return found


def test_a_killed_driver_leaves_no_process_and_is_resumed(tmp_path, tiny_bert):
    names = [f"s{number:02}" for number in range(30)]
    source = write_texts(tmp_path / "in", {name: SENTENCES * 40 for name in names})
    model = ("--model", str(tiny_bert), "--layers", "layer:2", "--max-length", str(MAX_TOKENS))
    command = [sys.executable, "-c", "from bertflow_core.cli import main; main()", "embed"]
    command += [str(source), *model, "--device", "cpu", "--engine", "ray"]
    out, whole = tmp_path / "out", tmp_path / "whole"
    driver = subprocess.Popen([*command, "--out", str(out)], start_new_session=True)
    manifests = out / "_manifest"
    wait_for(lambda: manifests.is_dir() and list(manifests.glob("*.json")))
    driver.kill()
    driver.wait()
    wait_for(lambda: not members(driver.pid))
    made = {path: path.read_bytes() for path in out.glob("*.parquet")}
    stage = Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")
    with open_engine() as engine:
        run_stage(stage, source, whole, engine=engine)
    assert all((whole / path.name).read_bytes() == content for path, content in made.items())
    resumed = subprocess.run([*command, "--out", str(out)], check=True, capture_output=True)
    assert re.search(rb"30 files \([0-9]+ of them were there\)", resumed.stderr)
    assert read_rows(out)[0] == read_rows(whole)[0]
    np.testing.assert_array_equal(read_rows(out)[1], read_rows(whole)[1])
