"""What visitors own in this process: their jobs, results and tables.

None of it lies in Streamlit's caches, which one message of any visitor empties for all.
"""

import sys
import threading
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from bertflow_app import warmup
from bertflow_app.jobs import Registry
from bertflow_app.kept import Kept
from streamlit import runtime

# Streamlit imports anew whatever file a developer changes; a module without a file stays.
_NAME = "bertflow_app_belongings"
_PROCESS: dict[str, Any] = vars(sys.modules.setdefault(_NAME, ModuleType(_NAME)))
_LOCK: threading.Lock = _PROCESS.setdefault("lock", threading.Lock())


@dataclass(frozen=True)
class Belongings:
    """All that visitors own.

    Attributes:
        kept: Results, tables and fits.
        registry: Jobs.
    """

    kept: Kept
    registry: Registry


def belongings() -> Belongings:
    """Return what visitors own, made once in a process."""
    with _LOCK:
        if "belongings" not in _PROCESS:
            kept = Kept()
            registry = Registry(kept, is_connected=is_connected, prepare=warmup.ready)
            _PROCESS["belongings"] = Belongings(kept, registry)
        found: Belongings = _PROCESS["belongings"]
        return found


def is_connected(visitor: str) -> bool:
    """Tell whether the browser of a visitor holds a connection now."""
    return runtime.exists() and runtime.get_instance().is_active_session(visitor)
