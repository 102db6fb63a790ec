"""Embed, measure and calibrate folders of parquet files, in this process or by Ray."""

from bertflow_core.scale.batches import Calibrate, Embed, moments
from bertflow_core.scale.folders import fit_files, write_files

__all__ = ["Calibrate", "Embed", "fit_files", "moments", "write_files"]
