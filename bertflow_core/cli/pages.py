"""`bertflow-lab report`, `site`, `reproduce` and `analyse wall`: the commands for documents."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli.console import emit, say
from bertflow_core.cli.figure_files import FigureForm, Forms, Out, figure_folder
from bertflow_core.cli.options import Asked, Output, spec_option, with_params, with_recipe
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.exhibits.wall.recipe import Picture, WallRecipe
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.report import Form
from bertflow_core.runtime.context import progress_bars
from bertflow_core.studies.reproduce.items import ALL, ITEMS, PaperParams, items_called

_PRINT = (FigureForm.PDF, FigureForm.SVG, FigureForm.PNG)


@with_recipe("similarity")
def report(
    asked: Asked,
    out: Annotated[
        Path,
        typer.Option(
            help="The .html file to write, or .json for programs. An existing lesson is replaced; "
            "any other file is left alone."
        ),
    ],
    sentence: Annotated[
        list[str] | None,
        typer.Option(help="Sentence of your own to mark in the pictures; give two or three."),
    ] = None,
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
) -> None:
    """Write the guided tour, with figures of your data, as one HTML file that works offline."""
    from bertflow_core.exhibits.tour.compute import compute_tour
    from bertflow_core.exhibits.tour.lesson import CONTENTS, check_own
    from bertflow_core.exhibits.tour.page import TITLE, check_lesson_file, write_lesson

    check_lesson_file(out)
    own = check_own(sentence or ())
    with progress_bars():
        lesson = compute_tour(asked.recipe, asked.lab, sentences=own)
    write_lesson(out, lesson, title=title or TITLE)
    for chapter, step in zip(CONTENTS, lesson.steps, strict=True):
        if isinstance(step, str):
            say(f"skipped: {chapter.title} ({step})")
    say(f"lesson written: {out}")


@with_recipe("similarity")
def site(
    asked: Asked,
    out: Annotated[
        Path,
        typer.Option(
            help="The folder to write. Pages of an earlier site are "
            "replaced; any other file is left alone."
        ),
    ],
    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="Add a page that runs the encoder on typed sentences; it needs a web server. The "
            "build needs npm and the extra `live`.",
        ),
    ] = False,
) -> None:
    """Write tour, flow, cone and walls as static pages for disk or any web server."""
    from bertflow_core.exhibits.site.run import LIVE, check_site, make_site, write_site

    check_site(out, asked.recipe, live=live)
    with progress_bars():
        pages = make_site(asked.recipe, asked.lab, live=out / LIVE if live else None)
    write_site(out, pages)
    say(f"site written: {out / pages[0].file}")


@with_recipe("item", kind=PaperParams)
def reproduce(
    asked: Asked,
    item: Annotated[
        list[str],
        typer.Argument(help=f"Tables and figures of the paper: {', '.join(ITEMS)}; or {ALL}."),
    ],
    output: Output = Form.TABLE,
    out: Out = None,
    figure_format: Forms = None,
) -> None:
    """Reproduce tables and figures of the paper and compare them with the published numbers.

    Missing data or weights are reported; everything else is measured.
    """
    chosen = items_called(item)
    drawn = out is not None and any(each.name.startswith("figure") for each in chosen)
    into = figure_folder(out, figure_format or (_PRINT if drawn else None))
    from bertflow_core.studies.reproduce.study import reproduce as make

    reports = []
    for each in chosen:
        with progress_bars():
            found = make(asked.recipe.with_(item=each.name), asked.lab)
        reports.append(replace(found, name=each.name))
        if into is not None:
            into.write_everything(reports[-1])
    emit("\n\n".join(report.write(output) for report in reports))


@with_recipe("aggregation", "metric", "similarity", "model", several_layers=True)
@with_params(WallRecipe)
@with_params(Picture, "method", "metric", "n_neighbors", "min_dist")
def wall(
    picture: Picture,
    chosen: WallRecipe,
    asked: Asked,
    out: Annotated[
        Path,
        typer.Option(
            help="The .html file to write. An existing page of this program is replaced; any other "
            "file is left alone."
        ),
    ],
    calibrator: Annotated[
        list[str] | None,
        spec_option(
            "Calibrator, repeatable; by default identity and flow, or identity for several models."
        ),
    ] = None,
) -> None:
    """Write the wall as one offline page with linked panes, lasso, search and neighbours.

    For several models it shows the plain output of each, unless --layers is given. Colours then
    show what share of a row's ten nearest neighbours the models have in common.
    """
    from bertflow_core.exhibits.wall.drawing import draw_wall
    from bertflow_core.exhibits.wall.page import check_rows, wall_page
    from bertflow_core.exhibits.wall.rows import build_wall
    from bertflow_core.figures.pages import MARK
    from bertflow_core.runtime.files import check_target, write_file

    check_target(out, force=True, endings=(".html",), marks=[MARK])
    check_rows(chosen.max_rows)
    base, several = asked.recipe, len(set(chosen.models)) > 1
    if chosen.models:
        base = base.with_(model=chosen.models[0])
    recipe = replace(
        chosen,
        base=base,
        layers=asked.layers or (PLAIN_LAYERS if several else Recipe.layers,),
        calibrators=tuple(calibrator or (["identity"] if several else WallRecipe.calibrators)),
    )
    picture = picture.with_(seed=asked.recipe.seed)
    with progress_bars():
        built = build_wall(recipe, asked.lab)
        drawn = draw_wall(built, picture)
        page = wall_page(drawn)
    write_file(out, page.html.encode())
    if finding := drawn.moved_finding():
        say(finding)
    say(f"wall written: {out} ({len(page.html) / 1e6:.1f} MB)")
