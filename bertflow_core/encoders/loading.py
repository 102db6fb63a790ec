"""Loading a model's files through transformers: in silence, one at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from bertflow_core.device import resolve_dtype
from bertflow_core.encoders.faults import model_faults
from bertflow_core.encoders.model_folder import ModelFolder, weights_files
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from transformers import PreTrainedModel

__all__ = ["load_network", "loading"]

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
