"""Names and modules that are imported when first used, so that an import costs little."""

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
    """Return the `__getattr__` of a package that takes each name from its module inside it."""

    def get(name: str) -> Any:  # noqa: ANN401 - each name has its own type
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get


def of_extra(extra: str, module: str, what: str, *, otherwise: str = "") -> Any:  # noqa: ANN401
    """Import a module that an extra of this package brings, or say what needs it."""
    try:
        return import_module(module)
    except ImportError as error:
        from bertflow_core.errors import InputError  # late: `import bertflow_core` costs nothing

        install = f'pip install "bertflow-lab[{extra}]"'
        raise InputError(f"{what}: {install}{otherwise}") from error


@contextmanager
def imported_when_used(*names: str) -> Iterator[None]:
    """Let modules that are imported within be imported when something of them is first used.

    Whoever imports them afterwards gets them as always. What is imported already stays as it is.
    They are modules that other libraries import as a whole; of one inside a package, the package
    must find it by itself when asked for it.
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
    """Stands for a module until something of it is used."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = find_spec(name)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - each name has its own type
        self.withdraw()
        return getattr(import_module(self.__name__), name)

    def withdraw(self) -> None:
        """Let the next import of the name be that of the module."""
        with _lock:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
