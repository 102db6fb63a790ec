"""`bertflow-lab embed`, `fit` and `calibrate`: from sentences to vectors to calibrated vectors.

Each takes one file, or many parquet files.
"""

from collections.abc import Sequence
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bertflow_core.cli.console import say
from bertflow_core.cli.options import (
    Asked,
    BatchTokens,
    Device,
    NoStore,
    open_lab,
    spec_option,
    with_params,
    with_recipe,
)
from bertflow_core.encoders.given import OWN
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.errors import InputError
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.context import progress_bars
from bertflow_core.wording import DOCUMENT, quoted

if TYPE_CHECKING:
    from bertflow_core.scale import Calibrate, Embed

_ID, _TEXT, _VECTOR, _SAMPLE = "id", "text", "vector", 1_000_000
_SENTENCES = (".txt", ".csv", ".tsv", ".xlsx", ".jsonl")
_PANEL = "Many files"
_MANY, _ONE = "many parquet files (a folder or a pattern)", "one file"
_OF_MANY = "Many files: a folder of parquet files or a quoted pattern ('DIR/*.parquet')."


def _option_of_many(help: str, *names: str, **more: Any) -> Any:  # noqa: ANN401 - typer's own
    return typer.Option(*names, help=help, rich_help_panel=_PANEL, **more)


Out = Annotated[
    Path,
    typer.Option(
        help="File to write: NAME.npy (float32, one row per sentence) or NAME.parquet (id, text, "
        "vector). For many files, a folder."
    ),
]
SentenceColumn = Annotated[
    str | None, typer.Option(help="Column of the table that holds the sentences.")
]
Force = Annotated[bool, typer.Option(help="Replace the file if it exists.")]
Address = Annotated[
    str | None,
    _option_of_many(
        "Running Ray cluster that processes the files at the same time, with the same result: "
        "auto or HOST[:PORT]."
    ),
]
Key = Annotated[str, _option_of_many("Column of ids, written with the vectors.", "--id")]


@with_params(
    Recipe,
    *("model", "revision", "layers", "tokens", "max_length"),
    *("prompt", "template", "truncate_dim", "precision"),
    layers=PLAIN_LAYERS,
)
def embed(
    recipe: Recipe,
    source: Annotated[
        Path, typer.Argument(help=f"Text file with one sentence per line, or a table. {_OF_MANY}")
    ],
    out: Out,
    column: SentenceColumn = None,
    device: Device = None,
    batch_tokens: BatchTokens = None,
    no_store: NoStore = False,
    force: Force = False,
    key: Key = _ID,
    address: Address = None,
) -> None:
    """Embed sentences and write their vectors, one row per sentence, in order.

    By default they are the model's plain output, as sentence-transformers gives it. Each of many
    parquet files becomes a file of ids and vectors. Run the command again after an interruption: it
    continues with the remaining files.
    """
    from bertflow_core.scale.folders import is_many

    if address is not None or is_many(source):
        from bertflow_core.scale import Embed

        _refuse(_ONE, no_store=no_store)
        names = {"column": column or _TEXT, "key": key}
        stage = Embed(recipe, device=device, batch_tokens=batch_tokens, **names)
        _write_many(stage, source, out, address=address, force=force)
        return
    from bertflow_core.datasets import read_sentences
    from bertflow_core.datasets.vectors import write_vectors
    from bertflow_core.runtime.files import check_target

    _refuse(_MANY, id=key != _ID)
    check_target(out, force=force, endings=(".npy", ".parquet"))
    sentences = read_sentences(source, column)
    lab = open_lab(device=device, batch_tokens=batch_tokens, no_store=no_store)
    with progress_bars():
        (vectors,) = lab.vectors([recipe], sentences)
    write_vectors(out, [vectors.x], len(vectors.x), sentences)
    say(
        f"wrote {len(vectors.x)} x {vectors.x.shape[1]} vectors to {out}; "
        f"{int(vectors.cut.sum())} sentences were cut (input {recipe.length})"
    )


