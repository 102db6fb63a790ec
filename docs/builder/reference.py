"""The reference of the Python names, one page for each public package, each name once."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from methods import parameter_table

from bertflow_core.calibrators import CALIBRATORS
from bertflow_core.params import parameters_of
from bertflow_core.recipe import Recipe

__all__ = ["PACKAGES", "pages"]

PACKAGES = {
    "bertflow_core": "What most programs need.",
    "bertflow_core.calibrators": "Calibrators under scikit-learn's contract; each has a page "
    "of its own among the [methods](../methods/index.md).",
    "bertflow_core.datasets": "Pairs with gold scores, sentences to fit on, tables of your own.",
    "bertflow_core.encoders": "Models by name, and how sentences become vectors.",
    "bertflow_core.evaluation": "Agreement with people, intervals and tests.",
    "bertflow_core.flows": "Glow on vectors, in torch.",
    "bertflow_core.scale": "Many files, in one process or on a Ray cluster.",
}

WIDGETS = ("wall", "wall_of", "inside")
"""Names of `bertflow_core` on a page of their own, below the text of `notebook.md`."""


def pages() -> dict[str, str]:
    """Return a page for each package, one for the widgets and the list of them, by file name."""
    names = "\n".join((*PACKAGES, "notebook"))
    widgets = Path(__file__).with_name("notebook.md").read_text(encoding="utf-8")
    index = (
        "# Python reference\n\nEvery example is run by the tests. What is refused raises "
        "`bertflow_core.errors.InputError`, a `ValueError` with one sentence; what the disk or the "
        "network lacks, `ResourceError`, an `OSError`.\n\n"
        f"```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n"
    )
    return {
        "reference/index.md": index,
        "reference/notebook.md": widgets + _documented("bertflow_core", WIDGETS),
        **{f"reference/{package}.md": _page(package) for package in PACKAGES},
    }


def _page(package: str) -> str:
    module = import_module(package)
    elsewhere = {info.__name__ for info in CALIBRATORS.values()}
    is_top = package == "bertflow_core"
    elsewhere |= {*WIDGETS} if is_top else {*import_module("bertflow_core").__all__}
    names = [name for name in module.__all__ if name not in elsewhere]
    page = f"# {package}\n\n{PACKAGES[package]}\n\n{_documented(package, names)}"
    fields = f"\n## Fields of a recipe\n\n{parameter_table(parameters_of(Recipe))}"
    return page + fields if is_top else page


def _documented(package: str, names: Iterable[str]) -> str:
    """Return what lets Sphinx read the docstrings of a package's names."""
    module = import_module(package)
    blocks = "\n".join(_directive(package, name, getattr(module, name)) for name in names)
    return f"```{{eval-rst}}\n{blocks}```\n"


def _directive(package: str, name: str, it: object) -> str:
    """Return what lets Sphinx read a name's docstring; a value has none."""
    if isinstance(it, type):
        return f".. autoclass:: {package}.{name}\n   :members:\n"
    return f".. autofunction:: {package}.{name}\n" if callable(it) else ""
