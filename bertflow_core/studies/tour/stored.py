"""The lesson that ships with the package: the default data, ready when the page opens."""

import json

from bertflow_core.files import resource
from bertflow_core.studies.tour.lesson import Lesson

__all__ = ["stored_lesson"]

STORED = "results/tour.json"


def stored_lesson() -> Lesson:
    """Return the tour of the default recipe; `report --tour --out tour.json` made it."""
    return Lesson.from_dict(json.loads(resource(STORED).read_text(encoding="utf-8")))
