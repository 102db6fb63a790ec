"""Folders of parquet files, in one process or on the machines of a Ray cluster."""

from typing import TYPE_CHECKING

from bertflow_core.lazy import lazy_names

if TYPE_CHECKING:
    from bertflow_core.scale.batches import Calibrate as Calibrate
    from bertflow_core.scale.batches import Embed as Embed
    from bertflow_core.scale.batches import moments as moments
    from bertflow_core.scale.folders import fit_files as fit_files
    from bertflow_core.scale.folders import write_files as write_files

_HOMES = {
    "Calibrate": "batches",
    "Embed": "batches",
    "fit_files": "folders",
    "moments": "batches",
    "write_files": "folders",
}
__all__ = list(_HOMES)
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)
