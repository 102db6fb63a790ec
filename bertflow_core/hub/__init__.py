"""The Hugging Face hub: files fetched under limits, resumed and checked; its faults in words."""

from bertflow_core.hub.client import fetch
from bertflow_core.hub.repository import Repository

__all__ = ["Repository", "fetch"]
