"""Table 7: the flow's hyper-parameters as printed, and as the preset `paper` has them."""

import json
from functools import cache
from typing import Any

from bertflow_core.calibrators.registry import parse_spec
from bertflow_core.files import resource
from bertflow_core.params import Value
from bertflow_core.studies.reproduce.request import FLOW, Request
from bertflow_core.studies.reproduce.result import Cell, Line, Origin, Reproduction

__all__ = ["table7"]

_ADAM = ("bias_correction", "weight_decay", "clip_norm")


def table7(request: Request) -> Reproduction:
    """Set Table 7 beside the preset, read from the calibrator itself."""
    del request  # nothing is measured
    (step,) = parse_spec("flow:preset=paper")
    ours = step.resolved()
    rows = [*_table()["rows"], *_table()["text"]]
    lines = []
    for row in rows:
        lines.append(Line(Origin.PUBLISHED, "BERT", row["label"], (Cell(row["value"]),)))
        lines.append(Line(Origin.OURS, FLOW, row["label"], (Cell(_ours(row, ours)),)))
    return Reproduction(
        columns=("value",), lines=tuple(lines), recipe=(f"Ours: the parameters of {FLOW}.",)
    )


def _ours(row: dict[str, Any], values: dict[str, Value]) -> str:
    """Return our value of a printed row."""
    if row["parameter"] is not None:
        return _text(values[row["parameter"]])
    if row["value"] == "Adam":
        return "Adam, " + ", ".join(f"{name} {_text(values[name])}" for name in _ADAM)
    return "3 linear layers, added to the second half"


def _text(value: Value) -> str:
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(resource("published_table7.json").read_text("utf-8"))
    return table
