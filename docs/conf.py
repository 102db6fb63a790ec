"""Configuration of Sphinx for `make docs`: the tracked pages, and a reference made from the code.

The repository's root is the source folder, so that links work in the site as on GitHub. The pages
of `MADE` have only a title in the repository; their text follows when they are read.
"""

import re

import typer
from typer.cli import get_docs_for_click
from typer.main import get_command

from bertflow_core import __all__ as TOP
from bertflow_core import __version__
from bertflow_core.calibrators import CALIBRATORS, Calibrator
from bertflow_core.calibrators.spec import Spec
from bertflow_core.cli.main import program
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import as_text, parameters_of

project = "BERT-flow Lab"
author = "The maintainers of BERT-flow Lab"
copyright = "the maintainers of BERT-flow Lab, Apache-2.0"
release = version = __version__
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "data/**.md", "benchmarks/*.md"]
exclude_patterns = [".*", "build", "node_modules"]
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx-mathjax-offline",
]
default_role = "code"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
napoleon_use_ivar = True
python_maximum_signature_line_length = 90
myst_enable_extensions = ["attrs_inline", "dollarmath"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "BERT-flow Lab"
html_copy_source = False
html_theme_options = {"footer_icons": []}

ROOMS = ("calibrators", "datasets", "encoders", "evaluation", "flows", "scale")
WIDGETS = {"wall", "wall_of", "flow_plane"}  # they are on a page of their own
PICTURE = re.compile(
    r'<picture>\n<source [^>]*srcset="(?P<dark>[^"]+)">\n'
    r'<img alt="(?P<alt>[^"]+)" src="(?P<light>[^"]+)">\n</picture>'
)


def python_reference() -> str:
    """Document each public name once; those of a package and of the top are left to the top."""
    own = {info.__name__ for info in CALIBRATORS.values()}  # among the methods
    names = {"bertflow_core": WIDGETS} | {f"bertflow_core.{room}": {*TOP} for room in ROOMS}
    text = f"## Fields of a recipe\n\n{_table(Recipe)}"
    for package, elsewhere in names.items():
        text += (
            f"\n\n## {package}\n\n```{{eval-rst}}\n.. automodule:: {package}\n   :members:\n"
            f"   :exclude-members: {', '.join(sorted(elsewhere | own))}\n```"
        )
    return text


def methods() -> str:
    """Document each calibrator: formula, source, parameters and class."""
    return "\n\n".join(map(_method, CALIBRATORS.values()))


def _method(info: type[Calibrator]) -> str:
    source = f"[{info.source}]({info.url})" if info.url else info.source
    presets = "".join(f"- `{info.name}:preset={each.name}`: {each.help}\n" for each in info.presets)
    return (
        f"## {info.name}\n\n{Spec(info.name).words}: `{info.formula}` ({source}).\n"
        f"Invertible: {info.invertible}. Log-density: {info.density}.\n\n"
        f"{_table(info)}\n{presets}\n"
        f"```{{eval-rst}}\n.. autoclass:: bertflow_core.calibrators.{info.__name__}\n```"
    )


def _table(owner: type) -> str:
    """Return a table of the parameters of a calibrator or recipe."""
    parameters = owner.parameters() if issubclass(owner, Calibrator) else parameters_of(owner)
    rows = "".join(
        f"| `{each.name}` | {'none' if each.default is None else as_text(each.default)} "
        f"| {each.help} | {each.expected} |\n"
        for each in parameters
    )
    head = "| name | default | what it is | values |\n|---|---|---|---|\n"
    return head + rows if rows else "It has no parameters.\n"


def commands() -> str:
    """Document each command with typer's own generator."""
    whole = get_command(program())
    return get_docs_for_click(obj=whole, ctx=typer.Context(whole), indent=1, name="bertflow-lab")


MADE = {
    "docs/reference/python": python_reference,
    "docs/reference/methods": methods,
    "docs/reference/commands": commands,
}
"""Functions that return what follows the title of a page."""


def complete(app: object, page: str, source: list[str]) -> None:
    """Add the made text, and let the page's theme choose a picture, not the system's."""
    both = r"![\g<alt>](\g<light>){.only-light}\n![\g<alt>](\g<dark>){.only-dark}"
    source[0] = PICTURE.sub(both, source[0]) + (MADE[page]() if page in MADE else "")


def escape_bars(app: object, what: str, name: str, it: object, opts: object, lines: list) -> None:
    """Keep |x| in a docstring an absolute value; reStructuredText would substitute it."""
    code = re.compile(r"\s*(>>>|\.\.\.)|.*:math:")
    lines[:] = [line if code.match(line) else line.replace("|", "\\|") for line in lines]


def skip_requests(app: object, what: str, name: str, *_: object) -> bool | None:
    """Leave out the methods that scikit-learn adds to every estimator for metadata routing."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def setup(app: object) -> None:
    """Register the functions that change pages and docstrings."""
    app.connect("source-read", complete)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", escape_bars)  # type: ignore[attr-defined]
    app.connect("autodoc-skip-member", skip_requests)  # type: ignore[attr-defined]
