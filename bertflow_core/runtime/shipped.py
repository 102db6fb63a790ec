"""Data files of the package, bundles of the app, and versions of installed packages."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable


@cache
def version_of(package: str) -> str | None:
    """Return the version of a package; None if it is not installed.

    Versions are cached, since a look-up takes a millisecond and each fingerprint needs them.
    """
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def resource(name: str) -> Traversable:
    """Return the data file `name` that ships with the package, such as `teaching.tsv`."""
    return files("bertflow_data") / name


def bundle(name: str) -> str:
    """Return a bundled script or style sheet of the app by its file's name, such as `wall.css`.

    The file is read as data, since this package never imports the app.
    """
    return (files("bertflow_app") / "browser" / "bundles" / name).read_text(encoding="utf-8")
