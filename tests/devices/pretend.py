"""A torch device named `pretend`, for tests: it computes on the CPU and refuses to mix devices.

Each of its tensors holds a CPU tensor, on which operations run. As on a GPU, an operation refuses a
CPU tensor with dimensions beside one of this device. A copy to pinned memory that does not wait
arrives when its stream is synchronised; until then the memory holds NaN.

Torch registers such a device for the rest of the process, so its tests run in their own process.
"""

import threading
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as pytree
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "pretend"
_COPIES = ("aten::_to_copy", "aten::copy_")
"""Operations that may mix devices."""

_own = threading.local()


class Stream:
    """Copies that have not arrived; each thread may have its own stream."""

    def __init__(self, device: torch.device) -> None:
        self.thread = threading.get_ident()
        self._waiting: list[Callable[[], object]] = []

    def add(self, copy: Callable[[], object]) -> None:
        self._waiting.append(copy)

    def synchronize(self) -> None:
        while self._waiting:
            self._waiting.pop(0)()


def set_stream(stream: Stream) -> None:
    _own.stream = stream


def current_stream(device: torch.device) -> Stream:
    return _own.stream


class Pretend(Tensor):
    """A tensor of the device; `held` is its CPU tensor."""

    held: Tensor

    @staticmethod
    def __new__(cls, held: Tensor) -> "Pretend":
        layout = {"strides": held.stride(), "storage_offset": held.storage_offset()}
        made: Pretend = Tensor._make_wrapper_subclass(
            cls, held.shape, dtype=held.dtype, device=torch.device(NAME, 0), **layout
        )
        made.held = held
        return made

    def __repr__(self) -> str:  # type: ignore[override]
        return f"Pretend({self.held})"

    @classmethod
    def __torch_dispatch__(
        cls, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return _computed(function, args, kwargs or {})


def _computed(function: Any, args: Any, options: dict[str, Any]) -> Any:
    """Return the result of a function, computed on the CPU."""
    tensors = [each for each in pytree.tree_leaves((args, options)) if isinstance(each, Tensor)]
    name = function.name()
    if name not in _COPIES:
        _refuse_a_mix(name, tensors)
    if name == "aten::copy_" and not isinstance(args[0], Pretend):
        return _copied_to_host(*args)
    is_pinned = options.pop("pin_memory", False)
    stays = torch.device(options.get("device") or NAME).type == NAME
    if "device" in options:
        options["device"] = "cpu"
    given = {id(each.held): each for each in tensors if isinstance(each, Pretend)}
    args, options = pytree.tree_map_only(Pretend, lambda each: each.held, (args, options))
    found = function(*args, **options)
    if is_pinned:
        found.fill_(torch.nan).is_pinned_memory = True

    def outside(each: Tensor) -> Tensor:
        """Return the argument if it was changed in place, else a new tensor."""
        if id(each) in given:
            return given[id(each)]
        return Pretend(each) if stays else each

    return pytree.tree_map_only(Tensor, outside, found)


def _refuse_a_mix(name: str, tensors: list[Tensor]) -> None:
    for each in tensors:
        if each.ndim and not isinstance(each, Pretend):
            raise RuntimeError(f"{name}: expected tensors on {NAME} only, got one on {each.device}")


def _copied_to_host(host: Tensor, there: Pretend, non_blocking: bool = False) -> Tensor:
    held = there.held.clone()
    if non_blocking and hasattr(host, "is_pinned_memory"):
        current_stream(there.device).add(lambda: host.copy_(held))
        return host
    return host.copy_(held)


def _empty(size: list[int], *, dtype: Any = None, **_: Any) -> Pretend:
    return Pretend(torch.empty(size, dtype=dtype))


def _empty_strided(size: list[int], stride: list[int], *, dtype: Any = None, **_: Any) -> Pretend:
    return Pretend(torch.empty_strided(size, stride, dtype=dtype))


def _copy_from(source: Tensor, to: Tensor, non_blocking: bool = False) -> Tensor:
    """Copy between the CPU and the device, or within either."""
    inner, outer = (each.held if isinstance(each, Pretend) else each for each in (source, to))
    outer.copy_(inner)
    return to


def _to_copy(tensor: Tensor, *, dtype: Any = None, non_blocking: bool = False, **_: Any) -> Pretend:
    """Copy a tensor of the CPU to the device."""
    if non_blocking:
        assert hasattr(tensor, "is_pinned_memory"), "a copy of memory that is not pinned waits"
    return Pretend(torch.ops.aten._to_copy(tensor, dtype=dtype))


_setup_privateuseone_for_python_backend(NAME)
_kernels = torch.library.Library("aten", "IMPL")  # in force while this object exists
for _name, _kernel in {
    "empty.memory_format": _empty,
    "empty_strided": _empty_strided,
    "_copy_from": _copy_from,
    "_to_copy": _to_copy,
}.items():
    _kernels.impl(_name, _kernel, "PrivateUse1")
