"""`bertflow-lab app`: the dashboard in a browser."""

import ipaddress
import os
import re
import secrets
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import say
from bertflow_core.errors import InputError
from bertflow_core.runtime import server
from bertflow_core.runtime.lazy import how_to_install
from bertflow_core.wording import quoted

ADMINISTRATOR_NAMES = "STREAMLIT_SERVER_ALLOWED_HOSTS"
LOCAL_NAMES = ("localhost", "127.0.0.1")
SHORTEST_TOKEN = 16
OWN_UPLOAD_MB = "200"
"""Largest upload on a private server; config.toml has the limit of shared servers."""


def app(
    table: Annotated[
        Path | None, typer.Argument(help="Table of pairs or sentences to open.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Model to open: a name, a hub id or a folder.")
    ] = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            help="Further models that visitors may choose, repeatable: a hub id, a pattern such as "
            "sentence-transformers/*, or a folder of model folders."
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8501,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            help="Host name that browsers may use, repeatable; required if other machines can "
            "reach --host."
        ),
    ] = None,
    allow_frame: Annotated[
        list[str] | None,
        typer.Option(help="Origin of a site that may embed the pages in a frame, repeatable."),
    ] = None,
    token: Annotated[
        bool | None,
        typer.Option(
            help="Require the token in the printed address; the default if other machines can "
            f"reach --host. {server.TOKEN} sets the token.",
        ),
    ] = None,
    data_dir: options.DataDir = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open a browser.")] = False,
) -> None:
    """Serve the dashboard; stop it with Ctrl-C."""
    if find_spec("streamlit") is None:
        raise InputError(f"the dashboard needs Streamlit: {how_to_install('app')}")
    if not 0 < port < 65_536:
        raise InputError(f"port must be from 1 to 65535, got {port}")
    names = _names(host, allow_host or [])
    os.environ[server.FRAMES] = frames = " ".join(allow_frame or [])
    if not re.fullmatch(r"(https?://[\w.-]+(:\d+)? ?)*", frames, re.ASCII):
        expected = "expected an origin such as https://huggingface.co, without a path"
        raise InputError(f"--allow-frame: {expected}, got {quoted(frames)}")
    if data_dir is not None:
        from bertflow_core.datasets.locations import DATA_VARIABLE, data_root

        os.environ[DATA_VARIABLE] = str(data_root(data_dir))
    is_own = _is_loopback(host) and not (allow_host or os.environ.get(ADMINISTRATOR_NAMES))
    _set_start(table, model, models or [], is_own=is_own)
    is_asked = token if token is not None else not _is_loopback(host)
    os.environ[server.TOKEN] = secret = _token() if is_asked else ""
    _announce(host, port, names, secret)
    entry = files("bertflow_app") / "server" / "entry.py"
    settings = {
        "server.address": host,
        "server.port": str(port),
        "server.headless": str(not open_browser).lower(),
        **({"server.maxUploadSize": OWN_UPLOAD_MB} if is_own else {}),
    }
    flags = [f"--{name}={value}" for name, value in settings.items()]
    flags += [f"--server.allowedHosts={name}" for name in names]
    # The process becomes the server, so that signals and exit codes are its own; -P keeps Python
    # from importing modules in the current folder.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "streamlit", "run", str(entry), *flags])


def _set_start(table: Path | None, model: str | None, allowed: list[str], *, is_own: bool) -> None:
    """Check the table and models to open, and pass them to the pages as environment variables."""
    from bertflow_core.datasets.tables import open_table
    from bertflow_core.encoders.catalog import ANY_MODEL, CATALOG, MODELS_VARIABLE, look_at

    if table is not None:
        open_table(table)
    if model is not None:
        look_at(model)
        if not is_own and model not in CATALOG:  # visitors see the name of a folder, not its path
            allowed = [*allowed, model]
            model = os.path.basename(os.path.abspath(model)) if os.path.isdir(model) else model
    places = [os.path.abspath(name) if os.path.isdir(name) else name for name in allowed]
    for place in places:
        is_known = os.path.isdir(place) and os.path.basename(place) not in CATALOG
        if not (is_known or re.fullmatch(r"[\w.*?-]+/[\w.*?-]+", place)):
            expected = "expected a named folder, or a hub id or pattern such as org/*"
            raise InputError(f"--models: {expected}, got {quoted(place)}")
    os.environ[MODELS_VARIABLE] = os.pathsep.join([*places, *([ANY_MODEL] if is_own else [])])
    os.environ[server.START_MODEL] = model or ""
    os.environ[server.START_TABLE] = os.path.abspath(table) if table else ""


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _names(host: str, named: list[str]) -> tuple[str, ...]:
    """Return the host names that browsers may use; none if Streamlit's own list suffices."""
    set_names = os.environ.get(ADMINISTRATOR_NAMES, "").split()
    for name in (*named, *set_names):
        if "/" in name or "*" in name or name.count(":") == 1:  # IPv6 addresses have more
            raise InputError(
                f"cannot answer under {quoted(name)}: expected a host name alone, such as "
                "lab.example.org; * would turn off the protection against DNS rebinding"
            )
    if set_names and named:
        raise InputError(f"{ADMINISTRATOR_NAMES} is set: add the name there, or drop --allow-host")
    if set_names or (host in LOCAL_NAMES and not named):
        return ()
    if not named and not _is_loopback(host):
        raise InputError(
            f"--host {host} can be reached from other machines: give the name that browsers there "
            "type, such as --allow-host lab.example.org"
        )
    return tuple(dict.fromkeys((*LOCAL_NAMES, *([host] if _is_loopback(host) else []), *named)))


def _token() -> str:
    """Return the token that is set, or a new one."""
    secret = os.environ.get(server.TOKEN) or secrets.token_urlsafe(24)
    is_plain = secret.isascii() and secret.replace("-", "").replace("_", "").isalnum()
    if len(secret) < SHORTEST_TOKEN or not is_plain:
        raise InputError(
            f"{server.TOKEN} must have {SHORTEST_TOKEN} or more letters, digits, - or _"
        )
    return secret


def _announce(host: str, port: int, names: tuple[str, ...], secret: str) -> None:
    """Print the server's address, under a host name it answers to, and who can reach it."""
    known = names or tuple(os.environ.get(ADMINISTRATOR_NAMES, "").split()) or LOCAL_NAMES
    others = [name for name in known if name not in LOCAL_NAMES]
    shown = host if host in known else [*others, *known][0]
    end = f"/?token={secret}" if secret else ""
    say(f"BERT-flow Lab on http://{f'[{shown}]' if ':' in shown else shown}:{port}{end}")
    if not _is_loopback(host):
        who = "who has this token" if secret else "(no token is required)"
        say(
            f"Reachable from other machines as {', '.join(known)}: everybody {who} can upload, "
            "compute and clear the cache. It speaks HTTP: put a proxy with TLS in front of it "
            "(docs/deploy.md)."
        )
