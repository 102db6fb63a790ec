"""What a fit notes of too little data, told apart from its other notes, and what to do then."""

from collections.abc import Sequence

from bertflow_core.wording import counted

__all__ = ["FIT_ON_MORE", "TooFew", "left_unscaled", "with_remedy"]

FIT_ON_MORE = "fit on more sentences"
"""What a note asks for; `with_remedy` says how it is done."""


def left_unscaled(n_constant: int) -> str:
    """Say that features without variance stay on their scale."""
    verb = "is" if n_constant == 1 else "are"
    return f"{counted(n_constant, 'constant feature')} {verb} left unscaled"


class TooFew(str):
    """A note that a fit had too few rows, or took too few steps over them, to be relied on."""


def with_remedy(notes: Sequence[str], how: str) -> tuple[str, ...]:
    """Return notes, and after them how it is done where one asks to fit on more sentences."""
    asked = any(FIT_ON_MORE in note for note in notes)
    return (*notes, how) if asked else tuple(notes)
