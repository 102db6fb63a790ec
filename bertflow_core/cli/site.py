"""`bertflow-lab site`: pages that teach without an installation."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli.console import progress_bars, say
from bertflow_core.cli.options import Asked, with_recipe


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
