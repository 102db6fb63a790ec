"""What a release and a deployment need: versions that agree, what is pinned, no secret."""

import re
import shutil
import subprocess
import tomllib

import pytest
import yaml
from project_tree import ROOT, copy_tree

import bertflow_core

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
SERVICES = yaml.safe_load(COMPOSE)["services"]


def test_the_changelog_the_citation_and_the_gate_agree_with_the_package():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## (.+)$", text, flags=re.M)
    versions = [title.split()[0] for title in titles if title != "Unreleased"]
    assert titles[0] == "Unreleased" or versions[0] == bertflow_core.__version__
    numbers = [tuple(map(int, version.split("."))) for version in versions]
    assert numbers == sorted(set(numbers), reverse=True)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == bertflow_core.__version__
    assert citation["license"] == PROJECT["license"]
    claimed = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    gate = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert gate["jobs"]["gate"]["strategy"]["matrix"]["python"] == claimed
    assert PROJECT["requires-python"] == f">={claimed[0]}"


def test_the_image_is_of_one_pinned_base_and_its_server_runs_without_rights():
    assert re.search(r"^ARG BASE=python:3\.1[1-3]-\S+@sha256:[0-9a-f]{64}$", DOCKERFILE, flags=re.M)
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, flags=re.M)) == {"${BASE}"}
    *_, after = DOCKERFILE.partition("\nUSER 1000\n")
    assert after and not re.search(r"^(RUN|COPY|USER|FROM)\b", after, flags=re.M)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    allowed = {name[1:] for name in ignored if name.startswith("!")}
    sources = re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, flags=re.M)
    copied = {word.rstrip("/") for words in sources for word in words.split()}
    assert ignored[0] == "*" and copied == allowed
    assert all((ROOT / name).exists() for name in copied)


def test_only_the_proxy_is_reached_every_image_is_pinned_and_there_is_no_secret():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    images = [service["image"] for service in SERVICES.values() if "image" in service]
    assert len(images) == 2
    assert all(re.search(r":v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$", image) for image in images)
    lab = SERVICES["lab"]
    assert lab["read_only"] and lab["cap_drop"] == ["ALL"] and lab["volumes"] == ["cache:/cache"]
    secret = re.compile(r"SECRET|TOKEN|PASSWORD|CLIENT_ID")
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            assert not secret.search(name) or re.match(r"\$\{\w+:\?", value), name
    settings = (ROOT / "deploy" / "example.env").read_text(encoding="utf-8")
    told = dict(re.findall(r"^(\w+)=(.*)$", settings, flags=re.M))
    assert set(told) == set(re.findall(r"\$\{(\w+)", COMPOSE))
    assert not [name for name, value in told.items() if secret.search(name) and value]
    assert "/.env" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


@pytest.mark.gate
def test_what_would_be_published_passes_the_checks(tmp_path):
    tree = copy_tree(tmp_path)
    done = subprocess.run(["make", "dist"], cwd=tree, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2
    built = sorted(path.name for path in (tree / "dist").iterdir())
    version = bertflow_core.__version__
    assert built == [f"bertflow_lab-{version}-py3-none-any.whl", f"bertflow_lab-{version}.tar.gz"]


@pytest.mark.gate
def test_the_image_is_built_and_serves():
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "info"], capture_output=True).returncode:
        pytest.skip("there is no docker that runs here: the image is not built")
    subprocess.run([docker, "build", "--tag", "bertflow-lab:test", "."], cwd=ROOT, check=True)
    command = [docker, "run", "--rm", "bertflow-lab:test", "bertflow-lab", "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.startswith("bertflow-lab ")
