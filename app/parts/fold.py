"""The choices above a picture: once something is drawn they fold under a title that names them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import streamlit as st
from bertflow_app import state

from bertflow_core.calibrators.registry import check_spec
from bertflow_core.errors import BertFlowError, InputError

TITLE, ICON = "Choices", ":material/tune:"


class Fold:
    """An expander whose title is known only when the boxes in it are drawn.

    It is drawn twice at the same place: first as the visitor last saw it, so that nothing moves
    under the pointer, and by `settle` as it is to be. Streamlit keeps what stands in it.
    """

    def __init__(self) -> None:
        self._slot = st.empty()
        title, is_open = state.fold()
        self._box = self._slot.expander(title or TITLE, expanded=is_open, icon=ICON)

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Draw boxes in it; it opens where a choice is refused."""
        try:
            with self._box:
                yield
        except BertFlowError:
            self.settle((), is_open=True)
            raise

    def settle(self, choices: Sequence[str], *, is_open: bool) -> None:
        """Name the choices in the title, and open or close it.

        Args:
            choices: Specs and other choices; a text that is no choice of ours is left out, since
                a title is Markdown.
            is_open: Whether the boxes are shown.
        """
        named = " · ".join(filter(None, choices))
        title = f"{TITLE}: {named}" if named else TITLE
        state.choose(fold=(title, is_open))
        self._slot.expander(title, expanded=is_open, icon=ICON)


def named_specs(specs: Sequence[str]) -> str:
    """Return calibrators as a title names them; nothing where one of them is none."""
    with suppress(InputError):
        for spec in specs:
            check_spec(spec)
        return ", ".join(specs)
    return ""
