"""What runs an encoder's network: torch, or a graph of it that OpenVINO compiles for the CPU."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from threading import local
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.encoders.loading import loading
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.workers import n_workers
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:
    import torch

__all__ = [
    "BACKENDS",
    "EXAMPLES",
    "OPENVINO",
    "TORCH",
    "Graph",
    "backend_versions",
    "check_backend",
    "installed_backends",
]

TORCH, OPENVINO = BACKENDS = ("torch", "openvino")

EXAMPLES = (
    "A dog runs.",
    "Two children play football in the park while their parents watch them from a bench.",
    "Rain falls on the town.",
)
"""Sentences of different lengths, on which a backend is compared with torch."""

_PRECISIONS = {"float32": "f32", "bfloat16": "bf16", "float16": "f16"}
_LEAST_COSINES = {"float32": 0.99999, "bfloat16": 0.999, "float16": 0.999}


def check_backend(name: str, device: str | None = None) -> None:
    """Refuse a backend that there is not, that is not installed, or that a device cannot run.

    Raises:
        InputError: It is one of these.
    """
    if name not in BACKENDS:
        raise InputError(f"unknown backend {quoted(name)}: expected one of {', '.join(BACKENDS)}")
    if name == TORCH:
        return
    if device not in (None, "cpu"):
        raise InputError(
            f"backend {OPENVINO} runs on the CPU: leave --device {device} out, or take {TORCH}"
        )
    if name not in installed_backends():
        raise InputError(
            f'backend {OPENVINO} is not installed: pip install "bertflow-lab[openvino]", or take '
            f"{TORCH}"
        )


def installed_backends() -> tuple[str, ...]:
    """Return the backends that are here."""
    try:
        version(OPENVINO)
    except PackageNotFoundError:
        return (TORCH,)
    return BACKENDS


def backend_versions(name: str) -> dict[str, str]:
    """Return what tells a backend's vectors from those of torch, JSON-able; of torch nothing."""
    return {} if name == TORCH else {"backend": name, name: version(name)}


class Graph:
    """A network's forward pass, compiled by OpenVINO from the weights that torch has loaded.

    Nothing is fetched or written. Threads may share a graph.

    Args:
        forward: Returns vectors, shape (K, n, D), of token ids, shape (n, T), by torch.
        network: Whose weights it uses, in float32 on the CPU.
        model: Where they come from.
        dtype: The precision of the arithmetic.
        examples: Token ids of some sentences, of different shapes, on which both are compared.

    Raises:
        InputError: OpenVINO cannot run the network, or not in this precision, or its vectors are
            not those of torch.
    """

    def __init__(
        self,
        forward: "Callable[[torch.Tensor], torch.Tensor]",
        network: "torch.nn.Module",
        model: ModelFolder,
        dtype: str,
        examples: Sequence[np.ndarray],
    ) -> None:
        self._own = local()
        with loading(model), _faults(model):
            self._compiled = _compile(_traced(forward, network, examples[0]), dtype)
            cosine = min(_least_cosine(self(ids), _by_torch(forward, ids)) for ids in examples)
        if not cosine >= _LEAST_COSINES[dtype]:
            raise InputError(
                f"OpenVINO's vectors of model {quoted(model.name)} are not those of torch (a "
                f"cosine of {cosine:.6f}, expected at least {_LEAST_COSINES[dtype]} in {dtype}): "
                f"take the backend {TORCH}"
            )

    def __call__(self, ids: np.ndarray) -> np.ndarray:
        """Return the vectors, shape (K, n, D), of token ids, shape (n, T)."""
        if not hasattr(self._own, "request"):
            self._own.request = self._compiled.create_infer_request()
        vectors: np.ndarray = self._own.request.infer([ids])[0]
        return vectors


@contextmanager
def _faults(model: ModelFolder) -> Iterator[None]:
    try:
        yield
    except BertFlowError:
        raise
    except Exception as error:
        raise InputError(
            f"model {quoted(model.name)} cannot be run by OpenVINO ({reason(error)}): take the "
            f"backend {TORCH}"
        ) from error


def _traced(
    forward: "Callable[[torch.Tensor], torch.Tensor]",
    network: "torch.nn.Module",
    example: np.ndarray,
) -> Any:  # noqa: ANN401 - a model of OpenVINO, which has no types
    """Return the graph of a forward pass, of token ids of any shape (n, T).

    The frontend is used as it is: the function around it would report its use to its makers.
    """
    import torch
    from openvino.frontend import FrontEndManager
    from openvino.frontend.pytorch.ts_decoder import TorchScriptPythonDecoder

    class Pass(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
            return forward(input_ids)

    for part in network.modules():
        if hasattr(getattr(part, "config", None), "use_cache"):
            part.config.use_cache = False  # type: ignore[union-attr]  # of decoders: unused here
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what depends on the example: both are compared
        decoder = TorchScriptPythonDecoder(
            Pass().eval(),
            example_input=(torch.from_numpy(example),),
            trace_kwargs={"check_trace": False},
        )
    frontend = FrontEndManager().load_by_framework("pytorch")
    return frontend.convert(frontend.load(decoder))


@cache
def _core() -> Any:  # noqa: ANN401 - as above
    """Return the one Core of this process, which is never dropped; called by one thread at a time.

    A Core gives its thread a stack for signals. One that is dropped before a later one would leave
    that thread without, and the next signal, such as that of Ctrl-C, would end the process.
    """
    from openvino import Core

    return Core()


def _compile(graph: Any, dtype: str) -> Any:  # noqa: ANN401 - as above
    options = {
        "INFERENCE_PRECISION_HINT": _PRECISIONS[dtype],
        "NUM_STREAMS": n_workers(),
        "INFERENCE_NUM_THREADS": n_workers(),
    }
    compiled = _core().compile_model(graph, "CPU", options)
    used = compiled.get_property("INFERENCE_PRECISION_HINT").to_string()
    if used != _PRECISIONS[dtype]:
        raise InputError(
            f"OpenVINO computes in {used} on this processor, not in {dtype}: take another "
            f"precision, or the backend {TORCH}"
        )
    return compiled


def _by_torch(forward: "Callable[[torch.Tensor], torch.Tensor]", ids: np.ndarray) -> np.ndarray:
    import torch

    with torch.inference_mode():
        return forward(torch.from_numpy(ids)).numpy()


def _least_cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Return the smallest cosine between vectors of the same place, shapes (K, n, D)."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return float(((a * b).sum(axis=-1) / lengths).min())
