"""Data sets fetched by name from the Hugging Face hub, into a layout that the readers know."""

from bertflow_core.downloads.catalog import DOWNLOADS, Download
from bertflow_core.downloads.get import data_target, get_data, missing_downloads

__all__ = ["DOWNLOADS", "Download", "data_target", "get_data", "missing_downloads"]
