"""The scripts and style sheets that the browser gets."""

import shutil
import subprocess

import pytest
from project_tree import ROOT

BUNDLES = ROOT / "app" / "browser" / "bundles"


def test_the_bundles_are_what_the_sources_give(tmp_path):
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    if not esbuild.exists() or shutil.which("npm") is None:
        pytest.skip("esbuild is not installed: `make check` installs it where there is npm")
    places = {"build": f"--outdir={tmp_path}", "lesson": f"--outfile={tmp_path / 'lesson.js'}"}
    for script, place in places.items():
        subprocess.run(("npm", "run", "--silent", script, "--", place), cwd=ROOT, check=True)
    kept = {path.name: path.read_text(encoding="utf-8") for path in BUNDLES.iterdir()}
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    changed = {name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name)}
    assert not changed, "run `make bundles` and commit what changed"
