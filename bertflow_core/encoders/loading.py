"""Load a model's files through transformers, without its messages, with one-sentence errors."""

import threading
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bertflow_core.encoders.model_folder import ModelFolder, weights_files
from bertflow_core.errors import BertFlowError, InputError, ResourceError, is_out_of_memory
from bertflow_core.runtime import context
from bertflow_core.wording import reason

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel

Encoder = TypeVar("Encoder")

_PANIC = "PanicException"
"""The class of failures in the tokenizers' Rust code; it is not derived from `Exception`."""
_MOST_PER_BYTE, _NUMBERS_TO_SPARE = 2, 16 << 20  # allows four-bit weights
_MOST_PARTS = 1 << 15  # modules and parameters; 27 layers of 64 experts, or 30 GB, have 14,000
_STOP_EVERY, _WORDS_TRIED = 1_000, 100
_LOADING = threading.Lock()  # transformers reads settings that all threads share


@contextmanager
def model_faults(model: ModelFolder, cannot: str) -> Iterator[None]:
    """Turn an exception into a sentence on what a model cannot do ("be loaded") and why."""
    try:
        yield
    except BertFlowError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise
        if is_out_of_memory(error):
            raise ResourceError(
                f"there is too little memory for {model}: choose a smaller batch size, a smaller "
                "model or another device"
            ) from error
        raise InputError(
            f"{model} cannot {cannot} ({reason(error)}): expected a Hugging Face folder of a known "
            "architecture; code in the folder is never run"
        ) from error


@contextmanager
def loading(model: ModelFolder) -> Iterator[None]:
    """Load one model at a time, without messages; turn an exception into one sentence."""
    from transformers.utils import logging

    while not _LOADING.acquire(timeout=0.5):
        context.check_cancelled()
    try:
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        verbosity = logging.get_verbosity()
        logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        try:
            with model_faults(model, "be loaded as an encoder"):
                yield
        finally:
            logging.set_verbosity(verbosity)
    finally:
        _LOADING.release()


def count_parameters(model: ModelFolder) -> int:
    """Count the parameters of a model from the headers of its weight files."""
    from safetensors import safe_open

    count = 0
    with model_faults(model, "be loaded as an encoder"):
        for file in weights_files(model):
            with safe_open(file, "numpy") as tensors:
                count += sum(prod(tensors.get_slice(key).get_shape()) for key in tensors.keys())
    return count


def load_network(model: ModelFolder, dtype: str = "float32") -> "PreTrainedModel":
    """Load a model's network on the CPU, frozen and in evaluation mode.

    Missing weights are refused, since they would be random. A configuration that describes far more
    parameters than the folder holds is refused too, before memory is taken for them.
    """
    import transformers

    kind: Any = transformers.AutoModelForTextEncoding if model.is_t5 else transformers.AutoModel
    options = {"trust_remote_code": False, "local_files_only": True}
    with loading(model):
        config = transformers.AutoConfig.from_pretrained(model.path, **options)
        described = _count_described(model, kind, config)
        held = sum(file.stat().st_size for file in weights_files(model))
        if described > _MOST_PER_BYTE * held + _NUMBERS_TO_SPARE:
            raise InputError(
                f"config.json of {model} describes {described:,} parameters, but the weights "
                f"have {held:,} bytes: check that both belong to one model"
            )
        loaded, report = kind.from_pretrained(
            model.path,
            **options,
            use_safetensors=True,
            dtype=dtype,
            ignore_mismatched_sizes=True,  # refused below, with the weight's name
            output_loading_info=True,
        )
    made_up = report["missing_keys"] | {key for key, *_ in report["mismatched_keys"]}
    absent = sorted(key for key in made_up if "pooler" not in key.split("."))  # no layer uses it
    if absent:
        raise InputError(
            f"{model} lacks {len(absent)} of its weights, such as {absent[0]}: config.json belongs "
            "to another encoder, or the safetensors file is incomplete"
        )
    _check_floats(model, dict(loaded.named_parameters()))
    network: PreTrainedModel = loaded.eval().requires_grad_(False)
    return network


def _check_floats(model: ModelFolder, parameters: Collection[str]) -> None:
    """Refuse parameters that are stored as integers, which rounding has made zeros."""
    from safetensors import safe_open

    ends = tuple(f".{name}" for name in parameters)
    for file in weights_files(model):
        with safe_open(file, "numpy") as tensors:
            for key in tensors.keys():
                kind = tensors.get_slice(key).get_dtype()
                if f".{key}".endswith(ends) and not kind.startswith(("F", "BF")):
                    raise InputError(
                        f"{model} has weights of integers, such as {key} ({kind}): save it again "
                        "with floating-point weights"
                    )