@with_recipe("split", "aggregation", "similarity")
def fit(
    asked: Asked,
    source: Annotated[
        Path | None,
        typer.Argument(
            help="Vectors (.npy, .parquet) or sentences (.txt, table) to fit on, instead of a data "
            f"set. {_OF_MANY}"
        ),
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="File to write: NAME.safetensors.")],
    calibrator: Annotated[
        str, spec_option("Calibrator: name[:key=value,...], steps joined by +.")
    ] = "flow",
    sample: Annotated[
        int,
        _option_of_many(
            "Number of rows to fit on if there are many files, drawn at random with --seed. "
            "Calibrators that need only mean and covariance use all rows.",
            min=2,
        ),
    ] = _SAMPLE,
    column: Annotated[str, _option_of_many("Column of vectors.")] = _VECTOR,
    force: Annotated[bool, typer.Option(help="Replace a saved calibrator.")] = False,
) -> None:
    """Fit a calibrator on the sentences of a data set or text file, or on vectors; save it."""
    from bertflow_core.arrays.saved import check_saved
    from bertflow_core.calibrators.saved import save_calibrator
    from bertflow_core.lab.remarks import preset_note, with_remedy
    from bertflow_core.scale.folders import is_many

    of_many = {"column": column != _VECTOR, "sample": sample != _SAMPLE}
    check_saved(out, force=force)
    recipe = _of_file(asked.recipe, source).with_(calibrator=calibrator)
    if source is not None and (
        is_many(source) or (any(of_many.values()) and source.name.endswith(".parquet"))
    ):
        from bertflow_core.scale import fit_files

        _refuse(_ONE, no_store=asked.of_lab["no_store"])
        with progress_bars():
            done = fit_files(
                calibrator,
                source,
                seed=recipe.seed,
                n_sample=sample,
                device=asked.of_lab["device"],
                column=column,
            )
        fitted, made_with, notes = done.calibrator, done.recipe, done.notes
        rows = f"{done.n_rows:,} vectors"
    else:
        _refuse(_MANY, **of_many)
        with progress_bars():
            found = asked.lab.fit(recipe)
        fitted, made_with = found.calibrator, found.recipe
        notes = (*fitted.notes_, *preset_note(recipe))
        rows = f"{len(found.corpus)} {'sentences' if made_with.source.has_layers else 'vectors'}"
    file = save_calibrator(fitted, out, spec=calibrator, recipe=made_with.to_dict())
    for said in with_remedy([f"{calibrator}: {note}" for note in notes], recipe):
        say(said)
    say(f"saved {calibrator}, fitted on {rows}, to {file}")


def _of_file(recipe: Recipe, source: Path | None) -> Recipe:
    """Return a recipe for the vectors or sentences of a file; without a file, the same recipe."""
    if source is None:
        return recipe
    holds, own, names = "vectors", {"model": OWN, "dataset": str(source)}, "--model, --dataset and "
    if source.suffix.lower() in _SENTENCES:
        holds, own, names = "sentences", {"fit_on": str(source)}, ""
    if any(getattr(recipe, name) != getattr(Recipe, name) for name in (*own, "fit_on")):
        message = f"{quoted(source)} holds the {holds} to fit on: leave {names}--fit-on out"
        raise InputError(message)
    return recipe.with_(**own)


