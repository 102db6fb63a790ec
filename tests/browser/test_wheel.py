"""The first run from an installed wheel, in an empty environment and a folder full of strangers."""

import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import lab_server
import numpy as np
import pytest
from lab_pages import drawn, go, press, table_with, upload, wait_for
from project_tree import ROOT, copy_tree
from scipy.stats import spearmanr

from bertflow_core.datasets import load_dataset

EXAMPLE = ROOT / "examples" / "more-calibrators"
HOMES = {
    "bertflow_core": "bertflow_core",
    "bertflow_app": "app",
    "bertflow_benchmarks": "benchmarks",
    "bertflow_data": "data",
}
N_PAIRS = 120


def run(*args, folder, **environment):
    environment = {**os.environ, **environment}
    environment.pop("BERTFLOW_DATA", None)
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(args, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy of the files that git knows or would take."""
    home = tmp_path_factory.mktemp("wheel")
    tree = copy_tree(home / "tree")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", home, folder=tree)
    (built,) = home.glob("*.whl")
    return built


def pip_of(python, home):
    """Make an empty environment, and return its `pip install` at the pinned versions."""
    run(python, "-m", "venv", home, folder=home.parent)
    install = (home / "bin" / "python", "-m", "pip", "install", "--quiet")
    return (*install, "-c", ROOT / "requirements.txt")


@pytest.fixture(scope="module")
def pip(wheel):
    return pip_of(sys.executable, wheel.parent / "venv")


@pytest.fixture(scope="module")
def light(wheel, pip):
    """What an environment of the wheel alone says to commands from a folder of strangers."""
    run(*pip, wheel, folder=wheel.parent)
    home, start = pip[0].parent, lab_server.strange_folder(wheel.parent / "start")
    cache = {"BERTFLOW_CACHE": str(wheel.parent / "cache"), "HF_HUB_OFFLINE": "1"}
    layout = "from bertflow_core.analysis.umap_layout import check_umap; check_umap()"
    commands = {
        "packages": (home / "python", "-m", "pip", "list", "--format", "freeze"),
        "captions": (home / "bertflow-lab", "evaluate", "--calibrator", "flow"),
        "umap": (home / "python", "-c", layout),
        "app": (home / "bertflow-lab", "app"),
    }
    return {
        name: subprocess.run(
            words, cwd=start, env={**os.environ, **cache}, capture_output=True, text=True
        )
        for name, words in commands.items()
    }


@pytest.fixture(scope="module")
def served(wheel, pip, light, tmp_path_factory):
    """The dashboard of that environment, once the wheel's extra for it is installed too."""
    run(*pip, f"{wheel}[app]", folder=wheel.parent)
    start = lab_server.strange_folder(tmp_path_factory.mktemp("installed") / "start")
    server = lab_server.start(start, pip[0].with_name("bertflow-lab"))
    yield server
    server.stop()


@pytest.mark.gate
def test_the_wheel_holds_every_file_of_the_packages(wheel):
    packed = {Path(name) for name in zipfile.ZipFile(wheel).namelist()}
    for package, folder in HOMES.items():
        home = ROOT / folder
        files = (path.relative_to(home) for path in home.rglob("*") if path.is_file())
        assert {package / name for name in files if "__pycache__" not in name.parts} <= packed
    assert not [name for name in packed if name.parts[0] in ("app", "data", "tests", "benchmarks")]


@pytest.mark.gate
def test_the_wheel_alone_evaluates_and_has_no_app(light):
    installed = {line.partition("==")[0].lower() for line in light["packages"].stdout.splitlines()}
    assert "numba" in installed
    assert installed.isdisjoint({"streamlit", "starlette", "umap-learn", "pynndescent", "altair"})
    assert re.search(r"^layer:4\s+flow\s+-?\d", light["captions"].stdout, flags=re.M)
    for name in ("umap", "app"):
        assert light[name].returncode != 0
        assert 'pip install ".[app]"' in light[name].stderr
    assert light["app"].returncode == 2


def other_python(version):
    """Return a Python of a version that can make environments, Debian's or pyenv's, or None."""
    kept = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    for python in filter(None, (shutil.which(f"python{version}"), *kept)):
        if subprocess.run([python, "-c", "import ensurepip"], capture_output=True).returncode == 0:
            return python
    return None


@pytest.mark.gate
def test_the_wheel_alone_evaluates_under_the_newest_python(wheel, tmp_path):
    *_, newest = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    if (python := other_python(newest)) is None:
        pytest.skip(f"there is no Python {newest} here that can make environments")
    pip = pip_of(python, tmp_path / "venv")
    run(*pip, wheel, folder=tmp_path)
    start = lab_server.strange_folder(tmp_path / "start")
    command = (pip[0].with_name("bertflow-lab"), "evaluate", "--calibrator", "flow")
    said = run(*command, folder=start, BERTFLOW_CACHE=tmp_path / "cache", HF_HUB_OFFLINE="1")
    assert re.search(r"^layer:4\s+flow\s+-?\d", said, flags=re.M)


def wait_until_stopped(page):
    """Wait until no job of the page is live: each has a button Stop."""
    stops = page.get_by_role("button", name="Stop", exact=True)
    wait_for(lambda: not stops.count(), what="the end of the jobs")
    drawn(page)


def score(folder, rows) -> float:
    """Return 100 rho of the cosines of an exported model, as anybody would measure it."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    first, second, gold = zip(*rows, strict=True)
    x, y = (model.encode(side, normalize_embeddings=True) for side in (first, second))
    return 100 * spearmanr(np.sum(x * y, axis=1), gold).statistic


@pytest.mark.gate
def test_the_app_of_strangers_turns_a_table_into_a_model_that_scores_what_its_pages_say(
    visit, served, minilm, tmp_path
):
    assert served.get("/")[0] == 200
    assert served.get("/", Host="evil.example")[0] == 403
    assert lab_server.shake_hands(served, "127.0.0.1") == 101
    assert lab_server.shake_hands(served, "evil.example") == 403
    page = visit("/", server=served)
    pairs = load_dataset("captions", split="test")
    rows = list(zip(pairs.first, pairs.second, pairs.gold, strict=True))[:N_PAIRS]
    go(page, "check")
    lines = ["sentence1\tsentence2\tscore", *("\t".join(map(str, row)) for row in rows)]
    upload(page, "mine.tsv", "\n".join(lines).encode())
    wait_until_stopped(page)
    go(page, "scores")
    wait_until_stopped(page)
    measured = table_with(page, "letters", 4)
    scores = {  # whitening so few sentences leaves nothing to rank
        (row[0], row[1]): f"{float(row[2]):.2f}" for row in measured if row[2]
    }

    go(page, "export")
    wait_until_stopped(page)
    plain, taken = table_with(page, "Random cosine", 2)
    assert plain[3] == scores["plain output", "identity"]
    assert taken[3] == scores["plain output", "flow"]
    press(page, "Model with flow and its threshold")
    with page.expect_download() as found:
        page.get_by_role("button", name="model.zip").click()
    with zipfile.ZipFile(io.BytesIO(found.value.path().read_bytes())) as archive:
        archive.extractall(tmp_path)
    assert score(minilm, rows) == pytest.approx(float(plain[3]), abs=0.01)
    assert score(tmp_path / "model", rows) == pytest.approx(float(taken[3]), abs=0.01)
    assert "Traceback" not in served.log.read_text()


@pytest.mark.gate
def test_calibrators_of_another_package_are_scored_and_offered(pip, light, tmp_path):
    run(*pip, shutil.copytree(EXAMPLE, tmp_path / "example"), folder=tmp_path)
    command = (pip[0].with_name("bertflow-lab"), "evaluate", "--calibrator", "realnvp:epochs=0.1")
    said = run(*command, folder=tmp_path, BERTFLOW_CACHE=tmp_path / "cache", HF_HUB_OFFLINE="1")
    assert re.search(r"^layer:4\s+realnvp:epochs=0.1\s+-?\d", said, flags=re.M)
    code = "from bertflow_core.calibrators.spec import offered_specs; print(*offered_specs())"
    offered = run(pip[0], "-c", code, folder=tmp_path).split()
    assert {"flow", "gaussianize", "rbig", "realnvp", "spline-flow", "maf"} <= {*offered}
