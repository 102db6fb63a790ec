"""The environment variables by which `bertflow-lab app` instructs the server that it becomes.

Two more have a meaning for every command: `BERTFLOW_DATA` (`datasets/locations.py`) and
`BERTFLOW_MODELS` (`encoders/catalog.py`).
"""

TOKEN = "BERTFLOW_TOKEN"
"""The token that visitors must show; empty if anybody may come in."""

FRAMES = "BERTFLOW_FRAMES"
"""Origins of the sites that may embed the pages in a frame, separated by spaces."""

START_MODEL, START_TABLE = "BERTFLOW_START_MODEL", "BERTFLOW_START_TABLE"
"""The model and the path of the table that a new visitor sees first; empty for the defaults."""
