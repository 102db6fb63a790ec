"""The command line `bertflow-lab`: one file per command, one sentence per error."""

from bertflow_core.cli.main import main

__all__ = ["main"]
