"""Files on a Ray cluster: equal to those processed in turn; a damaged file costs itself only."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import SENTENCES, read_rows, write_texts, write_vectors
from tiny_models import MAX_TOKENS

from bertflow_core.calibrators import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.scale import Calibrate, Embed, write_files

ray = pytest.importorskip("ray", reason='the extra is not installed: pip install ".[scale]"')
pytestmark = pytest.mark.campaign

X = np.random.default_rng(0).normal(size=(300, 8)).astype(np.float32)
GUIDE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")


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
    embed = Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")
    source = write_texts(tmp_path / "in", {name: [*SENTENCES, None] for name in "abcd"})
    for name, address in (("turn", None), ("ray", "auto")):
        done = write_files(embed, source, tmp_path / name, address=address)
        assert (done.n_files, done.rows, done.refused) == (4, 20, 4)
    ids, x = read_rows(tmp_path / "turn")
    assert read_rows(tmp_path / "ray")[0] == ids
    np.testing.assert_allclose(read_rows(tmp_path / "ray")[1], x, rtol=0, atol=1e-6)


def test_a_damaged_file_costs_itself_alone_among_workers(tmp_path, cluster):
    stage = Calibrate(build_calibrator("standardize").fit(X))
    source = write_vectors(tmp_path / "in", X, 5)
    (source / "w.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"1 of 6 files failed .*w\.parquet"):
        write_files(stage, source, tmp_path / "out", address="auto")
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
    exec(lines, got)
    x, z = got["x"], ray.data.read_parquet(str(tmp_path / "calibrated"))
    assert len([row for row in x.take_all() if row["vector"] is not None]) == 10
    assert (z.count(), len([row for row in z.take_all() if row["vector"] is None])) == (12, 2)