def calibrate(
    source: Annotated[
        Path,
        typer.Argument(
            help="Vectors (.npy), sentences (.txt), or a table of either, whichever the calibrator "
            f"was fitted on. {_OF_MANY}"
        ),
    ],
    calibrator: Annotated[Path, typer.Option(help="File that `bertflow-lab fit` wrote.")],
    out: Out,
    column: SentenceColumn = None,
    device: Device = None,
    batch_tokens: BatchTokens = None,
    no_store: NoStore = False,
    force: Force = False,
    key: Key = _ID,
    address: Address = None,
) -> None:
    """Calibrate vectors; sentences are embedded first, with the recipe saved in the calibrator."""
    from bertflow_core.scale.folders import is_many

    given = {"device": device is not None, "batch_size": batch_tokens is not None}
    of_embedding = {"no_store": no_store, **given}
    if address is not None or is_many(source):
        from bertflow_core.scale import Calibrate

        _refuse("sentences, which are embedded first,", **of_embedding)
        stage = Calibrate(calibrator, column=column or _VECTOR, key=key)
        _write_many(stage, source, out, address=address, force=force)
        _say_fitted_on(stage.fitted_with)
        return
    from bertflow_core.arrays.npy import open_npy
    from bertflow_core.calibrators.saved import load_calibrator
    from bertflow_core.datasets import read_sentences, read_vectors
    from bertflow_core.datasets.vectors import write_vectors
    from bertflow_core.runtime.files import check_target

    _refuse(_MANY, id=key != _ID)
    check_target(out, force=force, endings=(".npy", ".parquet"))
    fitted, config = load_calibrator(calibrator)
    saved = config.get("recipe")
    recipe = Recipe.from_dict(saved) if isinstance(saved, dict) else None
    of_vectors = recipe is not None and not recipe.source.has_layers
    sentences: Sequence[str] | None = None
    if source.name.endswith(".npy") or of_vectors:
        if column is not None:
            raise InputError(f"{quoted(source)} holds vectors and no columns: leave out --column")
        _refuse("sentences, which are embedded first,", **of_embedding)
        x = read_vectors(source).x if of_vectors else open_npy(source, source.name)
    elif recipe is None:
        raise InputError(
            f"{quoted(calibrator)} holds no recipe, so sentences cannot be embedded: "
            "give a .npy file"
        )
    else:
        lab = open_lab(device=device, batch_tokens=batch_tokens, no_store=no_store)
        with progress_bars():
            sentences = read_sentences(source, column)
            is_sided = not has_magic(recipe.dataset) and lab.has_sides(recipe)
            sides = (DOCUMENT,) * len(sentences) if is_sided else ()
            x = next(lab.vectors([recipe], sentences, sides=sides)).x
        if sides:
            say("the sentences were embedded as documents, as those of the fit corpus were")
    with progress_bars():
        write_vectors(out, fitted.transform_blocks(x), len(x), sentences)
    n_features = len(fitted.get_feature_names_out())
    say(f"wrote {len(x)} x {n_features} calibrated vectors to {out}")
    if sentences is None:
        _say_fitted_on(saved)


def _say_fitted_on(saved: object) -> None:
    from bertflow_core.scale.batches import vectors_recipe

    recipe = Recipe.from_dict(saved) if isinstance(saved, dict) else None
    if recipe is not None and recipe.source.has_layers:
        said = vectors_recipe(recipe).caption()
        say(f"the calibrator was fitted on vectors of {said}: give it only such vectors")


def _refuse(belong: str, **given: bool) -> None:
    """Refuse options that were given although only `belong` takes them."""
    names = [f"--{name.replace('_', '-')}" for name, is_given in given.items() if is_given]
    if names:
        raise InputError(f"only {belong} can take {' and '.join(names)}: leave it out")


def _write_many(
    stage: "Embed | Calibrate",
    source: Path,
    out: Path,
    **options: Any,  # noqa: ANN401 - of `write_files`
) -> None:
    from bertflow_core.scale import write_files

    if out.suffix in (".npy", ".parquet"):
        raise InputError(f"many files are read, so --out must name a folder, got {quoted(out)}")
    with progress_bars():
        done = write_files(stage, source, out, **options)
    skipped = f" ({done.n_skipped:,} of them existed already)" if done.n_skipped else ""
    cut = f"; {done.cut:,} sentences were cut" if done.cut else ""
    files = f"{done.n_files:,} files{skipped}"
    say(f"wrote {done.rows:,} x {done.width} vectors in {files} to {out}{cut}")
    if done.refused:
        say(
            f"rows that could not be used: {done.refused:,} ({done.reason}); their vector is null, "
            "and the column refused says why"
        )
