"""The jobs of this process, and the values it keeps for its visitors."""

from bertflow_app.work import warmup
from bertflow_app.work.jobs import Registry
from bertflow_app.work.kept import MOST_BYTES, Kept, enlarged
from streamlit import runtime


def new_registry() -> Registry:
    """Return the empty registry with which a server starts."""
    return Registry(
        Kept(most_bytes=enlarged(MOST_BYTES)), is_connected=_is_connected, prepare=warmup.ready
    )


def _is_connected(visitor: str) -> bool:
    return runtime.exists() and runtime.get_instance().is_active_session(visitor)


_REGISTRY = new_registry()


def registry() -> Registry:
    """Return the jobs of this process."""
    return _REGISTRY


def kept() -> Kept:
    """Return the values kept for visitors: results, fits of comparisons, tables."""
    return _REGISTRY.kept
