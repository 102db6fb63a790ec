"""A lesson as an HTML page, for a file or for the dashboard, or as JSON."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from bertflow_core.exhibits.tour.lesson import ACTS, CONTENTS, GENERATOR, TEN_MINUTES, Lesson
from bertflow_core.figures import Figure, alt_of
from bertflow_core.figures.pages import content_policy, plotly_script, render
from bertflow_core.runtime.files import check_target, write_file
from bertflow_core.runtime.shipped import bundle

TITLE = "Why cosine fails, and how to correct it"

MARK = f'<meta name="generator" content="{GENERATOR}">'
"""A file with this line near its beginning is a lesson."""


_PLAIN_WORDS = {
    "gold": "gold scores",
    "identity": "no calibration",
    "null-top-k:k=0": "mean subtracted",
    "null-top-k:k=6": "6 directions removed",
    "whiten": "whitening",
    "flow": "BERT-flow",
    "standardize": "standardised",
    "random cos": "random-pair cosine",
    "norms against chi, Kolmogorov-<br>Smirnov distance, 0 to 1": "distance of the norms from<br>"
    "those of a Gaussian, 0 to 1",
}
"""Labels of the studies' pictures, in words that a class knows."""

_SPECS = re.compile(
    rf"(?:^|(?<=: )|(?<=against ))({'|'.join(map(re.escape, _PLAIN_WORDS))})(?=$| \()"
)


def lesson_page(
    lesson: Lesson, *, title: str = TITLE, is_served: bool = False, ways: str = ""
) -> str:
    """Return a lesson as a page, which shows one step a screen and works offline.

    If it `is_served`, the dashboard shows it in a frame and has Plotly's script beside it. `ways`
    is HTML that links the other pages of a site.
    """
    own = bundle("lesson.js")
    figures = {  # as JSON in which no text can end the script element
        name: _in_plain_words(each.figure).to_json().replace("<", "\\u003c")
        for name, each in lesson.told.items()
    }
    plotly = "" if is_served else plotly_script()
    return render(
        __package__,
        "lesson.html.jinja",
        lesson=lesson,
        title=title,
        acts=ACTS,
        chapters=CONTENTS,
        core=TEN_MINUTES,
        mark=MARK,
        policy=content_policy(own, loads=True)
        if is_served
        else content_policy(plotly, own, ways=ways),
        style=(files(__package__) / "lesson.css").read_text(encoding="utf-8"),
        figures=figures,
        alts={name: alt_of(each.figure) for name, each in lesson.told.items()},
        shared=f"All steps share {lesson.recipe.without('calibrator').caption()}; differences are "
        "stated under the step.",
        plotly=plotly,
        own=own,
        ways=ways,
        is_served=is_served,
        start=int(is_served),
    )


def _in_plain_words(figure: Figure) -> Figure:
    """Return a copy of a figure whose labels name calibrators and layers in plain words."""
    own = Figure(figure).update_layout(template="none")
    for trace in own.data:
        trace.name = _plain(trace.name)
        for axis in ("x", "y"):
            if isinstance(trace[axis], tuple):
                trace[axis] = [_plain(each) for each in trace[axis]]
    for note in own.layout.annotations:
        note.text = _plain(note.text)
    own.for_each_xaxis(lambda axis: axis.title.update(text=_plain(axis.title.text)))
    return own


def _plain(text: Any) -> Any:  # noqa: ANN401 - a label, or a number
    if not isinstance(text, str):
        return text
    text = _SPECS.sub(lambda found: _PLAIN_WORDS[found[1]], text)
    return re.sub("^layer:", "layer ", re.sub("^model: ", "plain output: ", text))


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
