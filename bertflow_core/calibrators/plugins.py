"""Calibrators of other packages, which register them in an entry-point group.

Names come from the metadata of the installed packages; a class is imported when its name is used. A
plugin that breaks the contract is refused in one sentence and leaves the others as they are.
"""

import re
import warnings
from collections.abc import Container
from dataclasses import Field
from typing import TYPE_CHECKING

from bertflow_core.errors import InputError, listed
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:  # not imported where no plugin is asked for
    from importlib.metadata import EntryPoint

    from bertflow_core.calibrators.base import Calibrator

GROUP = "bertflow_lab.calibrators"
"""The entry-point group; an entry maps a calibrator's name to its class."""

NAME = re.compile(r"[a-z][a-z0-9-]*")
"""What a calibrator's name looks like."""

_TEXTS = ("name", "plain", "formula", "source", "invertible")
"""Class attributes that a calibrator must define."""


class Plugins:
    """The plugins of this Python environment; names in `taken` are not available to them."""

    def __init__(self, taken: Container[str]) -> None:
        from importlib.metadata import entry_points

        self.names: dict[str, EntryPoint] = {}  # without refused ones
        self.refused: dict[str, str] = {}  # a sentence for each refused name
        self.modules: set[str] = set()  # top-level modules of all plugins
        self._classes: dict[str, type[Calibrator]] = {}
        for point in sorted(entry_points(group=GROUP), key=lambda each: (each.name, each.value)):
            if why := self._fault(point, taken):
                self._refuse(point, why)
                warnings.warn(self.refused[point.name], stacklevel=4)
            else:
                self.names[point.name] = point
            if point.pattern.match(point.value):
                self.modules.add(point.module.partition(".")[0])

    def _fault(self, point: "EntryPoint", taken: Container[str]) -> str:
        """Say what is wrong with an entry point; empty if its class can be imported."""
        if point.name in taken or point.name in self.names:
            return "its name already exists"
        if not NAME.fullmatch(point.name):
            return "its name must consist of lower-case letters, digits and hyphens"
        if not point.pattern.match(point.value):
            return f"expected an entry point such as 'module:Class', got {quoted(point.value)}"
        return ""

    def load(self, name: str) -> type["Calibrator"]:
        """Return the class of one of `names`; refuse one that breaks the contract."""
        if name not in self._classes:
            point = self.names[name]
            try:
                self._classes[name] = _checked(name, point.load())
            except (Exception, SystemExit) as error:  # other people's code may raise anything
                own = isinstance(error, InputError)
                self.drop(name, str(error) if own else f"its import failed, {reason(error)}")
                raise InputError(self.refused[name]) from error
        return self._classes[name]

    def drop(self, name: str, why: str) -> None:
        """Refuse one of `names` from now on."""
        self._classes.pop(name, None)
        self._refuse(self.names.pop(name), why)

    def load_all(self) -> None:
        """Load every class, with a warning for each that is refused."""
        for name in [*self.names]:
            try:
                self.load(name)
            except InputError as error:
                warnings.warn(str(error), stacklevel=4)

    def package_of(self, name: str) -> str | None:
        """Return the package that registers a calibrator; None for any other calibrator."""
        return _package(self.names[name]) if name in self.names else None

    def _refuse(self, point: "EntryPoint", why: str) -> None:
        self.refused[point.name] = (
            f"calibrator {quoted(point.name)} of the package {_package(point)} cannot be used: "
            f"{why}; mend or uninstall the package"
        )


def _package(point: "EntryPoint") -> str:
    return point.dist.name if point.dist else point.value


def _checked(name: str, kind: object) -> type["Calibrator"]:
    """Return a class if it is a calibrator as `Calibrator` describes it; otherwise refuse it."""
    from bertflow_core.calibrators.base import Calibrator

    if not (isinstance(kind, type) and issubclass(kind, Calibrator)):
        raise InputError(f"expected a class derived from Calibrator, got {quoted(kind)}")
    if lacking := [each for each in _TEXTS if not isinstance(getattr(kind, each, None), str)]:
        raise InputError(f"its class does not define {listed(lacking)}")
    if kind.name != name:
        raise InputError(f"its class has the name {quoted(kind.name)}")
    if any(isinstance(value, Field) for value in vars(kind).values()):
        raise InputError("its class has parameters and lacks the decorator @dataclass")
    try:
        for parameter in kind.parameters():
            parameter.check(parameter.default)
        kind.plain.format(**kind().get_params())
    except Exception as error:
        raise InputError(f"its parameters are declared wrongly, {reason(error)}") from error
    return kind
