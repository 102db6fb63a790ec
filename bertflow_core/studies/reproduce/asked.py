"""What the functions of the items share: an item as it is asked for, and what they yield."""

from dataclasses import dataclass

from bertflow_core.lab import Lab
from bertflow_core.params import Value
from bertflow_core.report import Row
from bertflow_core.studies.reproduce.items import Item, PaperParams
from bertflow_core.studies.reproduce.report import OURS
from bertflow_core.study import Live

__all__ = ["CITATION", "FIRST_LAST", "FLOW", "Asked", "Missing", "Part", "percent"]

CITATION = "Li et al. (2020)"
FIRST_LAST = "first-last"
FLOW = "flow:preset=paper"
"""The flow as the paper says; Tables 2 to 8 and both figures use it."""


class Missing(str):
    """What could not be measured here and why, a sentence."""

    __slots__ = ()


Part = Row | str | Live
"""What an item yields: a row, what decides our numbers or is missing, what draws a figure."""


@dataclass(frozen=True)
class Asked:
    """An item, the choices, and the encoders that are measured."""

    item: Item
    params: PaperParams
    lab: Lab
    models: tuple[str, ...]

    def row(self, encoder: str, label: str, *values: Value, by: str = OURS) -> Row:
        """Return a row with a value for each heading."""
        named = {"by": by, "encoder": encoder, "row": label}
        return named | dict(zip(self.item.columns, values, strict=True))


def percent(score: float | None) -> float | None:
    """Return a correlation x 100."""
    return None if score is None else 100 * score
