"""What a command imports: nothing heavy that it does not use."""

import subprocess
import sys

from typer.testing import CliRunner

from bertflow_core.cli.main import program
from bertflow_core.cli.tree import names

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
    """Run a command in a process of its own; return the modules that it imported."""
    command = [sys.executable, "-c", RUN, *map(str, words)]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stderr.split())


def test_the_help_imports_no_library_of_numbers():
    assert not imported_by("--help") & HEAVY


def test_the_list_says_of_each_command_what_it_says_itself():
    light, whole = (
        CliRunner().invoke(program(named), ["--help"]).output for named in ((), names())
    )
    assert light == whole
    assert "│ data " in light


def test_a_command_imports_no_other_command():
    commands = {name for name in imported_by("evaluate", "--help") if "bertflow_core.cli." in name}
    assert "bertflow_core.cli.study_command" in commands
    assert not commands & {f"bertflow_core.cli.{name}" for name in ("compare", "fit", "analyse")}


def test_closed_forms_on_stored_vectors_need_neither_torch_nor_pandas(works, tiny):
    specs = ("identity", "standardize", "null-top-k:k=2", "whiten")
    words = ("evaluate", *tiny, "--dataset", "teaching")
    words += tuple(word for spec in specs for word in ("--calibrator", spec))
    works(*words)
    imported = imported_by(*words, "--format", "csv")
    assert {"numpy", "sklearn"} <= imported
    assert not imported & {"torch", "transformers", "pandas", "scipy.stats", "numba"}


def test_what_the_embedded_model_declares_needs_no_sentence_transformers():
    words = ("evaluate", "--dataset", "teaching", "--layers", "model", "--no-store")
    imported = imported_by(*words, "--calibrator", "whiten")
    assert "transformers" in imported
    assert "sentence_transformers" not in imported
