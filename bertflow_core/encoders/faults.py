"""What transformers and its tokenizers raise over a strange model, as one sentence about it."""

from collections.abc import Iterator
from contextlib import contextmanager

from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.errors import BertFlowError, InputError, ResourceError, is_out_of_memory
from bertflow_core.wording import quoted, reason

__all__ = ["model_faults"]

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
