"""Files of our own: atomic writes, saved folders, bounded caches, vectors and tracked data."""

from bertflow_core.files.atomic import atomic_write, cannot_write, make_folder
from bertflow_core.files.bounded_folder import BoundedFolder, delete, evict, mark_used
from bertflow_core.files.packaged import resource
from bertflow_core.files.saved import check_folder, read_folder, write_folder
from bertflow_core.files.scratch import SCRATCH, sweep_scratch
from bertflow_core.files.vectors import check_target, read_npy, write_npy

__all__ = [
    "SCRATCH",
    "BoundedFolder",
    "atomic_write",
    "cannot_write",
    "check_folder",
    "check_target",
    "delete",
    "evict",
    "make_folder",
    "mark_used",
    "read_folder",
    "read_npy",
    "resource",
    "sweep_scratch",
    "write_folder",
    "write_npy",
]
