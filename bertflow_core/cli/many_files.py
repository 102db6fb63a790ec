"""What `embed`, `fit` and `calibrate` share where their input is many parquet files."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bertflow_core.cli.console import progress_bars, say
from bertflow_core.errors import InputError

if TYPE_CHECKING:
    from bertflow_core.scale import Calibrate, Embed

ID, TEXT, VECTOR = "id", "text", "vector"
SAMPLE = 1_000_000


class EngineName(StrEnum):
    """The engines."""

    PROCESS = "process"
    RAY = "ray"


_PANEL = "Many files"
MANY = "many parquet files (a folder or a pattern)"
ONE = "one file"

Out = Annotated[
    Path,
    typer.Option(
        help="File to write: NAME.npy, float32, a row each, or NAME.parquet with id, text and "
        "vector. Of many files a folder."
    ),
]

SentenceColumn = Annotated[str | None, typer.Option(help="Column of a table's sentences.")]

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
        "decide it; --seed chooses them.",
        rich_help_panel=_PANEL,
    ),
]

VectorColumn = Annotated[
    str, typer.Option("--column", help="Column of vectors.", rich_help_panel=_PANEL)
]

Key = Annotated[
    str,
    typer.Option(
        "--id", help="Column of ids, which stays beside the vectors.", rich_help_panel=_PANEL
    ),
]


def are_many(source: Path, engine: EngineName, address: str | None) -> bool:
    """Tell whether a command reads many parquet files: a folder, a pattern, or by its engine."""
    from bertflow_core.scale import is_many

    return engine != EngineName.PROCESS or address is not None or is_many(source)


def refuse_options(belong: str, **given: bool) -> None:
    """Refuse options, by whether each was given, that only what they belong to can take."""
    names = [f"--{name.replace('_', '-')}" for name, is_given in given.items() if is_given]
    if names:
        raise InputError(f"only {belong} can take {' and '.join(names)}: leave it out")


def write_many(
    stage: "Embed | Calibrate",
    source: Path,
    out: Path,
    **options: Any,  # noqa: ANN401 - of `write_files`
) -> None:
    """Write what a stage makes of many files, and say what was done."""
    from bertflow_core.scale import write_files

    if out.suffix in (".npy", ".parquet"):
        raise InputError("--out must name a folder where many files are read: give one")
    with progress_bars():
        done = write_files(stage, source, out, **options)
    skipped = f" ({done.n_skipped:,} of them were there)" if done.n_skipped else ""
    cut = f"; {done.cut:,} sentences were cut" if done.cut else ""
    files = f"{done.n_files:,} files{skipped}"
    say(f"wrote {done.rows:,} x {done.width} vectors in {files} to {out}{cut}")
    if done.refused:
        say(
            f"rows that could not be used: {done.refused:,} ({done.reason}); their vector is null, "
            "and the column refused says why"
        )
