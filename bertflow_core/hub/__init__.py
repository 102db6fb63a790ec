"""The Hugging Face hub: files fetched under limits, resumed and checked, and sent; its faults."""

from bertflow_core.hub.client import fetch
from bertflow_core.hub.push import HubPlace, check_place, push_folder
from bertflow_core.hub.repository import Repository

__all__ = ["HubPlace", "Repository", "check_place", "fetch", "push_folder"]
