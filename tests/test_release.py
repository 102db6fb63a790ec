"""What a release needs: versions that agree, a changelog, pinned actions, a checked build."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import bertflow_core

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_changelog_is_by_version_the_newest_first():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## (.+)$", text, flags=re.M)
    versions = [title.split()[0] for title in titles if title != "Unreleased"]
    assert titles[0] == "Unreleased" or versions[0] == bertflow_core.__version__
    numbers = [tuple(map(int, version.split("."))) for version in versions]
    assert numbers == sorted(set(numbers), reverse=True)


def test_the_citation_names_this_version_and_its_licence():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == bertflow_core.__version__
    assert citation["license"] == PROJECT["license"]


def test_the_versions_of_python_that_are_claimed_are_those_that_the_gate_runs():
    gate = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    claimed = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert gate["jobs"]["gate"]["strategy"]["matrix"]["python"] == claimed
    assert PROJECT["requires-python"] == f">={claimed[0]}"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_names_each_action_by_its_digest_and_may_only_read(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert used
    assert [each for each in used if not re.search(r"@[0-9a-f]{40}$", each)] == []


def tool(name):
    own = Path(sys.executable).with_name(name)
    found = own if own.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: pip install {name}")
    return found


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", WORKFLOWS),
        ("compose-spec", [ROOT / "docker-compose.yml"]),
        ("citation-file-format", [ROOT / "CITATION.cff"]),
    ],
)
def test_files_of_settings_follow_their_schemas(schema, files):
    command = [tool("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_workflows_pass_an_audit():
    command = [tool("zizmor"), "--offline", "--no-progress", *WORKFLOWS]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.install
def test_what_would_be_published_passes_the_checks(tmp_path):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    done = subprocess.run(["make", "dist"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2
    built = sorted(path.name for path in (tmp_path / "dist").iterdir())
    version = bertflow_core.__version__
    assert built == [f"bertflow_lab-{version}-py3-none-any.whl", f"bertflow_lab-{version}.tar.gz"]


def test_only_the_job_that_publishes_may_say_who_it_is():
    path = ROOT / ".github" / "workflows" / "release.yml"
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    granted = {name: job["permissions"] for name, job in jobs.items() if "permissions" in job}
    assert granted == {"publish": {"id-token": "write"}}
    assert all("run" not in step for step in jobs["publish"]["steps"])
    assert "secrets." not in path.read_text(encoding="utf-8")
