"""The Streamlit component of the presenter's view."""

from collections.abc import Callable, Sequence

import streamlit as st
from bertflow_app.browser.assets import script, style
from bertflow_app.browser.wire import refused, report_about

# Its styles are not isolated: they make the page it stands on fit a lecture room.
_PRESENTER = st.components.v2.component(
    "bertflow_presenter",
    html='<div class="room"></div>',
    css=style("presenter"),
    js=script("presenter"),
    isolate_styles=False,
)
KEY = "tour-presenter"
"""Names the component on its page; what it sets as `turn` is read with `turn_of`."""


def answers(
    step: str, choices: Sequence[str], *, right: int | None, on_turn: Callable[[], None]
) -> None:
    """Show the answers of a step with the hands that were counted; listen to the remote.

    Args:
        step: Its name; hands are counted for each.
        choices: The answers; none where the step is passed over.
        right: Index of the right one; None before it is revealed.
        on_turn: Called when PageDown or PageUp was pressed.
    """
    asked = {"step": step, "choices": list(choices), "right": right}
    _PRESENTER(data=asked, key=KEY, on_turn_change=on_turn)


def turn_of(report: object, step: str) -> str | None:
    """Return `turn` or `back` where the remote asked for it on this step, else None.

    Raises:
        InputError: Something that the presenter's view does not send.
    """
    found = report_about(report, "step", step)
    if found is None:
        return None
    if found.get("to") not in ("turn", "back"):
        raise refused()
    return str(found["to"])
