"""`bertflow-lab app`: the dashboard in a browser."""

import os
import sys
from importlib.resources import files
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import say
from bertflow_core.errors import InputError

__all__ = ["app"]


def app(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8501,
    data_dir: options.DataDir = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
) -> None:
    """Serve the dashboard; stop it with Ctrl-C."""
    if not 0 < port < 65_536:
        raise InputError(f"port must be from 1 to 65535, got {port}")
    if data_dir is not None:
        from bertflow_core.datasets.folders import DATA_VARIABLE, data_root

        os.environ[DATA_VARIABLE] = str(data_root(data_dir))
    entry = files("bertflow_app") / "lab.py"
    say(f"BERT-flow Lab on http://{host}:{port}")
    settings = {
        "server.address": host,
        "server.port": str(port),
        "server.headless": str(not open_browser).lower(),
    }
    flags = [f"--{name}={value}" for name, value in settings.items()]
    # The process becomes the server, so that signals and exit codes are its own.
    os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", str(entry), *flags])
