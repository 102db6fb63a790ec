"""The classes of calibrators by name.

`CALIBRATORS` finds every class derived from `Calibrator`. The package's own classes are imported
when they are first used, so that importing this module is fast.
"""

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

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
    "gaussianize": "quantile.Gaussianize",
    "rbig": "quantile.RBIG",
    "flow": "flow.FlowCalibrator",
    "realnvp": "zuko.RealNVP",
    "spline-flow": "zuko.SplineFlow",
    "maf": "zuko.MAF",
}
"""The class of each calibrator and its module in this package, in the order of a form."""


class _Registry(Mapping[str, type["Calibrator"]]):
    """The classes by name: those of `CLASSES`, imported on first use, then those of users."""

    def __getitem__(self, name: str) -> type["Calibrator"]:
        if name not in CLASSES:
            return self._own()[name]
        module, _, attribute = CLASSES[name].partition(".")
        kind: type[Calibrator] = getattr(import_module(f"{__package__}.{module}"), attribute)
        return kind

    def __iter__(self) -> Iterator[str]:
        return iter({**CLASSES, **self._own()})

    def __len__(self) -> int:
        return len(CLASSES) + len(self._own())

    def __contains__(self, name: object) -> bool:
        return name in CLASSES or name in self._own()

    def _own(self) -> dict[str, type["Calibrator"]]:
        """Return the classes that users derived from `Calibrator`, the last one of each name."""
        if f"{__package__}.base" not in sys.modules:  # no class can have been derived yet
            return {}
        from bertflow_core.calibrators.base import Calibrator

        found, kinds = dict[str, type[Calibrator]](), [Calibrator]
        for kind in kinds:
            kinds += kind.__subclasses__()
            if "formula" in kind.__dict__ and not kind.__module__.startswith(f"{__package__}."):
                found[kind.name] = kind
        taken = next((name for name in found if name in CLASSES), None)
        if taken is not None:
            raise InputError(f"calibrator {quoted(taken)} already exists: give yours another name")
        return found


CALIBRATORS = _Registry()
