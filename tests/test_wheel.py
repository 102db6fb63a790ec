"""The first run from an installed wheel, in an empty environment and a folder full of strangers."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import lab_server
import pytest
from project_tree import ROOT, copy_tree

SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "setuptools"
]
HOMES = {
    "bertflow_core": "bertflow_core",
    "bertflow_app": "app",
    "bertflow_benchmarks": "benchmarks",
    "bertflow_data": "data",
}


def files_beside_code(home):
    """Return what lies in a package's folder and is no code, relative to it."""
    return {
        path.relative_to(home)
        for path in home.rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("package", HOMES)
def test_every_file_that_is_no_code_is_declared_as_package_data(package):
    home = ROOT / HOMES[package]
    patterns = SETUPTOOLS["package-data"].get(package, [])
    declared = {path.relative_to(home) for pattern in patterns for path in home.glob(pattern)}
    assert files_beside_code(home) == declared


def test_the_package_data_is_what_the_app_needs():
    app, data = (
        files_beside_code(ROOT / HOMES[name]) for name in ("bertflow_app", "bertflow_data")
    )
    assert Path(".streamlit/config.toml") in app
    assert {Path("teaching.tsv"), Path("results/teaching.json")} <= data


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


@pytest.fixture(scope="module")
def pip(wheel):
    """`pip install` of an empty environment beside the wheel, at the pinned versions."""
    home = wheel.parent / "venv"
    run(sys.executable, "-m", "venv", home, folder=wheel.parent)
    install = (home / "bin" / "python", "-m", "pip", "install", "--quiet")
    return (*install, "-c", ROOT / "requirements.txt")


@pytest.fixture(scope="module")
def light(wheel, pip):
    """What an environment in which nothing but the wheel was asked for says to some commands."""
    run(*pip, wheel, folder=wheel.parent)
    home = pip[0].parent
    told = {}
    for name, command in {
        "packages": (home / "python", "-m", "pip", "list", "--format", "freeze"),
        "captions": (home / "bertflow-lab", "evaluate", "--calibrator", "flow"),
        "umap": (home / "python", "-c", "from bertflow_core.analysis.umap_layout import check_umap"
                 "; check_umap()"),
        "app": (home / "bertflow-lab", "app"),
    }.items():  # fmt: skip
        environment = {
            **os.environ,
            "BERTFLOW_CACHE": str(wheel.parent / "cache"),
            "HF_HUB_OFFLINE": "1",
        }
        told[name] = subprocess.run(
            command, cwd=wheel.parent, env=environment, capture_output=True, text=True
        )
    return told


@pytest.fixture(scope="module")
def tool(wheel, pip, light):
    """`bertflow-lab` of that environment, once the wheel's extra for the app is installed too."""
    run(*pip, f"{wheel}[app]", folder=wheel.parent)
    return pip[0].with_name("bertflow-lab")


@pytest.fixture
def strange(tmp_path):
    return lab_server.strange_folder(tmp_path / "start")


@pytest.mark.install
def test_the_wheel_holds_every_file_of_the_packages(wheel):
    packed = {Path(name) for name in zipfile.ZipFile(wheel).namelist()}
    for package, folder in HOMES.items():
        home = ROOT / folder
        code = {path.relative_to(home) for path in home.rglob("*.py")}
        assert {Path(package) / name for name in files_beside_code(home) | code} <= packed
    assert not [name for name in packed if name.parts[0] in ("app", "data", "tests", "benchmarks")]


@pytest.mark.install
def test_the_wheel_alone_evaluates_and_has_no_app(light):
    installed = {line.partition("==")[0].lower() for line in light["packages"].stdout.splitlines()}
    assert "numba" in installed
    assert installed.isdisjoint({"streamlit", "starlette", "umap-learn", "pynndescent", "altair"})
    assert re.search(r"^layer:4\s+flow\s+-?\d", light["captions"].stdout, flags=re.M)
    for name in ("umap", "app"):
        assert light[name].returncode != 0
        assert 'pip install "bertflow-lab[app]"' in light[name].stderr
    assert light["app"].returncode == 2


@pytest.mark.install
def test_the_first_command_works_from_a_folder_of_strangers(tool, strange, tmp_path):
    table = run(
        *(tool, "evaluate", "--dataset", "teaching", "--calibrator", "identity"),
        folder=strange,
        BERTFLOW_CACHE=str(tmp_path / "cache"),
        HF_HUB_OFFLINE="1",
    )
    assert "identity" in table


@pytest.mark.install
def test_the_app_is_served_with_its_own_configuration_and_ends(tool, strange):
    server = lab_server.start(strange, tool)
    try:
        assert server.get("/")[0] == 200
        assert server.get("/", Host="evil.example")[0] == 403
        assert lab_server.shake_hands(server, "127.0.0.1") == 101
        assert lab_server.shake_hands(server, "evil.example") == 403
        assert "Traceback" not in server.log.read_text()
    finally:
        server.stop()
