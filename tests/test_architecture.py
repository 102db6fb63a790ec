"""The arrows of the house: which part of the packages may import what."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE, APP = ROOT / "bertflow_core", ROOT / "app"
STANDARD = set(sys.stdlib_module_names)

# What each part of the core may import beside the standard library and the shared small modules.
ALLOWED = {
    "flows": {"torch", "numpy", "numba"},
    "calibrators": {"torch", "numpy", "scipy", "sklearn", "zuko", "bertflow_core.flows"},
    "evaluation": {"numpy", "scipy", "pandas", "sklearn"},
    "analysis": {"numpy", "scipy", "pandas", "sklearn", "umap", "Levenshtein", "nltk"},
    "figures": {"plotly", "numpy", "pandas"},
    "datasets": {"numpy", "pandas", "pyarrow", "wordfreq"},
}
SHARED = {"device", "errors", "files", "linalg", "progress", "tables"}
HEAVY = {"torch", "transformers", "sklearn", "scipy", "pandas", "umap", "plotly", "streamlit"}


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            yield node.module or ""
            if node.module == "bertflow_core":
                yield from (f"bertflow_core.{alias.name}" for alias in node.names)


def outside(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports(path)} - STANDARD


def part(name: str) -> str:
    return ".".join(name.split(".")[:2])


@pytest.mark.parametrize("path", modules(CORE), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_core_knows_nothing_of_the_app(path):
    assert outside(path).isdisjoint({"streamlit", "bertflow_app"})


@pytest.mark.parametrize("folder", ALLOWED)
def test_a_part_of_the_core_imports_only_what_it_may(folder):
    own = {f"bertflow_core.{folder}", "bertflow_core"}
    shared = {f"bertflow_core.{name}" for name in SHARED}
    for path in modules(CORE / folder):
        core = {part(name) for name in imports(path) if name.startswith("bertflow_core")}
        assert core <= own | shared | ALLOWED[folder], path
        assert outside(path) - {"bertflow_core"} <= ALLOWED[folder], path


def test_transformers_is_imported_in_one_place():
    users = [path for path in modules(CORE) if "transformers" in outside(path)]
    assert users == [CORE / "encoders" / "transformer.py"]


def test_plotly_is_imported_by_figures_only():
    users = [path for path in modules(CORE) if "plotly" in outside(path)]
    assert all(path.is_relative_to(CORE / "figures") for path in users)


def test_only_services_caches_and_only_state_touches_session_state():
    for path in modules(APP):
        text = path.read_text(encoding="utf-8")
        assert path.name == "services.py" or "st.cache_" not in text, path
        assert path.name == "state.py" or "st.session_state" not in text, path


def test_views_do_no_array_arithmetic():
    for path in [*(APP / "views").glob("*.py"), *(APP / "views").glob("*/page.py")]:
        assert outside(path).isdisjoint({"numpy", "torch", "scipy", "sklearn", "plotly"}), path


def test_importing_the_core_or_its_command_line_is_light():
    code = (
        f"import sys, bertflow_core, bertflow_core.cli; print(sorted({HEAVY} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_package_folder_is_in_the_wheel():
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "setuptools"
    ]
    homes = {"bertflow_core": CORE, "bertflow_app": APP, "bertflow_data": ROOT / "data"}
    found = {
        ".".join((name, *init.parent.relative_to(home).parts))
        for name, home in homes.items()
        for init in home.rglob("__init__.py")
    }
    assert found == set(tool["packages"])


def test_every_module_says_first_what_it_is_for():
    for path in [*modules(CORE), *modules(APP)]:
        doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert doc, path
        assert doc.partition("\n")[0].endswith((".", ":")), path
