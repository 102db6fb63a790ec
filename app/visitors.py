"""What visitors own in this process: their jobs and tables, and who of them is here.

None of it lies in Streamlit's caches, which one message of any visitor empties for all.
"""

import asyncio
import logging
import sys
import threading
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from bertflow_app import warmup
from bertflow_app.jobs import Registry
from bertflow_app.kept import Kept
from bertflow_app.presence import Presence
from streamlit import runtime

from bertflow_core.environment import gigabytes

MEMORY_VARIABLE = "BERTFLOW_MEMORY_GB"
DEFAULT_GIGABYTES = 2
SWEEP_SECONDS = 1.0

# Streamlit imports anew whatever file a developer changes; a module without a file stays.
_NAME = "bertflow_app_belongings"
_PROCESS: dict[str, Any] = vars(sys.modules.setdefault(_NAME, ModuleType(_NAME)))
_LOCK: threading.Lock = _PROCESS.setdefault("lock", threading.Lock())


@dataclass(frozen=True)
class Belongings:
    """All that visitors own.

    Attributes:
        kept: Results, tables and fits, under one bound.
        registry: Jobs.
        presence: Who is here.
    """

    kept: Kept
    registry: Registry
    presence: Presence


def belongings() -> Belongings:
    """Return what visitors own, made once in a process.

    Raises:
        InputError: `BERTFLOW_MEMORY_GB` is no number of gigabytes.
    """
    with _LOCK:
        if "belongings" not in _PROCESS:
            kept = Kept(gigabytes(MEMORY_VARIABLE, DEFAULT_GIGABYTES))
            registry = Registry(kept, is_connected=is_connected, prepare=warmup.ready)
            _PROCESS["belongings"] = Belongings(kept, registry, Presence(is_connected))
        found: Belongings = _PROCESS["belongings"]
        return found


def is_connected(visitor: str) -> bool:
    """Tell whether the browser of a visitor holds a connection now."""
    return runtime.exists() and runtime.get_instance().is_active_session(visitor)


async def look_after() -> None:
    """Free, as long as the server runs, what visitors who left hold."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        try:
            free_seats()
        except Exception:  # the next sweep may do better
            logging.getLogger("bertflow_app").exception("what visitors left could not be freed")


def free_seats() -> None:
    """Take visitors who left off their jobs, and drop their session with its files."""
    server = runtime.get_instance()
    for visitor in belongings().presence.gone():
        belongings().registry.forget(visitor)
        server.close_session(visitor)
        server.uploaded_file_mgr.remove_session_files(visitor)  # those that came after its end
