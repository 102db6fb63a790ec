"""`bertflow-lab fit`: fit one calibrator and save it."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli import many_files
from bertflow_core.cli.console import progress_bars, say
from bertflow_core.cli.options import Asked, spec_option, with_recipe
from bertflow_core.encoders.given import OWN
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

_SENTENCES = (".txt", ".csv", ".tsv", ".jsonl")


@with_recipe("split", "aggregation")
def fit(
    asked: Asked,
    source: Annotated[
        Path | None,
        typer.Argument(
            help="What to fit on in place of a data set: vectors (.npy, .parquet), or sentences "
            "(.txt, or a table). A folder of parquet files, or their pattern in quotes "
            "('DIR/*.parquet'), for many."
        ),
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="File to write: NAME.safetensors.")],
    calibrator: Annotated[
        str,
        spec_option("Calibrator: name[:key=value,...], steps joined by +."),
    ] = "flow",
    sample: many_files.Sample = many_files.SAMPLE,
    column: many_files.VectorColumn = many_files.VECTOR,
    engine: many_files.Engine = many_files.EngineName.PROCESS,
    address: many_files.Address = None,
    force: Annotated[bool, typer.Option(help="Replace a saved calibrator.")] = False,
) -> None:
    """Fit a calibrator on the sentences of a data set or text file, or on vectors; save it."""
    from bertflow_core.calibrators.saved import save_calibrator
    from bertflow_core.files import check_saved
    from bertflow_core.remarks import preset_note, with_command_remedy

    of_many = {
        "column": column != many_files.VECTOR,
        "sample": sample != many_files.SAMPLE,
    }
    by_engine = {"engine": engine != many_files.EngineName.PROCESS, "address": address is not None}
    check_saved(out, force=force)
    recipe = _of_file(asked.recipe, source).with_(calibrator=calibrator)
    if source is not None and (
        many_files.are_many(source, engine, address)
        or (any(of_many.values()) and source.name.endswith(".parquet"))
    ):
        from bertflow_core.scale import fit_files

        many_files.refuse_options(many_files.ONE, no_store=asked.of_lab["no_store"])
        with progress_bars():
            done = fit_files(
                calibrator,
                source,
                seed=recipe.seed,
                engine=engine,
                address=address,
                n_sample=sample,
                device=asked.of_lab["device"],
                column=column,
            )
        fitted, made_with, notes = done.calibrator, done.recipe, done.notes
        rows = f"{done.n_rows:,} vectors"
    else:
        many_files.refuse_options(many_files.MANY, **of_many, **by_engine)
        with progress_bars():
            found = asked.lab.fit(recipe)
        fitted, made_with = found.calibrator, found.recipe
        notes = (*fitted.notes_, *preset_note(recipe))
        rows = f"{len(found.corpus)} {'sentences' if made_with.source.has_layers else 'vectors'}"
    file = save_calibrator(fitted, out, spec=calibrator, recipe=made_with.to_dict())
    for said in with_command_remedy([f"{calibrator}: {note}" for note in notes], recipe):
        say(said)
    say(f"saved {calibrator}, fitted on {rows}, to {file}")


def _of_file(recipe: Recipe, source: Path | None) -> Recipe:
    """Return a recipe of the vectors, or the sentences, of a file, if one is named."""
    if source is None:
        return recipe
    if source.suffix.lower() in _SENTENCES:
        if recipe.fit_on != Recipe.fit_on:
            raise InputError(f"{quoted(source)} holds the sentences to fit on: leave --fit-on out")
        return recipe.with_(fit_on=str(source))
    given = recipe.model, recipe.dataset, recipe.fit_on
    if given != (Recipe.model, Recipe.dataset, Recipe.fit_on):
        raise InputError(
            f"{quoted(source)} holds the vectors to fit on: leave --model, --dataset and --fit-on "
            "out"
        )
    return recipe.with_(model=OWN, dataset=str(source))
