"""Import what the first computation needs, once the first visitor sees a page.

A job that comes sooner imports it itself, but never at the same time as this thread: two threads
that import transformers at once see it half imported.
"""

import atexit
import gc
import os
import subprocess
import sys
import threading
import time

FIRST_PAINT_SECONDS = 3.0
"""Time a browser gets to draw the first page undisturbed: imports hold the interpreter's lock."""

UNVISITED_SECONDS = 10.0
"""Time after which the imports begin although nobody came."""

_NICENESS = 19
"""How far compiling stands back: what somebody waits for comes first."""

_page_shown, _loaded = threading.Event(), threading.Event()
_loading = threading.Lock()


def note_page() -> None:
    """Note that a page has been made."""
    _page_shown.set()


def start() -> None:
    """Start a thread that waits for the first page."""
    threading.Thread(target=warm_up, name="warm-up", daemon=True).start()


def warm_up() -> None:
    """Wait until a page was shown, then import."""
    _page_shown.wait(UNVISITED_SECONDS)
    time.sleep(FIRST_PAINT_SECONDS)
    ready()


def ready() -> None:
    """Return when everything is imported, by this thread or another."""
    with _loading:
        if not _loaded.is_set():
            _load()
            _loaded.set()


def await_pandas() -> None:
    """Return when pandas is whole: plotly uses it as soon as any thread has begun to import it."""
    import pandas  # noqa: F401


def _load() -> None:
    gc.disable()  # nothing of what is imported becomes garbage, and looking for it takes long
    try:
        await_pandas()
        import torch  # noqa: F401
        from transformers import PreTrainedModel  # noqa: F401 - what every network needs

        import bertflow_core.calibrators.flow
        import bertflow_core.lab.lab  # noqa: F401
    finally:
        gc.freeze()  # Streamlit collects after every run; these modules never become garbage
        gc.enable()
    _compile_ahead()


def _compile_ahead() -> None:
    """Have the flow's code compiled, once on a machine, in a process that stands back."""
    code = f"import os; os.nice({_NICENESS}); " if hasattr(os, "nice") else ""
    code += "from bertflow_core.flows.compiled import load; load()"
    quiet = subprocess.DEVNULL
    command = [sys.executable, "-P", "-c", code]
    process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    atexit.register(process.terminate)
