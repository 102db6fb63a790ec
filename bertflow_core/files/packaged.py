"""The small data files that are installed with the package."""

from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["resource"]


def resource(name: str) -> Traversable:
    """Return the tracked data file `name`, for example `resource("teaching.tsv")`.

    Raises:
        FileNotFoundError: No such file ships with the package.
    """
    file = files("bertflow_data") / name
    if not file.is_file():
        raise FileNotFoundError(f"bertflow_data holds no file named {name!r}")
    return file
