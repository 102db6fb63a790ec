"""What `embed`, `fit` and `calibrate` share where their input is many parquet files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bertflow_core.cli.console import progress_bars, say
from bertflow_core.cli.streams import STANDARD
from bertflow_core.errors import InputError
from bertflow_core.scale.engines import EngineName
from bertflow_core.scale.names import ID, TEXT, VECTOR

if TYPE_CHECKING:
    from bertflow_core.recipe import Recipe
    from bertflow_core.scale.work import Stage

__all__ = [
    "ID",
    "MANY",
    "ONE",
    "TEXT",
    "VECTOR",
    "Address",
    "Engine",
    "Key",
    "Sample",
    "VectorColumn",
    "apply_stage",
    "are_shards",
    "fit_and_save",
    "refuse_options",
]

_PANEL = "Many files"
MANY = "many parquet files (a folder or a pattern)"
ONE = "one file"

Engine = Annotated[
    EngineName,
    typer.Option(
        help="Where the work on many parquet files is done: in this process, or by the workers of "
        "a Ray cluster, with the same result.",
        rich_help_panel=_PANEL,
    ),
]

Address = Annotated[
    str | None,
    typer.Option(
        help="A running Ray cluster: auto, or HOST[:PORT]; without it one is started on this "
        "machine.",
        rich_help_panel=_PANEL,
    ),
]

Sample = Annotated[
    int,
    typer.Option(
        min=2,
        help="Rows of many files that a calibrator is fitted on if mean and covariance do not "
        "decide it; ids and --seed choose them.",
        rich_help_panel=_PANEL,
    ),
]

VectorColumn = Annotated[
    str, typer.Option("--column", help="Column of vectors.", rich_help_panel=_PANEL)
]

Key = Annotated[
    str,
    typer.Option(
        "--id", help="Column of ids; rows without get FILE:NUMBER.", rich_help_panel=_PANEL
    ),
]


def are_shards(source: Path, engine: EngineName, address: str | None) -> bool:
    """Tell whether a command's input is many parquet files: a folder, a pattern, or by its engine.

    Raises:
        InputError: It is standard input, which no engine reads.
    """
    from bertflow_core.scale.shards import is_pattern

    of_many = engine != EngineName.PROCESS or address is not None
    if str(source) == STANDARD and of_many:
        raise InputError("--engine and --address are for parquet files: name them")
    return of_many or is_pattern(source)


def refuse_options(belong: str, **given: bool) -> None:
    """Refuse options that would be ignored.

    Args:
        belong: What they are for.
        given: Whether each, by its name, was given.

    Raises:
        InputError: One was.
    """
    names = [f"--{name.replace('_', '-')}" for name, is_given in given.items() if is_given]
    if names:
        raise InputError(f"only {belong} can take {' and '.join(names)}: leave it out")


def apply_stage(
    stage: "Stage", source: Path, out: Path, *, engine: EngineName, address: str | None, force: bool
) -> None:
    """Apply a stage to shards, and say what was done.

    Raises:
        InputError: As `run_stage`; or `out` is standard output or a file.
        ResourceError: As `run_stage`.
    """
    from bertflow_core.scale import open_engine, run_stage
    from bertflow_core.scale.outputs import REFUSED_ROWS
    from bertflow_core.scale.shard import ENDING

    if str(out) == STANDARD or out.suffix in (".npy", ENDING):
        raise InputError("--out must name a folder where many files are read: give one")
    with open_engine(engine, address=address) as at, progress_bars() as progress:
        done = run_stage(stage, source, out, engine=at, force=force, progress=progress)
    skipped = f" ({done.n_skipped:,} of them were there)" if done.n_skipped else ""
    cut = f"; {done.cut:,} sentences were cut" if done.cut else ""
    files = f"{done.n_shards:,} files{skipped}"
    say(f"wrote {done.rows:,} x {done.width} vectors in {files} to {out}{cut}")
    if done.refused:
        say(
            f"rows that could not be used: {done.refused:,} ({done.reason}); they are in "
            f"{out / REFUSED_ROWS}"
        )


def fit_and_save(
    recipe: "Recipe",
    source: Path,
    out: Path,
    *,
    engine: EngineName,
    address: str | None,
    **options: Any,  # noqa: ANN401 - of `fit_shards`
) -> None:
    """Fit a calibrator on shards of vectors and save it.

    Args:
        recipe: Its calibrator and its seed count.
        source: The shards.
        out: Folder to write.
        engine: Where they are read.
        address: Of a Ray cluster.
        options: As `fit_shards`.

    Raises:
        InputError: As `fit_shards`.
        ResourceError: As `fit_shards`.
    """
    from bertflow_core.calibrators.persistence import save_calibrator
    from bertflow_core.scale import fit_shards, open_engine

    spec = recipe.calibrator
    with open_engine(engine, address=address) as at, progress_bars() as progress:
        done = fit_shards(spec, source, engine=at, seed=recipe.seed, progress=progress, **options)
    save_calibrator(done.calibrator, out, spec=spec, recipe=done.recipe.to_dict())
    for note in done.notes:
        say(f"{spec}: {note}")
    say(f"saved {spec}, fitted on {done.n_rows:,} vectors, to {out}")
