"""Files: what users name, and our own, written atomically; saved things, caches, vectors, data."""

from bertflow_core.files.atomic import (
    SCRATCH,
    atomic_write,
    make_folder,
    sweep_scratch,
    write_errors,
)
from bertflow_core.files.bounded_folder import BoundedFolder, delete, evict, mark_used
from bertflow_core.files.cache_folder import cache_folder
from bertflow_core.files.own_file import check_own_file, write_own_file
from bertflow_core.files.packaged import bundle, resource, resource_names
from bertflow_core.files.reading import (
    MAX_SENTENCE,
    PATHS,
    begins_with_mark,
    check_file,
    disk_errors,
    is_special,
    read_file,
    too_large,
)
from bertflow_core.files.saved import check_saved, read_saved, saved_path, write_saved
from bertflow_core.files.vectors import (
    MAX_VECTOR_BYTES,
    check_target,
    map_npy,
    npy_matrix,
    read_npy,
    write_npy,
    write_npy_blocks,
)

__all__ = [
    "MAX_SENTENCE",
    "MAX_VECTOR_BYTES",
    "PATHS",
    "SCRATCH",
    "BoundedFolder",
    "atomic_write",
    "begins_with_mark",
    "bundle",
    "cache_folder",
    "check_file",
    "check_own_file",
    "check_saved",
    "check_target",
    "delete",
    "disk_errors",
    "evict",
    "is_special",
    "make_folder",
    "map_npy",
    "mark_used",
    "npy_matrix",
    "read_file",
    "read_npy",
    "read_saved",
    "resource",
    "resource_names",
    "saved_path",
    "sweep_scratch",
    "too_large",
    "write_errors",
    "write_npy",
    "write_npy_blocks",
    "write_own_file",
    "write_saved",
]
