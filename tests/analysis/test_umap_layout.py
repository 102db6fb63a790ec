"""UMAP in its own process: against the library's class, and what happens when it is stopped."""

import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pytest
from waiting import PATIENCE

from bertflow_core import context
from bertflow_core.analysis import umap_layout as module
from bertflow_core.analysis.layout import Method, project
from bertflow_core.analysis.neighbours import nearest_neighbours
from bertflow_core.analysis.umap_layout import umap_layout
from bertflow_core.errors import Cancelled, ResourceError

RNG = np.random.default_rng(11)
LABELS = np.repeat([0, 1, 2], 50)
X = (RNG.normal(size=(3, 8)) * 12)[LABELS] + RNG.normal(size=(150, 8))
FOUND = nearest_neighbours(X, X, 15, own=np.arange(150))
START = project(X).coordinates
SETTINGS = {"n_neighbors": 12, "min_dist": 0.2, "seed": 4}


@pytest.fixture(scope="module")
def told():
    return []


@pytest.fixture(scope="module")
def layout(told):
    with context.reporting(lambda *each: told.append(each)):
        return umap_layout(FOUND, START, **SETTINGS)


@pytest.fixture
def started(monkeypatch, tmp_path):
    """The processes that a test starts; their folders lie in `tmp_path`."""
    processes = []

    class Recorded(subprocess.Popen):
        def __init__(self, *args, **options):
            processes.append(self)
            super().__init__(*args, **options)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return processes


@pytest.mark.campaign
def test_it_is_the_layout_of_the_librarys_class(layout):
    import umap

    random = np.random.RandomState(SETTINGS["seed"])
    start = START.astype(np.float64)
    start *= 10 / np.abs(start).max()
    nearest = nearest_neighbours(X, X, 12)  # each point first itself
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = umap.UMAP(
            n_neighbors=12,
            min_dist=0.2,
            init=start + random.normal(scale=1e-4, size=start.shape),
            precomputed_knn=(nearest.rows.astype(np.int32), nearest.values.astype(np.float32)),
            random_state=random,
        ).fit_transform(X)
    assert layout.method is Method.UMAP
    assert layout.explained is None
    assert layout.coordinates.dtype == np.float32
    np.testing.assert_allclose(layout.coordinates, expected, rtol=0, atol=1e-4)


@pytest.mark.campaign
def test_equal_inputs_give_equal_layouts_and_another_seed_another(layout):
    assert (umap_layout(FOUND, START, **SETTINGS).coordinates == layout.coordinates).all()
    other = umap_layout(FOUND, START, **SETTINGS | {"seed": 5})
    assert not np.allclose(other.coordinates, layout.coordinates, atol=0.1)


def test_clusters_stay_apart_and_stages_are_reported_up_to_the_last_epoch(layout, told):
    picture = layout.coordinates
    nearest = nearest_neighbours(picture, picture, 5, own=np.arange(150)).rows
    assert (LABELS[nearest] == LABELS[:, None]).mean() > 0.99
    units = list(dict.fromkeys(unit for _, _, unit in told))
    assert "start of UMAP" in units[0]
    assert units[1:] in (["epochs"], ["graph of neighbours", "epochs"])  # the graph may be quick
    epochs = [done for done, _, unit in told if unit == "epochs"]
    assert epochs == sorted(epochs)
    assert told[-1] == (500, 500, "epochs")


def test_a_stop_ends_the_process_and_leaves_no_folder(started, tmp_path):
    def stop(done, total, unit):
        if started:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled), context.reporting(stop):
        umap_layout(FOUND, START, **SETTINGS)
    assert started[0].returncode < 0
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_dies_gives_one_sentence(started, tmp_path):
    def kill(done, total, unit):
        for process in started:
            process.kill()

    with (
        pytest.raises(ResourceError, match=r"ended before it was done \(signal 9, .*fewer rows"),
        context.reporting(kill),
    ):
        umap_layout(FOUND, START, **SETTINGS)
    assert list(tmp_path.iterdir()) == []


def test_the_process_does_not_outlive_the_one_that_asked(tmp_path):
    run = subprocess.run(
        [sys.executable, "-m", module.WORKER, str(tmp_path)],
        stdin=subprocess.DEVNULL,  # ended at once, as when the parent dies
        capture_output=True,
        timeout=PATIENCE,
    )
    assert run.returncode == 1
    assert list(tmp_path.iterdir()) == []
