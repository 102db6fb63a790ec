"""A lesson as one self-contained HTML file, or as JSON."""

import json
from importlib.resources import files
from pathlib import Path

from bertflow_core.exhibits.tour.lesson import ACTS, CONTENTS, GENERATOR, TEN_MINUTES, Lesson
from bertflow_core.figures import Figure, alt_of
from bertflow_core.figures.pages import content_policy, plotly_script, render
from bertflow_core.runtime.files import check_target, write_file
from bertflow_core.runtime.shipped import bundle

TITLE = "Why cosine fails, and how to correct it"

MARK = f'<meta name="generator" content="{GENERATOR}">'
"""A file with this line near its beginning is a lesson."""


def lesson_page(lesson: Lesson, *, title: str = TITLE) -> str:
    """Return a lesson as a page that works offline, in print, and mostly without script."""
    own = bundle("lesson.js")
    figures = {  # as JSON in which no text can end the script element
        name: Figure(each.figure).update_layout(template="none").to_json().replace("<", "\\u003c")
        for name, each in lesson.told.items()
    }
    plotly = plotly_script()
    return render(
        __package__,
        "lesson.html.jinja",
        lesson=lesson,
        title=title,
        acts=ACTS,
        chapters=CONTENTS,
        core=TEN_MINUTES,
        mark=MARK,
        policy=content_policy(plotly, own),
        style=(files(__package__) / "lesson.css").read_text(encoding="utf-8"),
        figures=figures,
        alts={name: alt_of(each.figure) for name, each in lesson.told.items()},
        shared=f"All steps share {lesson.recipe.without('calibrator').caption()}; differences are "
        "stated under the step.",
        plotly=plotly,
        own=own,
    )


def check_lesson_file(path: Path) -> None:
    """Refuse, before any work, a name under which a lesson could not be written."""
    check_target(path, force=True, endings=(".html", ".json"), marks=[GENERATOR])


def write_lesson(path: Path, lesson: Lesson, *, title: str = TITLE) -> None:
    """Write a lesson as HTML, or as JSON if `path` ends in `.json`; the file is whole or absent."""
    if path.suffix == ".json":
        text = json.dumps(lesson.to_dict(), ensure_ascii=False, allow_nan=False, indent=0) + "\n"
    else:
        text = lesson_page(lesson, title=title)
    write_file(path, text.encode())
