"""A lesson as a file: written whole or not at all, and never over a file of another kind."""

import json
from pathlib import Path

from bertflow_core.files import check_target, write_file
from bertflow_core.studies.tour.lesson import GENERATOR, Lesson
from bertflow_core.studies.tour.page import TITLE, lesson_page

__all__ = ["check_lesson_file", "write_lesson"]


def check_lesson_file(path: Path) -> None:
    """Refuse, before any work, a name under which a lesson could not be written.

    Raises:
        InputError: It ends in neither `.html` nor `.json`, its folder is missing, or it is
            something other than a lesson.
        ResourceError: The disk refused such a name.
    """
    check_target(path, force=True, endings=(".html", ".json"), marks=[GENERATOR])


def write_lesson(path: Path, lesson: Lesson, *, title: str = TITLE) -> None:
    """Write a lesson as a page, or as values where `path` ends in `.json`; whole or not at all.

    Raises:
        ResourceError: The disk refused.
    """
    if path.suffix == ".json":
        text = json.dumps(lesson.to_dict(), ensure_ascii=False, indent=0) + "\n"
    else:
        text = lesson_page(lesson, title=title)
    write_file(path, text.encode())
