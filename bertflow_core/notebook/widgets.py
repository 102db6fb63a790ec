"""The widgets: a notebook's front end runs the app's scripts and needs no server."""

from collections.abc import Sequence
from typing import Any

import anywidget
import traitlets

from bertflow_core.runtime.shipped import bundle

_NOTEBOOK = "notebook.css"


class WallWidget(anywidget.AnyWidget):
    """A wall of linked panes.

    Attributes:
        payload: The output of `exhibits.wall.payload.encode`, followed by the wall's name.
        selected: The selected rows in ascending order; `observe` reports changes.
        picked: The row that was clicked, or None.
        texts: One per row.
    """

    _esm = bundle("wall.js")
    sheet = traitlets.Unicode(bundle(_NOTEBOOK) + bundle("wall.css")).tag(sync=True)
    payload = traitlets.Bytes().tag(sync=True)
    selected = traitlets.List(traitlets.Int()).tag(sync=True)
    picked = traitlets.Int(None, allow_none=True).tag(sync=True)

    def __init__(self, texts: Sequence[str], **traits: Any) -> None:  # noqa: ANN401 - the library's
        super().__init__(**traits)
        self.texts = tuple(texts)

    @property
    def selected_texts(self) -> list[str]:
        """The texts of the selected rows."""
        return [self.texts[row] for row in self.selected]


class FlowPlaneWidget(anywidget.AnyWidget):
    """A two-dimensional flow that the front end trains; `choice` is as in `flow_plane`."""

    _esm = bundle("flow_plane.js")
    sheet = traitlets.Unicode(bundle(_NOTEBOOK) + bundle("flow_plane.css")).tag(sync=True)
    choice = traitlets.Unicode(None, allow_none=True).tag(sync=True)
