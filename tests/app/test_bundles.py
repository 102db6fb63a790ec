"""The scripts and style sheets that the browser gets."""

import shutil
import subprocess
from pathlib import Path

import pytest

from bertflow_core.files import bundle

ROOT = Path(__file__).parent.parent.parent
BUNDLES = ROOT / "app" / "browser" / "bundles"
ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"


def test_the_bundles_are_what_the_sources_give(tmp_path):
    if not ESBUILD.exists() or shutil.which("npm") is None:
        pytest.skip("esbuild is not installed: `make check` installs it where there is npm")
    build = ("npm", "run", "--silent", "build", "--", f"--outdir={tmp_path}")
    subprocess.run(build, cwd=ROOT, check=True)
    made, kept = (
        {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
        for folder in (tmp_path, BUNDLES)
    )
    lesson = ROOT / "bertflow_core" / "studies" / "tour" / "lesson.js"
    build = ("npm", "run", "--silent", "lesson", "--", f"--outfile={tmp_path / 'lesson.js'}")
    subprocess.run(build, cwd=ROOT, check=True)
    made["lesson.js"] = (tmp_path / "lesson.js").read_text(encoding="utf-8")
    kept["lesson.js"] = lesson.read_text(encoding="utf-8")
    changed = {name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name)}
    assert not changed, "run `make bundles` and commit what changed"


@pytest.mark.parametrize("name", ["wall", "marks", "flow_view", "newborn"])
def test_a_script_is_one_module_with_a_default_export(name):
    text = bundle(f"{name}.js")
    assert "import{" not in text and 'from"' not in text
    assert text.count("export{") == 1 and " as default}" in text
    assert "\n" in text.strip()  # Streamlit takes a text of one line for a path


@pytest.mark.parametrize("name", ["wall", "theatre", "newborn"])
def test_a_style_sheet_imports_nothing(name):
    text = bundle(f"{name}.css")
    assert "@import" not in text
    assert "--st-text-color" in text
