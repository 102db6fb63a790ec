"""`bertflow-lab embed`: the vectors of sentences as a `.npy` file."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli import many_files, options
from bertflow_core.cli.console import progress_bars, say
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.recipe import Recipe


@options.with_params(
    Recipe,
    *("model", "revision", "layers", "tokens", "max_length"),
    *("prompt", "truncate_dim", "precision"),
    layers=DECLARED,
)
def embed(
    recipe: Recipe,
    source: Annotated[
        Path,
        typer.Argument(
            help="Text file with one sentence per line, or a table. A folder "
            "of parquet files, or their pattern in quotes ('DIR/*.parquet'), for many."
        ),
    ],
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
    """Embed sentences and write their vectors, one row per sentence, in order.

    By default they are those that the model's folder declares, as sentence-transformers gives them.
    Of many parquet files each becomes one of ids and vectors; run again after an interruption, it
    goes on with the files that are left.
    """
    if many_files.are_many(source, engine, address):
        from bertflow_core.scale import Embed

        many_files.refuse_options(many_files.ONE, no_store=no_store)
        stage = Embed(
            recipe,
            column=column or many_files.TEXT,
            key=key,
            device=device,
            batch_tokens=batch_tokens,
        )
        many_files.write_many(stage, source, out, engine=engine, address=address, force=force)
        return
    from bertflow_core.datasets import read_sentences
    from bertflow_core.datasets.vectors import write_vectors
    from bertflow_core.files import check_target

    many_files.refuse_options(many_files.MANY, id=key != many_files.ID)
    check_target(out, force=force, endings=(".npy", ".parquet"))
    sentences = read_sentences(source, column)
    lab = options.open_lab(device=device, batch_tokens=batch_tokens, no_store=no_store)
    with progress_bars():
        vectors = lab.vectors(recipe, sentences)
    write_vectors(out, [vectors.x], len(vectors.x), sentences)
    say(
        f"wrote {len(vectors.x)} x {vectors.x.shape[1]} vectors to {out}; "
        f"{int(vectors.cut.sum())} sentences were cut (input {recipe.length})"
    )
