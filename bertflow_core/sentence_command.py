"""The command that makes the geometry of sentences again."""

import shlex

from bertflow_core.recipe import Recipe, option_words
from bertflow_core.sentence_geometry import SentenceGeometry

__all__ = ["sentences_command"]

_COMMAND = "bertflow-lab analyse"


def sentences_command(found: SentenceGeometry, name: str = "sentences") -> str:
    """Return the command that makes these numbers again, quoted for a shell.

    Args:
        found: Its recipe, layer sets and calibrators are named; the command chooses the parts.
        name: Of the command: `sentences` measures every part, so that all that is here is in it.
    """
    shared = found.recipe.with_(aggregation=Recipe.aggregation)  # nothing here is aggregated
    args = shared.to_args()
    for layers in found.layers:
        args += option_words("--layers", layers)
    for spec in found.calibrators:
        args += option_words("--calibrator", spec)
    return " ".join([_COMMAND, name, *map(shlex.quote, args)])
