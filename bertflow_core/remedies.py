"""What to do on the command line where a fit notes that it had too few rows."""

from collections.abc import Sequence

from bertflow_core.calibrators.notes import with_remedy
from bertflow_core.encoders.static import is_own
from bertflow_core.recipe import Recipe

__all__ = ["with_command_remedy"]

_SENTENCES = (
    "To fit on more sentences, name a larger corpus with --fit-on, such as nli or a text file."
)
_VECTORS = (
    "To fit on more vectors, name a larger file of them: with --fit-on, or as the argument of "
    "bertflow-lab fit."
)


def with_command_remedy(notes: Sequence[str], recipe: Recipe) -> tuple[str, ...]:
    """Return notes, and after them what to do where one asks to fit on more sentences.

    Args:
        notes: Of fits, a sentence each.
        recipe: Of one of the fits. The sentences of a corpus have no vectors where these are one's
            own.
    """
    return with_remedy(notes, _VECTORS if is_own(recipe.model) else _SENTENCES)
