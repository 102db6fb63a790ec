"""Model names that stand for vectors without a network: one's own, and averaged word vectors."""

from dataclasses import dataclass

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

__all__ = [
    "OWN",
    "OWN_FILES",
    "StaticModel",
    "check_static_layers",
    "has_words",
    "is_own",
    "is_static",
    "own_files",
    "refuse_static",
    "words_file",
]

OWN = "vectors"
"""The model of a data set whose own file holds the vectors."""

OWN_FILES = "vectors:"
"""What a model's name starts with that is one file of vectors, or two, with a comma between."""

_WORD_FILES = ("glove:", "word2vec:")
"""What a model's name starts with that is a text file of word vectors."""


@dataclass(frozen=True)
class StaticModel:
    """What vectors without a network have in place of a model's folder.

    Attributes:
        name: As the user gave it.
        revision: The beginning of the SHA-256 of the files, which names them by their content.
        n_layers: None.
    """

    name: str
    revision: str | None
    n_layers: int = 0


def is_own(model: str) -> bool:
    """Whether a model's name stands for vectors that somebody else computed."""
    return model == OWN or model.startswith(OWN_FILES)


def is_static(model: str) -> bool:
    """Whether a model's name stands for vectors without a network, which have no layers."""
    return is_own(model) or has_words(model)


def has_words(model: str) -> bool:
    """Whether a model's name stands for averaged word vectors."""
    return model.startswith(_WORD_FILES)


def words_file(model: str) -> str:
    """Return the file of word vectors that a model's name lists."""
    name = model.partition(":")[2]
    if not name:
        raise InputError(f"{quoted(model)}: expected a file after the colon, as in glove:FILE")
    return name


def own_files(model: str) -> tuple[str, ...]:
    """Return the files that a model's name lists; none where the data set's own file is meant."""
    if model == OWN:
        return ()
    names = tuple(name.strip() for name in model.removeprefix(OWN_FILES).split(","))
    if len(names) > 2 or not all(names):
        raise InputError(
            f"{quoted(model)}: expected one file of vectors, or two with a comma between them; "
            "rename a file whose name has a comma"
        )
    return names


def check_static_layers(model: str, layers: str) -> None:
    """Refuse a layer set other than `model`."""
    if layers != DECLARED:
        raise InputError(f"{quoted(model)} has no layers: leave layers out, got {quoted(layers)}")


def refuse_static(model: str) -> None:
    """Refuse vectors without a network where a network is needed."""
    if is_static(model):
        raise InputError(
            f"{quoted(model)} stands for vectors without a network: there are no layers, no "
            "tokenizer and no word embeddings of an encoder to look at; choose a model"
        )
