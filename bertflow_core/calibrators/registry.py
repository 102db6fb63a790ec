"""The classes of calibrators by name.

`CALIBRATORS` finds the package's own classes, plugins of other packages and every other class that
is derived from `Calibrator`. A class is imported when it is first used, so that importing this
module is fast.
"""

import sys
from collections.abc import Iterator, Mapping, ValuesView
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from bertflow_core.calibrators.plugins import Plugins
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

CLASSES = {
    "identity": "affine.Identity",
    "standardize": "affine.Standardize",
    "drop-coordinates": "affine.DropCoordinates",
    "null-top-k": "affine.NullTopK",
    "all-but-the-top": "affine.AllButTheTop",
    "common-component": "affine.CommonComponent",
    "whiten": "whitening.Whiten",
    "soft-whiten": "whitening.SoftWhiten",
    "ledoit-wolf": "whitening.LedoitWolf",
    "flow": "flow.FlowCalibrator",
}
"""The class of each calibrator and its module in this package, in the order of a form."""


class _Registry(Mapping[str, type["Calibrator"]]):
    """The classes by name: those of `CLASSES`, then plugins, then those of users.

    Names are known without an import. A plugin that breaks the contract raises an `InputError`
    when its name is used.
    """

    @cached_property
    def plugins(self) -> Plugins:
        """The plugins that were installed when they were first asked for."""
        return Plugins(CLASSES)

    def __getitem__(self, name: str) -> type["Calibrator"]:
        if name in CLASSES:
            module, _, attribute = CLASSES[name].partition(".")
            kind: type[Calibrator] = getattr(import_module(f"{__package__}.{module}"), attribute)
            return kind
        if name in self.plugins.names:
            return self.plugins.load(name)
        if name in self.plugins.refused:
            raise InputError(self.plugins.refused[name])
        return self._own()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*CLASSES, *self.plugins.names, *self._own())))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        ours = name in CLASSES or name in self.plugins.names
        return ours or name in self.plugins.refused or name in self._own()

    def values(self) -> ValuesView[type["Calibrator"]]:
        """Return the classes; a plugin that breaks the contract is left out with a warning."""
        self.plugins.load_all()
        return super().values()

    def _own(self) -> dict[str, type["Calibrator"]]:
        """Return the classes that users derived from `Calibrator`, the last one of each name."""
        if f"{__package__}.base" not in sys.modules:  # no class can have been derived yet
            return {}
        from bertflow_core.calibrators.base import Calibrator

        found, kinds = dict[str, type[Calibrator]](), [Calibrator]
        for kind in kinds:
            kinds += kind.__subclasses__()
            is_user_s = kind.__module__.partition(".")[0] not in self._packages
            if "formula" in kind.__dict__ and is_user_s:
                found[kind.name] = kind
        for name in found:
            if name in CLASSES or name in self.plugins.names:
                raise InputError(
                    f"calibrator {quoted(name)} already exists: give yours another name"
                )
        return found

    @property
    def _packages(self) -> set[str]:
        """The top-level modules whose calibrators are registered by name."""
        return {__name__.partition(".")[0], *self.plugins.modules}


CALIBRATORS = _Registry()
