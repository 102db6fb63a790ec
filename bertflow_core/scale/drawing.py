"""A sample that one process of a machine draws for all that fit together on it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bertflow_core.files import map_npy, write_npy
from bertflow_core.processes import current_processes
from bertflow_core.scale.sampling import Drawn

__all__ = ["drawn_once"]


@contextmanager
def drawn_once(draw: Callable[[], Drawn]) -> Iterator[Drawn]:
    """Draw a sample; of several processes on a machine the first draws it, and all map its file.

    The file lies in the folder for temporary files (TMPDIR) and loses its name once all have mapped
    it, so that a process that is killed leaves none. What was refused, the process that drew knows
    alone.

    Raises:
        InputError: As `draw`.
        ResourceError: The disk refused, or another process has ended.
    """
    processes = current_processes()
    if not processes.can_tell:
        yield draw()
        return
    name = f"sample {processes.turn()} of {processes.rank - processes.local_rank}"
    if processes.local_rank:
        x = map_npy(Path(processes.hear(name)))
        processes.meet()
        yield Drawn(np.empty(0, np.uint64), x, len(x), 0, "")
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sample.npy"
        drawn = draw()
        write_npy(path, drawn.x)
        drawn = replace(drawn, x=map_npy(path))
        processes.tell(name, str(path))
        processes.meet()
    yield drawn
