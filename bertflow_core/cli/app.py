"""`bertflow-lab app`: the dashboard in a browser."""

import os
import sys
from importlib.resources import files
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import say
from bertflow_core.errors import InputError

LOCAL_NAMES = ("localhost", "127.0.0.1")
EVERY_ADDRESS = ("0.0.0.0", "::")


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
    say(f"BERT-flow Lab on http://{f'[{host}]' if ':' in host else host}:{port}")
    settings = {
        "server.address": host,
        "server.port": str(port),
        "server.headless": str(not open_browser).lower(),
    }
    flags = [f"--{name}={value}" for name, value in settings.items()]
    flags += [f"--server.allowedHosts={name}" for name in _names(host)]
    # The process becomes the server, so that signals and exit codes are its own; -P keeps it from
    # importing what lies in the folder where it is started.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "streamlit", "run", str(entry), *flags])


def _names(host: str) -> tuple[str, ...]:
    """Return the names by which browsers may call the server where its own list will not do."""
    if host in LOCAL_NAMES:
        return ()
    return ("*",) if host in EVERY_ADDRESS else (*LOCAL_NAMES, host)
