"""A lesson as a file: written whole or not at all, and never over a file of another kind."""

import json
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.files import atomic_write, begins_with_mark, cannot_write
from bertflow_core.studies.tour.lesson import GENERATOR, Lesson
from bertflow_core.studies.tour.page import TITLE, lesson_page
from bertflow_core.wording import quoted

__all__ = ["check_lesson_file", "write_lesson"]


def check_lesson_file(path: Path) -> None:
    """Refuse, before any work, a name under which a lesson could not be written.

    Raises:
        InputError: It ends in neither `.html` nor `.json`, its folder is missing, or it is
            something other than a lesson.
        ResourceError: The disk refused such a name.
    """
    if path.suffix not in (".html", ".json"):
        raise InputError(f"{quoted(path)} must end in .html, or in .json for a program to read")
    try:
        if not path.parent.is_dir():
            raise InputError(f"folder {quoted(path.parent)} does not exist: make it first")
        is_free = not path.exists() or begins_with_mark(path, [GENERATOR])
    except OSError as error:
        raise cannot_write(path, error) from error
    if not is_free:
        raise InputError(
            f"{quoted(path)} exists and is no lesson of this program: choose another name"
        )


def write_lesson(path: Path, lesson: Lesson, *, title: str = TITLE) -> None:
    """Write a lesson as a page, or as values where `path` ends in `.json`; whole or not at all.

    Raises:
        ResourceError: The disk refused.
    """
    if path.suffix == ".json":
        text = json.dumps(lesson.to_dict(), ensure_ascii=False, indent=0) + "\n"
    else:
        text = lesson_page(lesson, title=title)
    try:
        with atomic_write(path) as scratch:
            scratch.write_bytes(text.encode())
    except OSError as error:
        raise cannot_write(path, error) from error
