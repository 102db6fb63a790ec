"""Pages that are made from the code: calibrators, Python names, commands."""

from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from bertflow_core.calibrators import CALIBRATORS, Calibrator
from bertflow_core.calibrators.spec import Spec
from bertflow_core.cli.main import program
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import Parameter, as_text, parameters_of

_ROOMS = ("", ".calibrators", ".datasets", ".encoders", ".evaluation", ".flows", ".scale")
WIDGETS = {"wall", "wall_of", "flow_plane"}
"""Names of `bertflow_core` that `notebook.md` documents."""
_TERMINAL = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}


def _methods() -> str:
    return (
        "# Methods\n\nA plus sign chains calibrators, as in `standardize+null-top-k:k=6`. "
        "[From the equation to the line](../calibrators.md) lists all and explains one.\n\n"
        + "".join(map(_method, CALIBRATORS.values()))
    )


def _method(info: type[Calibrator]) -> str:
    source = f"[{info.source}]({info.url})" if info.url else info.source
    presets = "".join(f"- `{info.name}:preset={each.name}`: {each.help}\n" for each in info.presets)
    return (
        f"## {info.name}\n\n{Spec(info.name).words}: `{info.formula}` ({source}).\n"
        f"Invertible: {info.invertible}. Log-density: {info.density}.\n\n"
        f"{_table(info.parameters())}\n{presets}\n"
        f"```{{eval-rst}}\n.. autoclass:: bertflow_core.calibrators.{info.__name__}\n```\n\n"
    )


def _table(parameters: Iterable[Parameter]) -> str:
    """Return a table of parameters."""
    rows = "".join(
        f"| `{each.name}` | {'none' if each.default is None else as_text(each.default)} "
        f"| {each.help} | {each.expected} |\n"
        for each in parameters
    )
    head = "| name | default | what it is | values |\n|---|---|---|---|\n"
    return head + rows if rows else "It has no parameters.\n"


def _commands(path: tuple[str, ...], command: Any) -> list[str]:  # noqa: ANN401 - typer's own
    """Return the --help of a command and of its subcommands."""
    help = CliRunner().invoke(program(), [*path, "--help"], env=_TERMINAL).output
    own = f"## {' '.join(('bertflow-lab', *path))}\n\n```text\n{help.strip()}\n```\n\n"
    inner = getattr(command, "commands", {}).items()
    return [own, *(text for name, each in inner for text in _commands((*path, name), each))]


def _package(package: str) -> str:
    """Return the page of a package, with the public names that no other page has."""
    is_top = package == "bertflow_core"
    elsewhere = WIDGETS if is_top else {*import_module("bertflow_core").__all__}
    names = sorted(elsewhere | {info.__name__ for info in CALIBRATORS.values()})
    options = f"   :members:\n   :exclude-members: {', '.join(names)}"
    page = f"# {package}\n\n```{{eval-rst}}\n.. automodule:: {package}\n{options}\n```\n"
    return page + f"\n## Fields of a recipe\n\n{_table(parameters_of(Recipe))}" if is_top else page


PAGES: dict[str, Callable[[], str]] = {
    "methods.md": _methods,
    "commands.md": lambda: "# Commands\n\n" + "".join(_commands((), get_command(program()))),
    **{f"bertflow_core{room}.md": partial(_package, f"bertflow_core{room}") for room in _ROOMS},
}
"""Functions that return the text of each page, by file name below docs/reference/."""
