"""Ray as the engine: equal to one process; a worker that is killed costs its file only."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import SENTENCES, read_rows, write_texts, write_vectors
from tiny_models import MAX_TOKENS
from waiting import wait_for

from bertflow_core.calibrators import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.scale import Calibrate, Embed, fit_files, write_files

ray = pytest.importorskip("ray", reason='the extra is not installed: pip install ".[scale]"')
pytestmark = pytest.mark.campaign

X = np.random.default_rng(0).normal(size=(300, 8)).astype(np.float32)
HERE = Path(__file__).parent
GUIDE = (HERE.parent.parent / "docs" / "scale.md").read_text(encoding="utf-8")
LAB = [sys.executable, "-c", "from bertflow_core.cli import main; main()"]
HEAD = "--head --num-cpus 2 --include-dashboard false --block --disable-usage-stats"
OPEN = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}


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
    )
    yield ray
    ray.shutdown()


def test_embedded_by_workers_as_here(tmp_path, cluster, tiny_bert):
    stage = Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")
    source = write_texts(tmp_path / "in", {name: [*SENTENCES, None] for name in "abcd"})
    for name in ("process", "ray"):
        done = write_files(stage, source, tmp_path / name, engine=name)
        assert (done.n_files, done.rows, done.refused) == (4, 20, 4)
    ids, x = read_rows(tmp_path / "process")
    assert read_rows(tmp_path / "ray")[0] == ids
    np.testing.assert_allclose(read_rows(tmp_path / "ray")[1], x, rtol=0, atol=1e-6)


@pytest.mark.parametrize("spec", ["whiten", "flow:epochs=2"])
def test_fitted_by_workers_as_here(tmp_path, cluster, spec):
    source = write_vectors(tmp_path / "in", X, 5)
    one, other = (
        fit_files(spec, source, engine=name, n_sample=100).calibrator.get_state()
        for name in ("process", "ray")
    )
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_damaged_file_costs_itself_alone_among_workers(tmp_path, cluster):
    stage = Calibrate(build_calibrator("standardize").fit(X))
    source = write_vectors(tmp_path / "in", X, 5)
    (source / "w.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"1 of 6 files failed .*w\.parquet"):
        write_files(stage, source, tmp_path / "out", engine="ray")
    x = read_rows(tmp_path / "out")[1]
    np.testing.assert_allclose(x, stage.calibrator.transform(X), rtol=0, atol=1e-6)


def test_the_lines_of_the_guide_work(tmp_path, cluster, tiny_bert):
    write_texts(tmp_path / "corpus", {name: [*SENTENCES, None] for name in "ab"})
    section = GUIDE.partition("\n## From Python, on Ray Data\n")[2]
    (lines,) = re.findall(r"^```python\n(.*?)^```$", section, flags=re.M | re.S)
    small = f'Embed({str(tiny_bert)!r}, layers="layer:2", max_length={MAX_TOKENS}, device="cpu")'
    places = {"s3://": f"{tmp_path}/", 'Embed("bge-base")': small, ", num_gpus=1": ""}
    places |= {'"flow"': '"flow:epochs=1"', "random_sample(0.01": "random_sample(0.9"}
    for there, here in places.items():
        assert there in lines
        lines = lines.replace(there, here)
    got: dict[str, Any] = {}
    with pytest.warns(UserWarning, match="2 rows are left out"):
        exec(lines, got)
    x, z = got["x"], ray.data.read_parquet(str(tmp_path / "calibrated"))
    vectors = np.array([row["vector"] for row in x.take_all() if row["vector"] is not None])
    assert len(vectors) == 10
    np.testing.assert_allclose(got["whiten"].mean_, vectors.mean(axis=0), atol=1e-5)
    assert (z.count(), len([row for row in z.take_all() if row["vector"] is None])) == (12, 2)


def members(session: int) -> list[int]:
    """Return the processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(ValueError, ProcessLookupError):
            if os.getsid(int(entry.name)) == session:
                found.append(int(entry.name))
    return found


@pytest.fixture(scope="module")
def head() -> Iterator[str]:
    """The address of a cluster with two cores that runs already."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")
    options = [*HEAD.split(), "--port", str(port), "--temp-dir", folder]
    options += ["--object-store-memory", str(200 << 20)]
    start = [sys.executable, "-c", "from ray.scripts.scripts import main; main()", "start"]
    started = subprocess.Popen([*start, *options], env=OPEN, start_new_session=True)

    def listens() -> bool:
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_for(listens)
        yield f"127.0.0.1:{port}"
    finally:
        for process in members(started.pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        started.wait()
        shutil.rmtree(folder, ignore_errors=True)


def test_every_command_works_by_address(tmp_path, tiny_bert, head):
    def lab(*words: object) -> None:
        command = [*LAB, *map(str, words)]
        done = subprocess.run(command, env=OPEN, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    source = write_texts(tmp_path / "in", {f"s{i:02}": [*SENTENCES * 20, None] for i in range(8)})
    options = ["--model", tiny_bert, "--layers", "layer:2", "--max-length", MAX_TOKENS]
    options += ["--device", "cpu"]
    for name, more in (("here", ()), ("ray", ("--engine", "ray", "--address", head))):
        v, saved, z = (tmp_path / name / each for each in "vcz")
        lab("embed", source, *options, "--out", v, *more)
        lab("fit", v, "--calibrator", "whiten", "--out", saved, *more)
        lab("calibrate", v, "--calibrator", saved, "--out", z, *more)
    for name in "vz":
        one, other = (read_rows(tmp_path / each / name) for each in ("here", "ray"))
        assert one[0] == other[0]
        np.testing.assert_allclose(one[1], other[1], rtol=0, atol=1e-5)
