"""Names of a package that are imported when first used, so that importing it costs nothing."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package that takes each name from its module.

    Args:
        package: The package's `__name__`.
        homes: For each name, the module inside the package that has it.
    """

    def get(name: str) -> Any:  # noqa: ANN401 - each name has its own type
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get
