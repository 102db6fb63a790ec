"""`bertflow-lab calibrate`: apply a saved calibrator to vectors, or to the sentences of a table."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli import many_files, options
from bertflow_core.cli.console import progress_bars, say
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted


def calibrate(
    source: Annotated[
        Path,
        typer.Argument(
            help="Vectors as .npy, or sentences as .txt or a table; for a calibrator that was "
            "fitted on vectors, a table of vectors too. A folder of parquet "
            "files of vectors, or their pattern in quotes ('DIR/*.parquet'), for many."
        ),
    ],
    calibrator: Annotated[Path, typer.Option(help="File that `bertflow-lab fit` wrote.")],
    out: many_files.Out,
    column: many_files.SentenceColumn = None,
    device: options.Device = None,
    batch_tokens: options.BatchTokens = None,
    no_store: options.NoStore = False,
    force: Annotated[bool, typer.Option(help="Replace the file if it exists.")] = False,
    key: many_files.Key = many_files.ID,
    engine: many_files.Engine = many_files.EngineName.PROCESS,
    address: many_files.Address = None,
) -> None:
    """Calibrate vectors; sentences are embedded first, with the recipe saved in the calibrator."""
    refuse_of_embedding = partial(
        many_files.refuse_options,
        "sentences, which are embedded first,",
        no_store=no_store,
        device=device is not None,
        batch_size=batch_tokens is not None,
    )
    if many_files.are_many(source, engine, address):
        from bertflow_core.scale import Calibrate

        refuse_of_embedding()
        stage = Calibrate(calibrator, column=column or many_files.VECTOR, key=key)
        _say_other_vectors(stage.fitted_with, source)
        many_files.write_many(stage, source, out, engine=engine, address=address, force=force)
        return
    from bertflow_core.calibrators.saved import load_calibrator
    from bertflow_core.datasets import read_sentences, read_vectors
    from bertflow_core.datasets.vectors import write_vectors
    from bertflow_core.files import check_target, open_npy

    many_files.refuse_options(many_files.MANY, id=key != many_files.ID)
    check_target(out, force=force, endings=(".npy", ".parquet"))
    is_npy = source.name.endswith(".npy")
    fitted, config = load_calibrator(calibrator)
    saved = config.get("recipe")
    recipe = Recipe.from_dict(saved) if isinstance(saved, dict) else None
    of_vectors = recipe is not None and not recipe.source.has_layers
    sentences: Sequence[str] | None = None
    if is_npy or of_vectors:
        if column is not None:
            raise InputError(f"{quoted(source)} holds vectors and no columns: leave out --column")
        refuse_of_embedding()
        x = read_vectors(source).x if of_vectors else open_npy(source, source.name)
    else:
        if recipe is None:
            raise InputError(f"{quoted(calibrator)} holds no recipe to embed by: give a .npy file")
        lab = options.open_lab(device=device, batch_tokens=batch_tokens, no_store=no_store)
        with progress_bars():
            sentences = read_sentences(source, column)
            x = lab.vectors(recipe, sentences).x
    with progress_bars():
        write_vectors(out, fitted.transform_blocks(x), len(x), sentences)
    n_features = len(fitted.get_feature_names_out())
    say(f"wrote {len(x)} x {n_features} calibrated vectors to {out}")
    if is_npy and recipe is not None and not of_vectors:
        say(f"{_fitted_on(recipe)}: those it is given must be too")


def _say_other_vectors(saved: object, source: Path) -> None:
    """Say what a calibrator was fitted on, unless the vectors of files are known to be that."""
    from bertflow_core.scale import find_files, recipe_of

    given = recipe_of(find_files(source), source)
    fitted = Recipe.from_dict(saved) if isinstance(saved, dict) else None
    if fitted is None or not fitted.source.has_layers:
        return
    if not given.source.has_layers:
        say(f"{_fitted_on(fitted)}: those it is given must be too")
    elif _of_vectors(given, fitted.revision) != _of_vectors(fitted, given.revision):
        said = _of_vectors(given).caption()
        say(f"{_fitted_on(fitted)}, and {quoted(source)} holds those of {said}: take the same")


def _of_vectors(recipe: Recipe, revision: str | None = None) -> Recipe:
    """Return the fields that decide vectors; `revision` fills one that is left open."""
    from bertflow_core.scale import vectors_recipe

    return vectors_recipe(recipe).with_(revision=recipe.revision or revision)


def _fitted_on(recipe: Recipe) -> str:
    return f"the calibrator was fitted on vectors of {_of_vectors(recipe).caption()}"