def _count_described(model: ModelFolder, kind: Any, config: Any) -> int:  # noqa: ANN401 - untyped
    """Count the numbers of a network that a configuration describes, without memory for them.

    A model of images, sounds or series is refused before it is built. Stop ends the building.
    """
    import torch
    from torch.nn.modules import module as registry

    network, thread, n_parts = kind._model_mapping[type(config)], threading.get_ident(), 0
    if getattr(network, "main_input_name", "input_ids") != "input_ids":
        raise InputError(f"{model} reads no text ({config.model_type}): expected a model of texts")

    def note(*_: object) -> None:
        nonlocal n_parts
        if threading.get_ident() == thread:  # other threads may build flows
            n_parts += 1
            if n_parts % _STOP_EVERY == 0:
                context.check_cancelled()
            if n_parts > _MOST_PARTS:
                raise InputError(
                    f"config.json of {model} describes a network of more than {_MOST_PARTS:,} "
                    "parts: check its numbers of layers, groups and experts"
                )

    hooks = (
        registry.register_module_module_registration_hook(note),
        registry.register_module_parameter_registration_hook(note),
    )
    try:
        with torch.device("meta"):
            built = kind.from_config(config)
    finally:
        for hook in hooks:
            hook.remove()
    return sum(each.numel() for each in (*built.parameters(), *built.buffers()))


def load_tokenizer(model: ModelFolder) -> Any:  # noqa: ANN401 - transformers has no typed base
    """Load the tokenizer of a model; refuse a folder without its files."""
    from transformers import AutoTokenizer

    with loading(model):
        tokenizer = AutoTokenizer.from_pretrained(
            model.path, trust_remote_code=False, local_files_only=True
        )
    files = {"tokenizer_file": "tokenizer.json", **tokenizer.vocab_files_names}
    whole, *parts = ((model.path / file).is_file() for file in files.values())
    if not tokenizer.is_fast or not (whole or (parts and all(parts))):
        raise InputError(f"{model} has no tokenizer: expected tokenizer.json in its folder")
    most = tokenizer.model_max_length
    if len(tokenizer) == 0 or not (isinstance(most, int | float) and most >= 0):  # NaN is not
        raise InputError(
            f"the tokenizer of {model} has no tokens, or a model_max_length that is not a number "
            "of tokens: save it again"
        )
    check_words(model, tokenizer)
    return tokenizer


def check_words(model: ModelFolder, tokenizer: Any) -> None:  # noqa: ANN401
    """Refuse a tokenizer that finds no token but special ones in the words of its vocabulary."""
    with model_faults(model, "split its own words into tokens"):
        ids = np.linspace(0, len(tokenizer) - 1, _WORDS_TRIED).astype(int).tolist()
        words = [tokenizer.decode([i]) for i in ids]
        found = tokenizer(words, add_special_tokens=False)["input_ids"]
    if not {i for each in found for i in each} - {*tokenizer.all_special_ids}:
        raise InputError(
            f"the tokenizer of {model} finds no word in a text, only special tokens: save it again"
        )


def whole_text_tokenizer(model: ModelFolder) -> "Tokenizer":
    """Load the tokenizer of a model without truncation and padding."""
    from tokenizers import Tokenizer

    with model_faults(model, "show its tokenizer.json"):
        tokenizer = Tokenizer.from_file(str(model.path / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def check_tokens(largest: int, n_vectors: int, model: ModelFolder) -> None:
    """Refuse token ids without a vector, which would crash the process on a GPU."""
    if largest >= n_vectors:
        raise InputError(
            f"the tokenizer of {model} has more tokens than the weights have vectors "
            f"({n_vectors}): save both again together"
        )


def check_finite(vectors: np.ndarray, model: ModelFolder) -> None:
    """Refuse vectors of any shape that hold NaN or infinity."""
    if not np.isfinite(vectors).all():
        raise InputError(
            f"{model} gives vectors that are not finite: its weights are damaged, or its numbers "
            "are too large for float16 (choose another precision)"
        )


class LastEncoder(threading.local):
    """The last encoder of each thread; two threads must not share a tokenizer."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, Any] | None = None

    def of(self, key: Hashable, make: Callable[[], Encoder]) -> Encoder:
        """Return the thread's encoder if it has this key; otherwise replace it by a new one.

        The new one takes over the network if it has the same.
        """
        if self._kept is None or self._kept[0] != key:
            new: Any = make()
            if self._kept is not None:
                new.take_network(self._kept[1])
            self._kept = key, new  # any other network is released before this one is loaded
        encoder: Encoder = self._kept[1]
        return encoder

    def __reduce__(self) -> tuple[type["LastEncoder"], tuple[()]]:
        return type(self), ()  # another process loads its own
