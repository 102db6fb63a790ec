"""`bertflow-lab data`: which data sets are here, and what the cache holds."""

import time
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.commands import Commands
from bertflow_core.cli.console import emit, say
from bertflow_core.wording import size_text

COMMANDS = Commands(help="List the data sets, or the cache of embeddings.")


@COMMANDS.callback(invoke_without_command=True)
def list_datasets(context: typer.Context, data_dir: options.DataDir = None) -> None:
    """List the data sets: their pairs by split, or where to look for those that are missing."""
    if context.invoked_subcommand is not None:
        return
    from bertflow_core.datasets import available

    for info in available(data_dir):
        splits = ", ".join(f"{split} {n} pairs" for split, n in info.splits)
        emit(f"{info.name}: {info.title}")
        emit(f"    {splits or info.where}")
        emit(f"    {info.licence}")


@COMMANDS.command()
def cache(
    clear: Annotated[bool, typer.Option(help="Delete every stored embedding.")] = False,
) -> None:
    """List what the cache of embeddings holds, or clear it."""
    from bertflow_core.store import EmbeddingStore

    store = EmbeddingStore()
    if clear:
        say(f"freed {size_text(store.clear())} under {store.root}")
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
    total = sum(entry.n_bytes for entry in entries)
    say(f"{size_text(total)} of at most {size_text(store.limit_bytes)} under {store.root}")
