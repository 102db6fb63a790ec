"""Names and modules that are imported on first use, so that importing the package costs little."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import Any

_lock = Lock()


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a package's `__getattr__`, which takes each name from its module in the package."""

    def get(name: str) -> Any:  # noqa: ANN401 - each name has its own type
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get


def of_extra(extra: str, module: str, what: str, *, otherwise: str = "") -> Any:  # noqa: ANN401
    """Import a module that belongs to an extra of this package; the error names the feature."""
    try:
        return import_module(module)
    except ImportError as error:
        from bertflow_core.errors import InputError  # late: `import bertflow_core` costs nothing

        install = f'pip install "bertflow-lab[{extra}]"'
        raise InputError(f"{what}: {install}{otherwise}") from error


@contextmanager
def imported_when_used(*names: str) -> Iterator[None]:
    """Delay the imports in this block until something of the module is first used.

    Later imports get the module as always, and modules imported before stay as they are. The block
    may name modules that other libraries import as a whole; a package must find its own submodule
    by itself.
    """
    made = [_Waiting(name) for name in names if name not in sys.modules and find_spec(name)]
    with _lock:  # another thread may have begun to import one of them since
        waiting = [each for each in made if sys.modules.setdefault(each.__name__, each) is each]
    try:
        yield
    finally:
        for module in waiting:
            module.withdraw()


class _Waiting(ModuleType):
    """A placeholder for a module until something of it is used."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = find_spec(name)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - each name has its own type
        self.withdraw()
        return getattr(import_module(self.__name__), name)

    def withdraw(self) -> None:
        """Make the next import of the name import the real module."""
        with _lock:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
