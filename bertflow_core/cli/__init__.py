"""The command line `bertflow-lab`: one command a file, one sentence an error."""

from bertflow_core.cli.main import main

__all__ = ["main"]
