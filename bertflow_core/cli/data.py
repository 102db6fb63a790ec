"""`bertflow-lab data`: list and fetch data sets; list and clear the cache."""

import time
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import emit, say
from bertflow_core.errors import check_name
from bertflow_core.runtime.context import progress_bars
from bertflow_core.wording import size_text

COMMANDS = typer.Typer(help="List the data sets, fetch them by name, or list the cache.")


@COMMANDS.callback(invoke_without_command=True)
def list_datasets(context: typer.Context, data_dir: options.DataDir = None) -> None:
    """List the data sets with their pairs by split, and how to get the missing ones."""
    if context.invoked_subcommand is not None:
        return
    from bertflow_core.datasets import available
    from bertflow_core.datasets.corpus import NLI, nli_here

    for info in available(data_dir):
        splits = ", ".join(f"{split} {size}" for split, size in info.splits)
        emit(f"{info.name}: {info.title}")
        emit(f"    {splits or info.where}")
        emit(f"    {info.licence}")
    for name in NLI:
        splits = ", ".join(nli_here(data_dir, name))
        found = f"{splits}: a fit corpus (--fit-on {name})"
        emit(f"{name}: premises, hypotheses and labels")
        emit(f"    {found if splits else f'not here: bertflow-lab data get {name}'}")


@COMMANDS.command()
def get(names: Annotated[list[str], typer.Argument(help="Data sets to fetch.")]) -> None:
    """Fetch data sets from the Hugging Face hub (HF_ENDPOINT) into its cache, where they are read.

    An interrupted download is resumed; a complete one is not fetched again.
    """
    from bertflow_core.datasets.catalog import DOWNLOADS, get_data

    for name in names:
        check_name(name, DOWNLOADS, "data set to fetch")
    for name in names:
        entry = DOWNLOADS[name]
        say(f"{name}: about {entry.source.megabytes} MB; licence: {entry.licence}")
        with progress_bars():
            n_bytes = get_data(name)
        origin = f"{entry.source.repository} at {entry.source.revision}"
        say(f"{name} is available: {size_text(n_bytes)} from {origin}")


@COMMANDS.command()
def cache(
    clear: Annotated[
        bool, typer.Option(help="Delete every stored embedding and the unpacked model.")
    ] = False,
) -> None:
    """List what the cache holds, embeddings and the unpacked model, or clear it."""
    from bertflow_core.encoders.packaged import SMOLLM2
    from bertflow_core.store import EmbeddingStore

    store = EmbeddingStore()
    if clear:
        freed = store.clear() + SMOLLM2.remove()
        say(f"freed {size_text(freed)} under {store.root}")
        return
    entries = store.entries()
    for entry in entries:
        made_by = entry.description
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.last_used))
        emit(
            f"{made_by.get('model', '?')}, at most {made_by.get('max_length', '?')} tokens, "
            f"{made_by.get('dtype', '?')}: {entry.n_sentences} sentences, "
            f"{size_text(entry.n_bytes)}, last used {used}"
        )
    if SMOLLM2.folder.exists():
        emit(f"{SMOLLM2.name}, unpacked from {SMOLLM2.package}: {size_text(SMOLLM2.n_bytes)}")
    total = sum(entry.n_bytes for entry in entries)
    limit = size_text(store.limit_bytes)
    say(f"embeddings: {size_text(total)} of at most {limit} under {store.root}")
