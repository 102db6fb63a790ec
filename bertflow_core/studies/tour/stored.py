"""The lesson that ships with the package: the default data, ready when the page opens."""

import json
from functools import cache

from bertflow_core.files import resource
from bertflow_core.recipe import Recipe
from bertflow_core.studies.tour.lesson import Lesson

__all__ = ["stored_for", "stored_lesson"]

STORED = "results/tour.json"


@cache
def stored_lesson() -> Lesson:
    """Return the tour of the default recipe, for all readers: nobody may change it.

    `report --tour --out tour.json` made it.
    """
    return Lesson.from_dict(json.loads(resource(STORED).read_text(encoding="utf-8")))


def stored_for(recipe: Recipe) -> Lesson | None:
    """Return the stored lesson where it is of this recipe, whose calibrator does not count."""
    lesson = stored_lesson()
    return lesson if recipe.with_(calibrator=Recipe.calibrator) == lesson.recipe else None
