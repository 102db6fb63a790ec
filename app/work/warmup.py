"""Import what the first computation needs, once a visitor has seen a page.

A job that starts earlier imports these modules itself, but never while this thread does: two
threads that import transformers at once see it half imported.
"""

import atexit
import gc
import os
import subprocess
import sys
import threading
import time

FIRST_PAINT_SECONDS = 3.0
"""Time for a browser to draw the first page: imports would block the interpreter meanwhile."""

UNVISITED_SECONDS = 10.0
"""Time after which the imports start even if nobody has come."""

_NICENESS = 19
"""Niceness of compiling, so that work that somebody waits for comes first."""

_page_shown, _loaded = threading.Event(), threading.Event()
_loading = threading.Lock()


def note_page() -> None:
    """Note that a page has been drawn."""
    _page_shown.set()


def start() -> None:
    """Start a thread that waits for the first page."""
    threading.Thread(target=warm_up, name="warm-up", daemon=True).start()


def warm_up() -> None:
    """Wait until a page has been drawn, then import."""
    _page_shown.wait(UNVISITED_SECONDS)
    time.sleep(FIRST_PAINT_SECONDS)
    ready()


def ready() -> None:
    """Return when this thread or another has imported everything."""
    with _loading:
        if not _loaded.is_set():
            _load()
            _loaded.set()


def await_pandas() -> None:
    """Wait until pandas is imported: plotly would use it while another thread still imports it."""
    import pandas  # noqa: F401


def _load() -> None:
    gc.disable()  # imports leave no garbage, and collecting takes long
    try:
        await_pandas()
        import torch  # noqa: F401
        from transformers import PreTrainedModel  # noqa: F401 - every network needs it

        import bertflow_core.calibrators.flow
        import bertflow_core.lab.lab  # noqa: F401
    finally:
        gc.freeze()  # Streamlit collects after every run; these modules never become garbage
        gc.enable()
    _compile_ahead()


def _compile_ahead() -> None:
    """Compile the flow's code, once per machine, in a process of low priority."""
    code = f"import os; os.nice({_NICENESS}); " if hasattr(os, "nice") else ""
    code += "from bertflow_core.flows.compiled import load; load()"
    quiet = subprocess.DEVNULL
    command = [sys.executable, "-P", "-c", code]
    process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    atexit.register(process.terminate)
