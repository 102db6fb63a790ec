"""Compiled code made ready, from disk or by the compiler; who waits for it may leave."""

import shutil
import threading
from collections.abc import Callable
from concurrent.futures import Future

import torch

from bertflow_core.compiled_code import code_folder, wait_for_compiler

__all__ = ["load"]

_POLL_SECONDS = 0.2
_POLLS_OF_LOADING = 10
"""Loading from disk takes about a second; what takes longer is compiled."""

_lock = threading.Lock()
_loads: dict[torch.dtype, "Future[None]"] = {}


def load(dtype: torch.dtype, beat: Callable[[], None], announce: Callable[[], None]) -> None:
    """Wait until all code for `dtype` is compiled or loaded.

    Another thread does it, so that `beat` and `announce` may raise to stop the waiting; the
    code is then ready for the next one.

    Args:
        dtype: float32 or float64.
        beat: Called while the code may be on its way from disk.
        announce: Called every 0.2 s while it is being compiled.
    """
    ready = _start(dtype)
    n_polls = 0
    while True:
        try:
            return ready.result(_POLL_SECONDS)
        except TimeoutError:
            n_polls += 1
        (beat if n_polls <= _POLLS_OF_LOADING else announce)()


def _start(dtype: torch.dtype) -> "Future[None]":
    with _lock:
        if dtype not in _loads:
            _loads[dtype] = Future()
            threading.Thread(target=_load, args=(dtype, _loads[dtype]), daemon=True).start()
        return _loads[dtype]


def _load(dtype: torch.dtype, ready: "Future[None]") -> None:
    try:
        from bertflow_core.flows.compiled.fitting import use_all

        wait_for_compiler()
        try:
            use_all(dtype)
        except Exception:  # a damaged file, or a disk that is full: whatever numba makes of it
            if (folder := code_folder()) is not None:
                shutil.rmtree(folder, ignore_errors=True)
            use_all(dtype)
    except BaseException as error:
        with _lock:
            del _loads[dtype]
        ready.set_exception(error)
    else:
        ready.set_result(None)
