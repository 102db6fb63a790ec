"""Models and data fetched in another process, whose hub is the one of the test."""

import atexit
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from waiting import PATIENCE

__all__ = ["SHORT", "command_apart", "resolve_apart"]

SHORT = 0.3
"""Seconds of each wait where the hub never answers."""

CLIENT = """
import contextlib, io, json, os, resource, sys, time
from huggingface_hub import constants, errors, snapshot_download  # and all that this imports
time.sleep = lambda seconds: None  # the client waits between its attempts
from bertflow_core import context
from bertflow_core.cli import main
from bertflow_core.encoders import resolve_model
import multiprocessing.synchronize, pydantic.main, pyarrow.compute, pyarrow.parquet, tqdm
from bertflow_core import context, downloads, hub  # these for the child, imported once
pydantic.TypeAdapter(str), tqdm.tqdm.get_lock()
from bertflow_core.errors import BertFlowError, Cancelled

def answer(name, revision, calls):
    reports = []
    def report(done, total, unit):
        reports.append((done, total, unit))
        if len(reports) == calls:
            raise Cancelled("stopped")
    try:
        with context.reporting(report):
            model = resolve_model(name, revision=revision)
    except BertFlowError as error:
        return {"error": type(error).__name__, "text": str(error)}
    files = sorted(p.name for p in model.path.iterdir())
    found = {"revision": model.revision, "digest": model.digest, "files": files}
    return {**found, "path": str(model.path)}

def command(args, environ, most_bytes):
    os.environ.update(environ)
    if most_bytes:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    stderr, stdout = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(stderr), contextlib.redirect_stdout(stdout):
        try:
            main(args)
        except SystemExit as exit:
            return {"code": exit.code, "text": stderr.getvalue()}

for line in sys.stdin:
    settings, folder, what, *question = json.loads(line)
    if child := os.fork():
        os.waitpid(child, 0)
        print(flush=True)  # ends the answer, or stands for one where the child failed
        continue
    os.chdir(folder)
    vars(constants).update(settings)
    ask = {"model": answer, "command": command}[what]
    print(json.dumps(ask(*question)), end="", flush=True)
    os._exit(0)
"""


def resolve_apart(
    url: str,
    home: Path,
    name: str,
    revision: str | None = None,
    *,
    offline: bool = False,
    patience: float = PATIENCE,
    calls: int | None = None,
) -> dict[str, Any]:
    """Call `resolve_model` in another process, with the hub at `url` and its cache in `home`.

    Args:
        url: The hub's address.
        home: Folder of the client's cache.
        name: The model.
        revision: Its branch, tag or commit.
        offline: Forbid to ask the hub.
        patience: Seconds of each wait.
        calls: Calls of the progress callback before it stops the work; None never does.
    """
    settings = _settings(url, home, offline=offline, patience=patience)
    return _ask(settings, "model", name, revision, calls)


def command_apart(
    url: str,
    home: Path,
    *args: object,
    offline: bool = False,
    patience: float = PATIENCE,
    environ: Mapping[str, str] | None = None,
    most_bytes: int = 0,
) -> dict[str, Any]:
    """Run a command of bertflow-lab in another process; return exit code and standard error.

    Args:
        url: See `resolve_apart`.
        home: See `resolve_apart`.
        args: The words of the command.
        offline: See `resolve_apart`.
        patience: See `resolve_apart`.
        environ: Variables of its environment.
        most_bytes: Of a file that it may write, as on a disk that is full; 0 for no bound.
    """
    settings = _settings(url, home, offline=offline, patience=patience)
    return _ask(settings, "command", [*map(str, args)], dict(environ or {}), most_bytes)


def _settings(url: str, home: Path, *, offline: bool, patience: float) -> dict[str, Any]:
    return {  # what the client makes of its environment, for which it would be imported anew
        "ENDPOINT": url,
        "HUGGINGFACE_CO_URL_TEMPLATE": url + "/{repo_id}/resolve/{revision}/{filename}",
        "HF_HUB_CACHE": str(home / "hub"),
        "HF_HUB_OFFLINE": offline,
        "HF_HUB_DISABLE_TELEMETRY": True,
        "HF_HUB_ETAG_TIMEOUT": patience,
        "HF_HUB_DOWNLOAD_TIMEOUT": patience,
        "DOWNLOAD_CHUNK_SIZE": 1000,
    }


def _ask(settings: dict[str, Any], *question: object) -> dict[str, Any]:
    client = _client()
    question = (settings, os.getcwd(), *question)
    client.stdin.write(json.dumps(question) + "\n")
    client.stdin.flush()
    answer = client.stdout.readline()
    assert answer.strip(), "the client failed: see its standard error"
    result: dict[str, Any] = json.loads(answer)
    return result


@cache
def _client() -> subprocess.Popen[str]:
    """Start a process that answers each question in a copy of itself."""
    settings = ("HF_", "HUGGING")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(settings)}
    environment["NO_PROXY"] = "127.0.0.1"
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(client.kill)
    return client
