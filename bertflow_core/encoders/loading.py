"""A model's files loaded through transformers: in silence, and with a sentence for what fails."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from bertflow_core.device import resolve_dtype
from bertflow_core.encoders.model_folder import ModelFolder, weights_files
from bertflow_core.errors import BertFlowError, InputError, ResourceError, is_out_of_memory
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel

__all__ = [
    "load_network",
    "loading",
    "model_faults",
    "read_tokenizer",
    "use_onednn",
    "whole_text_tokenizer",
]

_PANIC = "PanicException"
"""What the tokenizers' Rust code raises where it did not expect to fail; no `Exception`."""


@contextmanager
def model_faults(model: ModelFolder, cannot: str) -> Iterator[None]:
    """Say in one sentence why a model that is not as it should be fails.

    Args:
        model: The model.
        cannot: What it cannot do then, such as "be loaded as an encoder".

    Raises:
        InputError: Its files do not go together.
        ResourceError: The memory is too small for it.
    """
    try:
        yield
    except BertFlowError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise
        if is_out_of_memory(error):
            raise ResourceError(
                f"the memory is too small for model {quoted(model.name)}: take a smaller batch "
                "size or model, or another device"
            ) from error
        raise InputError(
            f"model {quoted(model.name)} cannot {cannot} ({reason(error)}): expected a Hugging "
            "Face folder of a known architecture; code in the folder is never run"
        ) from error


def use_onednn(network: "torch.nn.Module") -> None:
    """Let the linear layers of a frozen network that are float32 on the CPU run through oneDNN.

    Torch hands float32 alone to MKL, which on processors of other makes than Intel leaves the
    widest instructions unused: less than half the speed. The numbers are the same but for the order
    of sums. Nothing changes where torch was built without oneDNN.
    """
    import torch

    has_onednn = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if not (has_onednn and hasattr(torch.ops.mkldnn, _OPERATOR)):
        return
    for layer in network.modules():
        if type(layer) is torch.nn.Linear and _is_float32_on_cpu(layer.weight):
            layer.forward = partial(_linear, layer.weight, layer.bias)  # type: ignore[method-assign]


_OPERATOR = "_linear_pointwise"  # what torch.compile calls for such layers


def _is_float32_on_cpu(weight: "torch.Tensor") -> bool:
    import torch

    return weight.dtype == torch.float32 and weight.device.type == "cpu"


def _linear(
    weight: "torch.Tensor", bias: "torch.Tensor | None", x: "torch.Tensor"
) -> "torch.Tensor":
    """Return x W^T + b, of x with shape (..., D_in)."""
    import torch

    product: torch.Tensor = getattr(torch.ops.mkldnn, _OPERATOR)(x, weight, bias, "none", [], "")
    return product


def read_tokenizer(model: ModelFolder) -> "Tokenizer":
    """Read the tokenizer of a model as its folder has it, truncation and padding included.

    Raises:
        InputError: The folder has none, or a damaged one.
    """
    from tokenizers import Tokenizer

    file = model.path / "tokenizer.json"
    if not file.is_file():
        raise InputError(f"model {quoted(model.name)} has no tokenizer.json: save it again")
    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing narrower
        raise InputError(
            f"tokenizer.json of model {quoted(model.name)} is damaged ({reason(error)})"
        ) from error


def whole_text_tokenizer(model: ModelFolder) -> "Tokenizer":
    """Read the tokenizer of a model, without truncation and padding: every token of any text.

    Raises:
        InputError: As `read_tokenizer`.
    """
    tokenizer = read_tokenizer(model)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


_MOST_PER_BYTE, _NUMBERS_TO_SPARE = 2, 16 << 20  # for weights of four bits
_LOADING = Lock()  # transformers loads under settings that all threads share


@contextmanager
def loading(model: ModelFolder) -> Iterator[None]:
    """Load in silence, one at a time, with a sentence about what fails."""
    from transformers.utils import logging

    with _LOADING:
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        verbosity = logging.get_verbosity()
        logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        try:
            with model_faults(model, "be loaded as an encoder"):
                yield
        finally:
            logging.set_verbosity(verbosity)


def load_network(
    model: ModelFolder, kind: str, dtype: str = "float32"
) -> "tuple[PreTrainedModel, set[str]]":
    """Load a model's network, frozen and in evaluation, on the CPU.

    Args:
        model: Its folder.
        kind: The class of transformers that decides which head it has, such as `AutoModel`.
        dtype: Its precision.

    Returns:
        The network, and the names of its weights that the folder lacks and that are random.

    Raises:
        InputError: It cannot be loaded.
    """
    import transformers

    with loading(model):
        _check_size(model, kind)
        network, report = getattr(transformers, kind).from_pretrained(
            model.path,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            dtype=resolve_dtype(dtype),
            ignore_mismatched_sizes=True,  # refused by the caller, with the weight's name
            output_loading_info=True,
        )
    network.requires_grad_(False)
    return network.eval(), report["missing_keys"] | {key for key, *_ in report["mismatched_keys"]}


def _check_size(model: ModelFolder, kind: str) -> None:
    """Refuse a configuration of far more numbers than the folder holds: all would be made up."""
    import torch
    import transformers

    config = transformers.AutoConfig.from_pretrained(
        model.path, trust_remote_code=False, local_files_only=True
    )
    with torch.device("meta"):
        network = getattr(transformers, kind).from_config(config)
    described = sum(weight.numel() for weight in network.parameters())
    held = sum(file.stat().st_size for file in weights_files(model.name, model.path))
    if described > _MOST_PER_BYTE * held + _NUMBERS_TO_SPARE:
        raise InputError(
            f"config.json of model {quoted(model.name)} describes {described:,} numbers, and its "
            f"weights have {held:,} bytes: it describes another encoder"
        )
