"""`bertflow-lab fit`: fit one calibrator and save it."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli.console import progress_bars, say
from bertflow_core.cli.options import CALIBRATOR_NAMES, Asked, with_recipe


@with_recipe("split", "aggregation")
def fit(
    asked: Asked,
    out: Annotated[Path, typer.Option(help="Folder to write: config.json, model.safetensors.")],
    calibrator: Annotated[
        str,
        typer.Option(
            help=f"Calibrator: name[:key=value,...], steps joined by +. {CALIBRATOR_NAMES}"
        ),
    ] = "flow",
) -> None:
    """Fit a calibrator on the sentences of a data set or text file and save it as a folder."""
    from bertflow_core.calibrators.persistence import save_calibrator
    from bertflow_core.files import check_folder

    check_folder(out)
    with progress_bars() as progress:
        recipe = asked.recipe.with_(calibrator=calibrator)
        fitted = asked.lab.fit(recipe, progress=progress)
    save_calibrator(fitted.calibrator, out, spec=calibrator, recipe=fitted.recipe.to_dict())
    say(f"saved {calibrator}, fitted on {len(fitted.corpus)} sentences, to {out}")
