"""How much memory a value holds: everything that can be reached from it, shared pieces once."""

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import islice
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

MOST_OBJECTS = 2_000_000
"""Objects that are visited of one value; whatever lies beyond them is not counted."""

_LARGE = 4096
"""Bytes from which a piece is remembered by its address, so that two values can share it."""

_LEAVES = (str, bytes, bytearray, int, float, complex, type(None), np.generic)
_OF_THE_PROGRAM = (type, ModuleType, BuiltinFunctionType, CodeType, FrameType, Enum)
_Look = tuple[int, int, Iterable[object]]
"""The address of a value's own memory, its bytes, and what the value refers to."""


@dataclass(frozen=True)
class Holdings:
    """What a value holds.

    Attributes:
        large: Bytes of each large piece by its address: an array's buffer, or a container with the
            texts and numbers in it. Valid as long as the value lives.
        small: Bytes of all other pieces.
    """

    large: dict[int, int]
    small: int

    @property
    def nbytes(self) -> int:
        """Bytes of all pieces."""
        return self.small + sum(self.large.values())


def bytes_together(each: Iterable[Holdings]) -> int:
    """Return the bytes that values hold together; a large piece that they share counts once."""
    shared: dict[int, int] = {}
    small = 0
    for one in each:
        shared |= one.large
        small += one.small
    return small + sum(shared.values())


def holdings(value: object) -> Holdings:
    """Count the memory that is reached from a value, as `sys.getsizeof` and buffers give it.

    Arrays and tensors count by the buffer behind them, so that views of one buffer count once; the
    pages of a mapped file do not count. Classes, modules and code belong to the program.
    """
    large: dict[int, int] = {}
    small = 0
    for address, nbytes in _pieces(value):
        if nbytes < _LARGE:
            small += nbytes
        else:
            large[address] = nbytes
    return Holdings(large, small)


def _pieces(value: object) -> Iterator[tuple[int, int]]:
    """Yield address and bytes of each piece that is reached from a value, each once."""
    seen, waiting = {id(value)}, [value]
    while waiting and len(seen) <= MOST_OBJECTS:
        each = waiting.pop()
        address, nbytes, parts = _look_into(each)
        if address != id(each) and address in seen:
            nbytes = 0  # a buffer that another array or tensor showed
        seen.add(address)
        for part in islice(parts, MOST_OBJECTS + 1 - len(seen)):
            if id(part) in seen or isinstance(part, _OF_THE_PROGRAM):
                continue
            seen.add(id(part))
            if isinstance(part, _LEAVES):
                nbytes += sys.getsizeof(part)
            else:
                waiting.append(part)
        yield address, nbytes


def _look_into(value: object) -> _Look:
    kind: Any = type(value)  # mypy does not take a class for hashable
    return _way_into(kind)(value)


@lru_cache(maxsize=1024)
def _way_into(kind: type) -> Callable[[Any], _Look]:
    """Return what looks into values of a class; torch and pandas are not imported for it."""
    names = ((base.__module__.partition(".")[0], base.__name__) for base in kind.__mro__)
    return next((_WAYS[name] for name in names if name in _WAYS), _object)


def _object(value: object) -> _Look:
    return id(value), sys.getsizeof(value, 0), gc.get_referents(value)


def _mapping(mapping: dict[Any, Any]) -> _Look:
    keys = [*mapping]  # which Python leaves out of the referents where all are text
    return id(mapping), sys.getsizeof(mapping), [*keys, *gc.get_referents(mapping)]


def _function(function: FunctionType) -> _Look:
    kept = [*(function.__closure__ or ()), *(function.__defaults__ or ())]
    return id(function), sys.getsizeof(function), kept  # its module's names are the program's


def _array(array: "np.ndarray[Any, Any]") -> _Look:
    objects = [*array.flat] if array.dtype == object else []
    if array.base is None or type(array.base).__name__ == "PyCapsule":
        return array.__array_interface__["data"][0], array.nbytes, objects
    return id(array), sys.getsizeof(array), [array.base, *objects]  # its base has the buffer


def _tensor(tensor: Any) -> _Look:  # noqa: ANN401 - imported late
    storage = tensor.untyped_storage()
    grad = tensor.grad if tensor.is_leaf else None
    rest = [each for each in (grad, vars(tensor) or None) if each is not None]
    return storage.data_ptr(), storage.nbytes(), rest


def _frame(frame: Any) -> _Look:  # noqa: ANN401 - imported late
    return id(frame), int(np.sum(frame.memory_usage(deep=True))), []


_WAYS: dict[tuple[str, str], Callable[[Any], _Look]] = {
    ("builtins", "dict"): _mapping,
    ("builtins", "function"): _function,
    ("numpy", "ndarray"): _array,
    ("torch", "Tensor"): _tensor,
    **{("pandas", name): _frame for name in ("DataFrame", "Series", "Index")},
}
"""By package and name of a class: what looks into its values and those of its subclasses."""
