"""Installed material: data of the package, bundles of the app, versions of packages."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable


@cache
def version_of(package: str) -> str | None:
    """Return the version of an installed package; None if it is absent, as an extra may be.

    Each record is read once: a reading takes a millisecond, and each fingerprint needs it.
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

    It is data to this package, which never imports the app.
    """
    return (files("bertflow_app") / "browser" / "bundles" / name).read_text(encoding="utf-8")
