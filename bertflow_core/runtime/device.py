"""Where arithmetic runs: the device, the precision and the number of threads.

`torch.set_num_threads` affects more than the calling thread: later threads inherit its number, even
a limit of 1 that was meant for one thread only. Limits are therefore set in OpenMP and MKL, which
distribute torch's work and keep a number for each thread.
"""

import ctypes
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bertflow_core.errors import InputError
from bertflow_core.wording import counted, quoted

if TYPE_CHECKING:
    import torch
    from threadpoolctl import ThreadpoolController

DTYPES = ("float32", "bfloat16", "float16")
AUTO = "auto"
"""The name that `settle_precision` replaces by the precision that suits the device."""

_CPU_INFO, _CONTAINER_MEMORY = Path("/proc/cpuinfo"), Path("/sys/fs/cgroup/memory.max")
_BFLOAT16_FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16"})  # the last one is ARM's
_DEVICE = re.compile(r"cpu|mps|cuda(:(0|[1-9][0-9]{0,2}))?")


def resolve_device(name: str | None = None) -> "torch.device":
    """Return the device `name`; by default the first available one of CUDA, MPS and CPU."""
    import torch

    available = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name is None:
        name = next((kind for kind, is_there in available.items() if is_there), "cpu")
    if not _DEVICE.fullmatch(name):
        raise InputError(f"unknown device {quoted(name)}: expected cpu, cuda, cuda:N or mps")
    kind, _, index = name.partition(":")
    if not available.get(kind, True):
        raise InputError(f"device {quoted(name)} is not available here: use --device cpu")
    if kind == "cuda" and index and int(index) >= torch.cuda.device_count():
        here = counted(torch.cuda.device_count(), "CUDA device")
        raise InputError(f"device {quoted(name)} does not exist: this machine has {here}")
    return torch.device(name)


def settle_precision(name: str, device: str | None = None) -> str:
    """Return the precision `name`; for `auto`, the one that suits the device.

    On a GPU or CPU with bfloat16 instructions, `auto` is bfloat16. Otherwise it is float16 on a
    GPU, and float32 on a CPU, where half precision would be slower.
    """
    if name in DTYPES:
        return name
    if name != AUTO:
        raise InputError(
            f"unknown precision {quoted(name)}: expected one of {', '.join((AUTO, *DTYPES))}"
        )
    kind = resolve_device(device).type
    if kind == "cpu":
        return "bfloat16" if _cpu_has_bfloat16() else "float32"
    import torch

    is_new = kind == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    return "bfloat16" if is_new else "float16"


def machine_memory() -> int | None:
    """Return the memory of this machine or its container in bytes; None if unknown."""
    if not hasattr(os, "sysconf"):  # Windows
        return None
    found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # no container, or one without a limit
        found = min(found, int(_CONTAINER_MEMORY.read_text()))
    return found


@cache
def _cpu_has_bfloat16() -> bool:
    """Tell whether Linux lists bfloat16 instructions of the CPU; other systems list none."""
    try:
        return not _BFLOAT16_FLAGS.isdisjoint(_CPU_INFO.read_text(errors="replace").split())
    except OSError:
        return False


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch's CPU work on the calling thread.

    Operations on few rows are too small to split among threads. On an idle machine a second thread
    gains nothing; on a busy machine, waiting for it takes many times as long as the work. With one
    thread, results also do not depend on the number of cores.
    """
    with _openmp().limit(limits=1):
        before = _mkl()(1)
        try:
            yield
        finally:
            _mkl()(before)


def stay_on_one_thread() -> None:
    """Keep torch's CPU work on the calling thread for as long as the thread lives."""
    _openmp().limit(limits=1)
    _mkl()(1)


def _openmp() -> "ThreadpoolController":
    import torch

    torch.get_num_threads()  # torch sets a thread's number once, at its first call
    return _libraries()


@cache
def _libraries() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="openmp")


@cache
def _mkl() -> Callable[[int], int]:
    """Return MKL's function that sets the calling thread's number of threads.

    It returns the previous number. 0 stands for the number of the whole process.
    """
    import torch

    try:
        library = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"))
        set_here: Callable[[int], int] = library.MKL_Set_Num_Threads_Local
    except (OSError, AttributeError):  # built without MKL, or not on Linux
        return lambda n_threads: 0
    return set_here
