"""Import names and modules on first use, so that importing the package is fast."""

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
    """Return a package's `__getattr__`, which imports a name's module when it is first used."""

    def get(name: str) -> Any:  # noqa: ANN401 - each name has its own type
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get


def how_to_install(extra: str) -> str:
    """Return the command that adds an optional extra, in a clone or to an installed wheel."""
    return f'pip install ".[{extra}]" in a clone (for a wheel, its path in place of the dot)'


def of_extra(extra: str, module: str, what: str, *, otherwise: str = "") -> Any:  # noqa: ANN401
    """Import a module of an optional extra; the error is `what` and the command to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        from bertflow_core.errors import InputError  # late, to keep the import fast

        raise InputError(f"{what}: {how_to_install(extra)}{otherwise}") from error


@contextmanager
def imported_when_used(*names: str) -> Iterator[None]:
    """Delay imports of the named modules in this block until an attribute of theirs is used.

    Imports after the block work as usual, and modules that are already imported are not changed.
    Name only modules that other libraries import whole, by `import name`. A submodule may be named
    if its package imports it on first access, as scipy does.
    """
    made = [_Waiting(name) for name in names if name not in sys.modules and find_spec(name)]
    with _lock:  # another thread may meanwhile have begun to import one
        waiting = [each for each in made if sys.modules.setdefault(each.__name__, each) is each]
    try:
        yield
    finally:
        for module in waiting:
            module.withdraw()


class _Waiting(ModuleType):
    """A placeholder for a module until one of its attributes is used."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = find_spec(name)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - each name has its own type
        self.withdraw()
        return getattr(import_module(self.__name__), name)

    def withdraw(self) -> None:
        """Forget the placeholder, so that the next import loads the real module."""
        with _lock:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
