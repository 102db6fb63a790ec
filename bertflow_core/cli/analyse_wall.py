"""`bertflow-lab analyse wall`: the wall of a data set's sentences as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli.console import progress_bars, say
from bertflow_core.cli.options import Asked, spec_option, with_params, with_recipe
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.recipe import Picture

DEFAULT_CALIBRATORS = ("identity", "flow")


@with_recipe("aggregation", "metric", several_layers=True)
@with_params(Picture, "method", "dims", "metric", "n_neighbors", "min_dist")
def wall(
    picture: Picture,
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
        spec_option("Calibrator, repeatable; identity and flow by default."),
    ] = None,
    max_rows: Annotated[
        int | None,
        typer.Option(
            help="Of more sentences a random sample is shown; 4,000 by default, at most 20,000."
        ),
    ] = None,
    counts: Annotated[
        str | None,
        typer.Option(
            help="Word frequencies to colour by: a file of counts, wordfreq, or vocabulary, the "
            "order of the model's own."
        ),
    ] = None,
) -> None:
    """Write the wall as one page: linked panes, lasso, search and neighbours, without a network."""
    from bertflow_core.figures.pages import MARK
    from bertflow_core.files import check_target, write_file
    from bertflow_core.studies.wall import WallRecipe, build_spaces
    from bertflow_core.studies.wall.page import check_rows, wall_page
    from bertflow_core.studies.wall.recipe import PAGE_ROWS, panes_of, wall_command

    check_target(out, force=True, endings=(".html",), marks=[MARK])
    max_rows = PAGE_ROWS if max_rows is None else max_rows
    check_rows(max_rows)
    picture = picture.with_(seed=asked.recipe.seed)
    specs = tuple(calibrator or DEFAULT_CALIBRATORS)
    panes = panes_of(asked.recipe.model, asked.layers or (Recipe.layers,), specs)
    recipe = WallRecipe(base=asked.recipe, panes=panes, max_rows=max_rows, counts=counts)
    with progress_bars():
        built = build_spaces(recipe, asked.lab)
        command = wall_command(recipe, picture)
        page = wall_page(built, picture, command=command)
    write_file(out, page.html.encode())
    say(f"wall written: {out} ({len(page.html) / 1e6:.1f} MB)")
