"""What an encoder refuses: sentences without text, and models with something missing."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.errors import InputError, check_list, check_type
from bertflow_core.files import MAX_SENTENCE
from bertflow_core.wording import quoted

__all__ = [
    "check_finite",
    "check_sentences",
    "check_tokenizer",
    "check_tokens",
    "check_vocabulary",
    "check_weights",
]


def check_sentences(sentences: Sequence[str]) -> None:
    """Refuse what no tokenizer should read: a blank, far too long or half a surrogate pair."""
    check_list(sentences, "sentences")
    for number, sentence in enumerate(sentences, start=1):
        check_type(sentence, str, f"sentence {number}", "text")
        if not sentence.strip():
            raise InputError(f"sentence {number} is blank: every sentence needs text")
        if len(sentence) > MAX_SENTENCE:
            raise InputError(
                f"sentence {number} has {len(sentence):,} characters: expected at most "
                f"{MAX_SENTENCE:,}, divide it"
            )
        try:
            sentence.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(
                f"sentence {number} holds {sentence[error.start]!a}, half a surrogate pair and no "
                "character: read its file as UTF-8 again"
            ) from None


def check_tokens(n_tokens: np.ndarray) -> None:
    """Refuse a sentence that the tokenizer leaves nothing of; token counts have shape (N,)."""
    if not n_tokens.all():
        raise InputError(
            f"sentence {int(np.argmin(n_tokens)) + 1} has no tokens: every sentence needs text"
        )


def check_tokenizer(tokenizer: Any, max_length: int, model: ModelFolder) -> None:  # noqa: ANN401
    """Refuse a folder without a vocabulary: transformers would make up one of unknown words.

    Args:
        tokenizer: What transformers made of the folder's files.
        max_length: Longest input in tokens that is asked for.
        model: The folder.
    """
    files = tokenizer.vocab_files_names
    parts = sorted({file for kind, file in files.items() if kind != "tokenizer_file"})
    complete = [kind for kind in (["tokenizer.json"], parts) if kind]
    if not any(all((model.path / file).is_file() for file in kind) for kind in complete):
        expected = " or ".join(" with ".join(kind) for kind in complete)
        raise InputError(
            f"model {quoted(model.name)} has no tokenizer: expected {expected} in its folder"
        )
    if not tokenizer.is_fast:
        raise InputError(f"model {quoted(model.name)} has no tokenizer.json: save it again")
    if len(tokenizer) == 0:
        raise InputError(f"the tokenizer of model {quoted(model.name)} has no tokens")
    longest = tokenizer.model_max_length
    if not isinstance(longest, int | float):
        raise InputError(
            f"tokenizer_config.json of model {quoted(model.name)} has a model_max_length that is "
            "no number of tokens: correct it"
        )
    if max_length > longest:
        raise InputError(
            f"max_length must be at most {longest} tokens for "
            f"{quoted(model.name)}, got {max_length}"
        )


def check_weights(made_up: Iterable[str], model: ModelFolder) -> None:
    """Refuse weights drawn at random; the pooler's, which no hidden state depends on, may be."""
    absent = sorted(key for key in made_up if "pooler" not in key.split("."))
    if absent:
        raise InputError(
            f"model {quoted(model.name)} lacks {len(absent)} of its weights, {absent[0]} first: "
            "its config.json describes another encoder, or its safetensors file is incomplete"
        )


def check_vocabulary(largest_id: int, n_vectors: int, model: ModelFolder) -> None:
    """Refuse a token id that the model has no vector for, which would stop a device for good."""
    if largest_id >= n_vectors:
        raise InputError(
            f"the tokenizer of model {quoted(model.name)} has tokens that its weights have no "
            f"vectors for ({n_vectors} vectors): save both again together"
        )


def check_finite(vectors: np.ndarray, model: ModelFolder) -> None:
    """Refuse vectors of any shape that hold NaN or infinity."""
    if not np.isfinite(vectors).all():
        raise InputError(
            f"model {quoted(model.name)} gives vectors that are not finite: its weights are "
            "damaged, or its numbers are too large for float16 (take another precision)"
        )
