"""`bertflow-lab report` and `site`: pages that teach without an installation."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli.console import progress_bars, say
from bertflow_core.cli.options import Asked, with_recipe
from bertflow_core.errors import InputError


@with_recipe()
def report(
    asked: Asked,
    out: Annotated[
        Path,
        typer.Option(
            help="The .html file to write, or .json for programs. An existing lesson is replaced; "
            "any other file is left alone."
        ),
    ],
    tour: Annotated[
        bool, typer.Option("--tour", help="The guided tour as a lesson; the only report so far.")
    ] = False,
    sentence: Annotated[
        list[str] | None,
        typer.Option(help="A sentence of your own, marked in the pictures; two or three of them."),
    ] = None,
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
) -> None:
    """Write the guided tour, with figures of your data, as one HTML file that works offline."""
    if not tour:
        raise InputError("name the report to write: --tour, the guided tour, is the only one")
    from bertflow_core.studies.tour.compute import compute_tour
    from bertflow_core.studies.tour.lesson import Skipped, check_own
    from bertflow_core.studies.tour.page import TITLE, check_lesson_file, write_lesson

    check_lesson_file(out)
    own = check_own(sentence or ())
    with progress_bars():
        lesson = compute_tour(asked.recipe, asked.lab, sentences=own)
    write_lesson(out, lesson, title=title or TITLE)
    for step in lesson.steps:
        if isinstance(step, Skipped):
            say(f"skipped: {step.chapter.title} ({step.reason})")
    say(f"lesson written: {out}")


@with_recipe()
def site(
    asked: Asked,
    out: Annotated[
        Path,
        typer.Option(
            help="The folder to write, made if there is none. Pages of an earlier site are "
            "replaced; any other file is left alone."
        ),
    ],
) -> None:
    """Write tour, flow, cone and walls as static pages that work from disk and any web server."""
    from bertflow_core.studies.site.run import check_site_folder, make_site, write_site

    check_site_folder(out)
    with progress_bars():
        pages = make_site(asked.recipe, asked.lab)
    write_site(out, pages)
    say(f"site written: {out / pages[0].file}")
