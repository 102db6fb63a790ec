"""What the import rules in pyproject.toml cannot say of the tree."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CORE, APP = ROOT / "bertflow_core", ROOT / "app"
HEAVY = {"torch", "transformers", "sklearn", "scipy", "pandas", "umap", "plotly", "streamlit"}


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Name the packages that a module imports, at once or late."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or ".")
    return {name.partition(".")[0] for name in names}


def test_only_services_caches_and_only_state_touches_session_state():
    for path in modules(APP):
        text = path.read_text(encoding="utf-8")
        assert path.name == "services.py" or "st.cache_" not in text, path
        assert path.name == "state.py" or "st.session_state" not in text, path


def test_pages_do_no_array_arithmetic():
    for path in (APP / "views").glob("*/page.py"):
        assert imported(path).isdisjoint({"numpy", *HEAVY} - {"streamlit"}), path


def test_importing_the_core_or_its_command_line_is_light():
    code = (
        "import sys, bertflow_core.calibrators;"
        "assert 'numpy' not in sys.modules;"
        f"import bertflow_core.recipe, bertflow_core.cli; print(sorted({HEAVY} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
