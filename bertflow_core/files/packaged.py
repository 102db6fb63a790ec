"""The small files that are installed with the package: data, and scripts for the browser."""

from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["bundle", "resource", "resource_names"]


def resource(name: str) -> Traversable:
    """Return the tracked data file `name`, for example `resource("teaching.tsv")`.

    Raises:
        FileNotFoundError: No such file ships with the package.
    """
    file = files("bertflow_data") / name
    if not file.is_file():
        raise FileNotFoundError(f"bertflow_data holds no file named {name!r}")
    return file


def resource_names(ending: str) -> list[str]:
    """Return the names of the tracked data files that end so, in order."""
    names = (each.name for each in files("bertflow_data").iterdir() if each.is_file())
    return sorted(name for name in names if name.endswith(ending))


def bundle(name: str) -> str:
    """Return a bundled script or style sheet of the app by its file's name, such as `wall.css`.

    Data to this package: what runs in a browser lies with the app, which it never imports.
    """
    return (files("bertflow_app") / "browser" / "bundles" / name).read_text(encoding="utf-8")
