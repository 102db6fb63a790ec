"""UMAP in its own process: against the library's class, and what happens when it is stopped."""

import signal
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pytest
from waiting import PATIENCE

from bertflow_core import context
from bertflow_core.analysis import umap_layout as module
from bertflow_core.analysis import umap_worker
from bertflow_core.analysis.neighbours import Metric, Neighbours, nearest_neighbours
from bertflow_core.analysis.projection import Method, project
from bertflow_core.analysis.umap_layout import UmapSettings, umap_layout
from bertflow_core.errors import Cancelled, InputError, ResourceError

RNG = np.random.default_rng(11)
LABELS = np.repeat([0, 1, 2], 50)
X = (RNG.normal(size=(3, 8)) * 12)[LABELS] + RNG.normal(size=(150, 8))
FOUND = nearest_neighbours(X, X, 15, own=np.arange(150))
START = project(X).coordinates
SETTINGS = UmapSettings(n_neighbors=12, min_dist=0.2, seed=4)


@pytest.fixture(scope="module")
def told():
    return []


@pytest.fixture(scope="module")
def layout(told):
    with context.reporting(lambda *each: told.append(each)):
        return umap_layout(FOUND, START, SETTINGS)


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


def by_the_class(rows, distances):
    """Return what the library's class makes of the same graph, start and random numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        umap_ = umap_worker.import_umap()
        random = np.random.RandomState(SETTINGS.seed)
        start = START.astype(np.float64)
        start *= 10 / np.abs(start).max()
        return umap_.UMAP(
            n_neighbors=SETTINGS.n_neighbors,
            min_dist=SETTINGS.min_dist,
            init=start + random.normal(scale=1e-4, size=start.shape),
            precomputed_knn=(rows, distances),
            random_state=random,
        ).fit_transform(X)


@pytest.mark.campaign
def test_it_is_the_layout_of_the_librarys_class(layout):
    rows = np.column_stack([np.arange(150), FOUND.rows[:, :11]]).astype(np.int32)
    distances = np.column_stack([np.zeros(150), FOUND.values[:, :11]]).astype(np.float32)
    expected = by_the_class(rows, distances)
    assert layout.method is Method.UMAP
    assert layout.explained is None
    assert layout.coordinates.dtype == np.float32
    np.testing.assert_allclose(layout.coordinates, expected, rtol=0, atol=1e-4)


def test_equal_inputs_give_equal_layouts_and_another_seed_another(layout, capsys):
    graph = module._graph(FOUND, 12)

    def again(seed):
        start = START.astype(np.float64)
        return umap_worker.lay_out(
            graph["rows"], graph["distances"], start, min_dist=0.2, seed=seed
        )

    assert (again(4) == layout.coordinates).all()
    assert not np.allclose(again(5), layout.coordinates, atol=0.1)
    assert capsys.readouterr().out.split()[:3] == ["0", "1", "graph"]


def test_clusters_stay_apart(layout):
    picture = layout.coordinates
    nearest = nearest_neighbours(picture, picture, 5, own=np.arange(150)).rows
    assert (LABELS[nearest] == LABELS[:, None]).mean() > 0.99


def test_every_stage_is_reported_and_epochs_rise_to_the_last(layout, told):
    units = list(dict.fromkeys(unit for _, _, unit in told))
    assert units == [module._START, "graph of neighbours", "epochs"]
    epochs = [done for done, _, unit in told if unit == "epochs"]
    assert epochs == sorted(epochs)
    assert told[-1] == (500, 500, "epochs")


def test_a_stop_ends_the_process_and_leaves_no_folder(started, tmp_path):
    def stop(done, total, unit):
        if started:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled), context.reporting(stop):
        umap_layout(FOUND, START, SETTINGS)
    assert started[0].returncode == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_dies_gives_one_sentence(started, tmp_path):
    def kill(done, total, unit):
        for process in started:
            process.kill()

    with (
        pytest.raises(ResourceError, match=r"ended before it was done \(signal 9, .*fewer rows"),
        context.reporting(kill),
    ):
        umap_layout(FOUND, START, SETTINGS)
    assert list(tmp_path.iterdir()) == []


def test_the_process_does_not_outlive_the_one_that_asked(tmp_path):
    run = subprocess.run(
        [sys.executable, "-m", module._WORKER, str(tmp_path)],
        stdin=subprocess.DEVNULL,  # ended at once, as when the parent dies
        capture_output=True,
        timeout=PATIENCE,
    )
    assert run.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_never_begins_is_ended(monkeypatch, started, tmp_path):
    monkeypatch.setattr(module, "_START_SECONDS", 0.5)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "asleep.py").write_text("import time; time.sleep(3600)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "own"))
    monkeypatch.setattr(module, "_WORKER", "asleep")
    with pytest.raises(ResourceError, match=r"did not begin within 0\.5 s"):
        umap_layout(FOUND, START, SETTINGS)
    assert started[0].returncode == -signal.SIGTERM


def test_last_words_of_the_process_are_passed_on(monkeypatch, started):
    monkeypatch.setattr(module, "_WORKER", "bertflow_core.no_such_worker")
    with pytest.raises(ResourceError, match=r"code 1, .*No module named"):
        umap_layout(FOUND, START, SETTINGS)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n_neighbors": 1}, "from 2 to 200"),
        ({"n_neighbors": 201}, "from 2 to 200"),
        ({"min_dist": -0.1}, "from 0 to 1"),
        ({"min_dist": float("nan")}, "from 0 to 1"),
        ({"seed": -1}, "seed"),
    ],
)
def test_settings_out_of_range_are_refused(changes, words):
    with pytest.raises(InputError, match=words):
        UmapSettings(**changes)


@pytest.mark.parametrize(
    ("neighbours", "start", "n_neighbors", "words"),
    [
        (FOUND, START[:-1], 12, "of 150 points"),
        (FOUND, np.full((150, 2), np.nan), 12, "finite"),
        (FOUND, np.zeros((150, 2)), 12, "one place"),
        (FOUND, np.ones((150, 4)), 12, "2 or 3"),
        (FOUND, START, 17, "at most 16"),
        (Neighbours(Metric.DOT, FOUND.rows, FOUND.values), START, 12, "distances"),
        (Neighbours(Metric.L2, FOUND.rows + 1, FOUND.values), START, 12, "0 to 149"),
    ],
)
def test_what_cannot_be_laid_out_is_refused_before_a_process_starts(
    neighbours, start, n_neighbors, words, started
):
    with pytest.raises(InputError, match=words):
        umap_layout(neighbours, start, UmapSettings(n_neighbors=n_neighbors))
    assert started == []
