"""Before a command runs: its imports, its help, completion, and the options of a recipe."""

import shlex
import subprocess
import sys
from importlib.metadata import version

import pytest
from any_recipes import declared_recipes, recipes
from hypothesis import given
from typer.testing import CliRunner

from bertflow_core.cli import main
from bertflow_core.cli.main import program
from bertflow_core.cli.tree import names
from bertflow_core.errors import InputError
from bertflow_core.studies.evaluate.axes import EvaluateRecipe

HEAVY = {"torch", "transformers", "sklearn", "scipy", "numpy", "pandas", "pyarrow", "plotly"}
RUN = """
import sys
from bertflow_core.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def imported_by(*words: object) -> set[str]:
    """Run a command in a separate process; return the modules that it imported."""
    command = [sys.executable, "-c", RUN, *map(str, words)]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stderr.split())


def test_version_and_help_import_no_library_of_numbers(works):
    assert works("--version") == f"bertflow-lab {version('bertflow-lab')}\n"
    assert not imported_by("--help") & HEAVY


def test_closed_forms_on_stored_vectors_need_no_torch_no_pandas_no_other_command(
    works, tiny, table
):
    specs = ("identity", "standardize", "null-top-k:k=2", "whiten")
    words = ("evaluate", *tiny, "--dataset", table)
    words += tuple(word for spec in specs for word in ("--calibrator", spec))
    works(*words)
    imported = imported_by(*words, "--format", "csv")
    assert {"numpy", "sklearn", "bertflow_core.cli.study_command"} <= imported
    assert not imported & {"torch", "transformers", "pandas", "scipy.stats", "numba"}
    assert not imported & {f"bertflow_core.cli.{name}" for name in ("fit", "export")}


def test_what_the_embedded_model_declares_needs_no_sentence_transformers(works, table, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    works("evaluate", "--dataset", table, "--layers", "model", "--calibrator", "whiten")


def test_the_list_says_of_each_command_what_it_says_itself():
    light, whole = (
        CliRunner().invoke(program(named), ["--help"]).output for named in ((), names())
    )
    assert light == whole
    assert "│ data " in light


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("evaluate --calibrator wh", {"whiten"}),
        ("fit --calibrator standardize+nu", {"standardize+null-top-k"}),
        ("evaluate --layers l", {"last", "last2", *(f"layer:{k}" for k in range(13))}),
        ("analyse cone --layers fi", {"first-last"}),
        ("embed --model mini", {"minilm"}),
        ("evaluate --cal", {"--calibrator"}),
    ],
)
def test_a_shell_offers_names_that_begin_so(line, offered):
    words = f"bertflow-lab {line}"
    asked = {
        "_BERTFLOW_LAB_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    answer = CliRunner().invoke(program(), [], prog_name="bertflow-lab", env=asked).output
    assert set(answer.split()) == offered


@given(recipes | declared_recipes)
def test_the_command_line_gives_the_recipe_back(recipe):
    """The command is stopped before it evaluates."""
    found, rows = [], EvaluateRecipe.rows

    def note(params, layers, specs, **_):
        found.extend(rows(params, layers, specs, with_plain=False))
        raise InputError("seen")

    program, command, *args = shlex.split(recipe.to_command())
    assert (program, command) == ("bertflow-lab", "evaluate")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EvaluateRecipe, "rows", note)
        with pytest.raises(SystemExit):
            main(["evaluate", *args, "--no-store"])
    assert found[-1] == recipe
    assert len(found) == (1 if recipe.calibrator == "identity" else 2)
