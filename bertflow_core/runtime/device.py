"""Where the arithmetic runs: on which device, in which precision, on how many threads.

`torch.set_num_threads` is not for a single thread: every thread that begins later takes its number
too, and one that began while another had set 1 would keep 1, and leave it to all that follow.
OpenMP and MKL, which share torch's work out, each have a number for every thread.
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
"""The precision that a device is made for, in place of a named one."""

_CPU_INFO, _CONTAINER_MEMORY = Path("/proc/cpuinfo"), Path("/sys/fs/cgroup/memory.max")
_BFLOAT16_FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16"})  # the last one is ARM's
_DEVICE = re.compile(r"cpu|mps|cuda(:(0|[1-9][0-9]{0,2}))?")


def resolve_device(name: str | None = None) -> "torch.device":
    """Return the device called `name`, or this machine's best: CUDA, then MPS, then the CPU."""
    import torch

    available = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name is None:
        name = next((kind for kind, is_there in available.items() if is_there), "cpu")
    if not _DEVICE.fullmatch(name):
        raise InputError(f"unknown device {quoted(name)}: expected cpu, cuda, cuda:N or mps")
    kind, _, index = name.partition(":")
    if not available.get(kind, True):
        raise InputError(f"device {quoted(name)} is not on this machine: use --device cpu")
    if kind == "cuda" and index and int(index) >= torch.cuda.device_count():
        here = counted(torch.cuda.device_count(), "CUDA device")
        raise InputError(f"device {quoted(name)} is not here: {here}")
    return torch.device(name)


def settle_precision(name: str, device: str | None = None) -> str:
    """Return a precision by its own name: for `auto` the one that a device is made for.

    That is bfloat16 on a GPU and on a CPU with instructions for it, float16 on another GPU, and
    float32 on another CPU, which would be slower in anything else.
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
    """Return the bytes of this machine's memory, or its container's; None where nobody says so."""
    if not hasattr(os, "sysconf"):  # Windows
        return None
    found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):  # no container, or one without a bound
        found = min(found, int(_CONTAINER_MEMORY.read_text()))
    return found


@cache
def _cpu_has_bfloat16() -> bool:
    """Tell whether Linux lists such instructions; elsewhere nobody says so."""
    try:
        return not _BFLOAT16_FLAGS.isdisjoint(_CPU_INFO.read_text(errors="replace").split())
    except OSError:
        return False


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep torch's CPU work on the calling thread.

    Operations on few rows are too small to share: a second thread gains nothing on an idle machine,
    and waiting for it takes many times as long as the work on a busy one. It also makes a result
    independent of the number of cores.
    """
    with _openmp().limit(limits=1):
        before = _mkl()(1)
        try:
            yield
        finally:
            _mkl()(before)


def stay_on_one_thread() -> None:
    """Keep torch's CPU work on the calling thread until that ends."""
    _openmp().limit(limits=1)
    _mkl()(1)


def _openmp() -> "ThreadpoolController":
    import torch

    torch.get_num_threads()  # torch settles a thread's number once, and would do so after us
    return _libraries()


@cache
def _libraries() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="openmp")


@cache
def _mkl() -> Callable[[int], int]:
    """Return what sets MKL's number for the calling thread, 0 for the process's, and tells it."""
    import torch

    try:
        library = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"))
        set_here: Callable[[int], int] = library.MKL_Set_Num_Threads_Local
    except (OSError, AttributeError):  # built without MKL, or not on Linux
        return lambda n_threads: 0
    return set_here
