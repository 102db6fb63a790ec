"""What the browser reports of a flow on the plane: the state it shows, and the clicked place."""

import math
from dataclasses import dataclass

from bertflow_app.browser.theatre.payload import Scene
from bertflow_app.browser.wire import refused, report_about, whole

from bertflow_core.flows.plane import Box

_MAX_COUNT = 1_000_000


@dataclass(frozen=True)
class Report:
    """What the browser shows and needs.

    Attributes:
        state: Number of the state that is shown; None for the newest.
        at: The clicked place of the data's plane, x and y.
        asked: How often it has asked for states that it misses.
        start: The first state that it misses.
    """

    state: int | None = None
    at: tuple[float, float] | None = None
    asked: int = 0
    start: int = 0


def decode(report: object, scene: Scene) -> Report:
    """Read a report; it is empty where there is none, or one about another fit.

    Raises:
        InputError: It is not of the form that the picture sends.
    """
    fields = report_about(report, "run", scene.run)
    if fields is None:
        return Report()
    state = fields.get("state")
    return Report(
        state=None if state is None else whole(state, _MAX_COUNT),
        at=_place(fields.get("at"), scene.box),
        asked=whole(fields.get("asked", 0), _MAX_COUNT),
        start=whole(fields.get("from", 0), _MAX_COUNT),
    )


def _place(value: object, box: Box) -> tuple[float, float] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise refused()
    if not all(type(each) in (int, float) and math.isfinite(each) for each in value):
        raise refused()
    x, y = float(value[0]), float(value[1])
    if max(abs(x - box.x), abs(y - box.y)) > box.half * (1 + 1e-6):
        raise refused()
    return x, y
