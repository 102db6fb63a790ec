"""A model's fast tokenizer by itself, without its network."""

from typing import TYPE_CHECKING

from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted, reason

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["read_tokenizer", "whole_text_tokenizer"]


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
