"""How functions are compiled here."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from bertflow_core.compiled_code import code_folder

__all__ = ["entry", "kernel"]

Function = TypeVar("Function", bound=Callable[..., Any])

_njit: Any = numba.njit  # its stubs do not know every option
_config: Any = numba.config

# Sums may be taken in another order, as vector instructions do. Infinity and NaN keep their
# meaning: they tell that a fit diverged.
_OPTIONS = {
    "fastmath": {"contract", "nsz", "reassoc"},
    "nogil": True,
    "error_model": "numpy",
}


def kernel(function: Function) -> Function:
    """Return a function that is compiled into the entries that call it."""
    options = _OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    part: Function = _njit(**options)(function)
    return part


def entry(function: Function) -> Function:
    """Return a function that Python calls; compiled at its first call, then kept on disk.

    It runs without Python's lock. Where nothing can be kept, each process compiles it again.
    """
    compiled = _njit(**_OPTIONS)(function)
    folder = code_folder()
    if folder is not None:
        before, _config.CACHE_DIR = _config.CACHE_DIR, str(folder)
        try:
            compiled.enable_caching()
        finally:
            _config.CACHE_DIR = before
    called: Function = compiled
    return called
