"""The same stages over many shards, in one process or on the machines of a Ray cluster."""

from typing import TYPE_CHECKING

from bertflow_core.lazy import lazy_names

if TYPE_CHECKING:
    from bertflow_core.scale.calibrate import Calibrate as Calibrate
    from bertflow_core.scale.embed import Embed as Embed
    from bertflow_core.scale.fit import fit_shards as fit_shards
    from bertflow_core.scale.gathering import moments as moments
    from bertflow_core.scale.nearest import neighbours as neighbours
    from bertflow_core.scale.opening import open_engine as open_engine
    from bertflow_core.scale.run import run_stage as run_stage
    from bertflow_core.scale.sampling import sample as sample

_HOMES = {
    "Calibrate": "calibrate",
    "Embed": "embed",
    "fit_shards": "fit",
    "moments": "gathering",
    "neighbours": "nearest",
    "open_engine": "opening",
    "run_stage": "run",
    "sample": "sampling",
}
__all__ = list(_HOMES)
__getattr__ = lazy_names(__name__, _HOMES)
