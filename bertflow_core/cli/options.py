"""The options that several commands share, each written once; their defaults are the recipe's."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.calibrators.registry import CALIBRATORS

__all__ = [
    "CALIBRATOR_NAMES",
    "BatchTokens",
    "DataDir",
    "Dataset",
    "Device",
    "Dtype",
    "FitOn",
    "Layers",
    "Layout",
    "MaxLength",
    "Model",
    "Revision",
    "Scale",
    "Score",
    "Seed",
    "Sentence1",
    "Sentence2",
    "Subset",
    "Tokens",
]

_TABLE = "Columns of a table"


Model = Annotated[str, typer.Option(help="Catalogue name, local folder or hub id.")]
Revision = Annotated[str | None, typer.Option(help="Commit, branch or tag of a hub model.")]
Layers = Annotated[
    str, typer.Option(help="last, last2, first-last or layer:k (0 is the embedding output).")
]
Tokens = Annotated[str, typer.Option(help="Token pooling: mean, cls or max.")]
MaxLength = Annotated[int, typer.Option(help="Longest input in tokens.")]
Dtype = Annotated[str, typer.Option(help="float32 or bfloat16.")]
Device = Annotated[
    str | None, typer.Option(help="cpu, cuda, cuda:N or mps; the best one here by default.")
]
BatchTokens = Annotated[
    int | None, typer.Option("--batch-size", help="Most tokens in one forward call.")
]
Dataset = Annotated[
    str,
    typer.Option(help="teaching, stsb, sts12 ... sts16, sickr, or a .csv, .tsv, .parquet table."),
]
DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder in SentEval's or GLUE's layout; BERTFLOW_DATA by default."),
]
CALIBRATOR_NAMES = f"Names: {', '.join(CALIBRATORS)}."
Layout = Annotated[str | None, typer.Option(help="senteval or glue, where both hold the data.")]
FitOn = Annotated[
    str,
    typer.Option(
        help="target (all sentences of the data set), train, the name of another data set, or "
        "a text file with a sentence a line."
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of whatever is drawn.")]
Sentence1 = Annotated[str | None, typer.Option(help="First sentences.", rich_help_panel=_TABLE)]
Sentence2 = Annotated[str | None, typer.Option(help="Second sentences.", rich_help_panel=_TABLE)]
Score = Annotated[str | None, typer.Option(help="Gold scores.", rich_help_panel=_TABLE)]
Subset = Annotated[str | None, typer.Option(help="Subsets.", rich_help_panel=_TABLE)]
Scale = Annotated[
    str | None,
    typer.Option(help="Lowest and highest gold score: LOW,HIGH.", rich_help_panel=_TABLE),
]
