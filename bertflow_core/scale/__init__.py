"""Embed and calibrate folders of parquet files, one after another or by Ray; fit on them."""

from bertflow_core.scale.batches import Calibrate, Embed
from bertflow_core.scale.folders import fit_files, write_files

__all__ = ["Calibrate", "Embed", "fit_files", "write_files"]
