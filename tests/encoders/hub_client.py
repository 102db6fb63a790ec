"""A model resolved in another process, whose hub is the one of the test."""

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from waiting import PATIENCE

__all__ = ["CHUNK", "resolve_apart"]

CHUNK = 1000
"""Bytes after which the client can resume."""

CLIENT = """
import contextlib, io, json, os, sys, time
from huggingface_hub import constants, errors, snapshot_download  # and all that this imports
time.sleep = lambda seconds: None  # the client waits between its attempts
from bertflow_core.cli import main
from bertflow_core.encoders import hub, resolve_model  # the hub for the child, imported once
from bertflow_core.errors import BertFlowError, Cancelled

def answer(name, revision, calls, cli):
    if cli:
        return command("analyse", "words", "--model", name)
    reports = []
    def report(done, total, unit):
        reports.append((done, total, unit))
        if len(reports) == calls:
            raise Cancelled("stopped")
    try:
        model = resolve_model(name, revision=revision, progress=report)
    except BertFlowError as error:
        return {"error": type(error).__name__, "text": str(error)}
    files = sorted(p.name for p in model.path.iterdir())
    found = {"revision": model.revision, "digest": model.digest, "files": files}
    return {**found, "path": str(model.path)}

def command(*args):
    with contextlib.redirect_stderr(io.StringIO()) as stderr:
        try:
            main(args)
        except SystemExit as exit:
            return {"code": exit.code, "text": stderr.getvalue()}

for line in sys.stdin:
    settings, seconds, folder, *question = json.loads(line)
    if child := os.fork():
        os.waitpid(child, 0)
        print(flush=True)  # ends the answer, or stands for one where the child failed
        continue
    os.environ["BERTFLOW_HUB_SECONDS"] = seconds
    os.chdir(folder)
    vars(constants).update(settings)
    print(json.dumps(answer(*question)), end="", flush=True)
    os._exit(0)
"""


def resolve_apart(
    url: str,
    home: Path,
    name: str,
    revision: str | None = None,
    *,
    offline: bool = False,
    patience: int = PATIENCE,
    seconds: float = PATIENCE,
    calls: int | None = None,
    cli: bool = False,
) -> dict[str, Any]:
    """Call `resolve_model` in another process, with the hub at `url` and its cache in `home`.

    Args:
        url: The hub's address.
        home: Folder of the client's cache.
        name: The model.
        revision: Its branch, tag or commit.
        offline: Forbid to ask the hub.
        patience: Seconds of each wait.
        seconds: Seconds of the whole.
        calls: Calls of the progress callback before it stops the work; None never does.
        cli: Run a command with the model in place of the call.
    """
    settings = {  # what the client makes of its environment, for which it would be imported anew
        "ENDPOINT": url,
        "HUGGINGFACE_CO_URL_TEMPLATE": url + "/{repo_id}/resolve/{revision}/{filename}",
        "HF_HUB_CACHE": str(home / "hub"),
        "HF_HUB_OFFLINE": offline,
        "HF_HUB_DISABLE_TELEMETRY": True,
        "HF_HUB_ETAG_TIMEOUT": patience,
        "HF_HUB_DOWNLOAD_TIMEOUT": patience,
        "DOWNLOAD_CHUNK_SIZE": CHUNK,
    }
    client = _client()
    question = [settings, str(seconds), os.getcwd(), name, revision, calls, cli]
    client.stdin.write(json.dumps(question) + "\n")
    client.stdin.flush()
    answer = client.stdout.readline()
    assert answer.strip(), "the client failed: see its standard error"
    return json.loads(answer)


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
