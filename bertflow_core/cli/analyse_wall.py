"""`bertflow-lab analyse wall`: the wall of a data set's sentences as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli.console import progress_bars, say
from bertflow_core.cli.options import Asked, spec_option, with_params, with_recipe
from bertflow_core.recipe import Recipe
from bertflow_core.studies.wall.recipe import Picture, RowChoices


@with_recipe("aggregation", "metric", several_layers=True)
@with_params(RowChoices)
@with_params(Picture, "method", "metric", "n_neighbors", "min_dist")
def wall(
    picture: Picture,
    rows: RowChoices,
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
) -> None:
    """Write the wall as one page: linked panes, lasso, search and neighbours, without a network."""
    from bertflow_core.figures.pages import MARK
    from bertflow_core.files import check_target, write_file
    from bertflow_core.studies.wall.page import check_rows, wall_page
    from bertflow_core.studies.wall.recipe import WallRecipe
    from bertflow_core.studies.wall.rows import build_wall

    check_target(out, force=True, endings=(".html",), marks=[MARK])
    check_rows(rows.max_rows)
    recipe = WallRecipe(
        base=asked.recipe,
        layers=asked.layers or (Recipe.layers,),
        calibrators=tuple(calibrator or WallRecipe.calibrators),
        **rows.to_dict(),
    )
    picture = picture.with_(seed=asked.recipe.seed)
    with progress_bars():
        built = build_wall(recipe, asked.lab)
        page = wall_page(built, picture)
    write_file(out, page.html.encode())
    say(f"wall written: {out} ({len(page.html) / 1e6:.1f} MB)")
