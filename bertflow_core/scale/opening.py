"""An engine by its name: this process, or the workers of a Ray cluster."""

from collections.abc import Iterator
from contextlib import contextmanager

from bertflow_core.errors import InputError, choose
from bertflow_core.scale.engines import Engine, EngineName, OneProcess
from bertflow_core.wording import quoted

__all__ = ["open_engine"]


@contextmanager
def open_engine(name: str = EngineName.PROCESS, *, address: str | None = None) -> Iterator[Engine]:
    """Yield an engine; a cluster that is started here ends with the block.

    Args:
        name: `process`, or `ray`, which needs the extra `scale`.
        address: Of a running Ray cluster, `auto` or HOST:PORT; None starts one on this machine.

    Example:
        >>> from bertflow_core.scale import open_engine
        >>> with open_engine("process") as engine:
        ...     type(engine).__name__
        'OneProcess'

    Raises:
        InputError: An unknown name, an address without `ray`, or Ray is not installed.
        ResourceError: There is no cluster at the address.
    """
    if choose(EngineName, name, "engine") == EngineName.RAY:
        from bertflow_core.scale.on_ray import OnRay, cluster

        with cluster(address) as ray:
            yield OnRay(ray)
    elif address is not None:
        raise InputError(f"an address belongs to the engine ray, got {quoted(address)}: name both")
    else:
        yield OneProcess()
