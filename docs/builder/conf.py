"""Configuration of Sphinx, which `build.py` runs on the pages that it has collected."""

import re

from bertflow_core import __version__

project = "BERT-flow Lab"
author = "The maintainers of BERT-flow Lab"
copyright = "the maintainers of BERT-flow Lab, Apache-2.0"
release = version = __version__
root_doc = "docs/index"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx-mathjax-offline",
]
exclude_patterns = ["docs/builder"]
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

PICTURE = re.compile(
    r'<picture>\n<source [^>]*srcset="(?P<dark>[^"]+)">\n'
    r'<img alt="(?P<alt>[^"]+)" src="(?P<light>[^"]+)">\n</picture>'
)


def show_by_theme(app: object, page: str, source: list[str]) -> None:
    """Let the page's own theme choose between two pictures; `<picture>` follows the system's."""
    both = r"![\g<alt>](\g<light>){.only-light}\n![\g<alt>](\g<dark>){.only-dark}"
    source[0] = PICTURE.sub(both, source[0])


def escape_bars(app: object, what: str, name: str, it: object, opts: object, lines: list) -> None:
    """Keep |x| in a docstring an absolute value; reStructuredText would substitute it."""
    code = re.compile(r"\s*(>>>|\.\.\.)|.*:math:")
    lines[:] = [line if code.match(line) else line.replace("|", "\\|") for line in lines]


def skip_requests(app: object, what: str, name: str, *_: object) -> bool | None:
    """Leave out the methods that scikit-learn adds to every estimator for metadata routing."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def setup(app: object) -> None:
    """Register the functions that change pages and docstrings."""
    app.connect("source-read", show_by_theme)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", escape_bars)  # type: ignore[attr-defined]
    app.connect("autodoc-skip-member", skip_requests)  # type: ignore[attr-defined]
