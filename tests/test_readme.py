"""The README is run: its blocks work and its tables say what the code says."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from bertflow_core.calibrators import CALIBRATORS
from bertflow_core.cli import main

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(.*?)\n(.*?)^```$", TEXT, flags=re.M | re.S)


def blocks(kind):
    return [body for info, body in BLOCKS if info == kind]


def commands():
    lines = [line for body in blocks("sh") for line in body.splitlines()]
    return [line for line in lines if line.startswith("bertflow-lab ")]


def test_there_is_one_python_block_and_it_prints_a_correlation(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (body,) = blocks("python")
    exec(compile(body, "README.md", "exec"), {"__name__": "__main__"})
    assert "Correlations(all=" in capsys.readouterr().out


@pytest.mark.usefixtures("embedded_captions")
@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_readme_works(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = command.replace("0,100,500,5000,10000", "0,100,500")  # more words take only longer
    with pytest.raises(SystemExit) as left:
        main(shlex.split(command)[1:])
    assert left.value.code == 0, capsys.readouterr().err


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = [
        line.split()[1]
        for body in blocks("sh")
        for line in body.splitlines()
        if line.startswith("make ")
    ]
    assert targets == ["app", "test"]
    assert all(re.search(rf"^{target}:", makefile, flags=re.M) for target in targets)


def test_the_table_of_calibrators_is_the_registry():
    for info in CALIBRATORS.values():
        source = f"[{info.source}]({info.url})" if info.url else info.source
        row = f"| `{info.name}` | {info.formula} | {source} | {info.invertible} | {info.density} |"
        assert row in TEXT


def test_the_table_of_results_is_the_tracked_results():
    rows = {}
    for layers in ("layer4", "last"):
        text = (ROOT / "data" / "results" / f"stsb-{layers}.json").read_text(encoding="utf-8")
        for result in json.loads(text)["results"]:
            rows.setdefault(result["spec"], []).append(f"{100 * result['spearman']['all']:.2f}")
    for spec, (layer4, last) in rows.items():
        assert f"| `{spec}` | {layer4} | {last} |" in TEXT


def test_every_linked_file_is_there():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target


@pytest.mark.install
def test_the_plain_pip_block_works_in_an_empty_environment(tmp_path):
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(None, tracked.split("\0")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (body,) = blocks("bash install")
    environment = {**os.environ, "BERTFLOW_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        ["bash", "-euc", body], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^flow\s+-?\d", done.stdout, flags=re.M)
