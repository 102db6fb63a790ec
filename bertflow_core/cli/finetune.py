"""`bertflow-lab finetune-nli`: an encoder trained on inference pairs, as the paper's BERT-NLI."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import progress_bars, say
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe


def finetune_nli(
    out: Annotated[Path, typer.Option(help="Folder to write: a sentence-transformers model.")],
    model: options.Model = Recipe.model,
    revision: options.Revision = None,
    data: Annotated[
        list[str] | None, typer.Option(help="snli or mnli, repeatable; both by default.")
    ] = None,
    split: Annotated[
        list[str] | None,
        typer.Option(
            help="train, dev or test, repeatable; by default all of SNLI and MNLI's train, as the "
            "paper's code."
        ),
    ] = None,
    data_dir: options.DataDir = None,
    max_pairs: Annotated[
        int | None, typer.Option(help="Pairs to train on, drawn once from all; all by default.")
    ] = None,
    max_length: options.MaxLength = 64,
    seed: options.Seed = 0,
    device: options.Device = None,
) -> None:
    """Train an encoder on SNLI and MNLI as the paper's Table 3 does; run again to resume.

    Siamese, softmax over (u, v, |u - v|), mean pooling; one epoch, learning rate 2e-5, batches of
    16, 10 % linear warm-up. Needs pip install "bertflow-lab[train]".
    """
    from bertflow_core.datasets.folders import DATA_VARIABLE, data_root
    from bertflow_core.finetuning import NliTraining
    from bertflow_core.finetuning import finetune_nli as train

    training = NliTraining(
        model=model,
        revision=revision,
        data=tuple(data) if data else NliTraining.data,
        splits=tuple(split or ()),
        max_pairs=max_pairs,
        max_length=max_length,
        seed=seed,
    )
    root = data_root(data_dir)
    if root is None:
        raise InputError(
            f"name the folder that holds snli and mnli with --data-dir or {DATA_VARIABLE}"
        )
    with progress_bars() as progress:
        made = train(training, out, data_dir=root, device=device, progress=progress)
    resumed = f" (resumed at {made.resumed_at:,})" if made.resumed_at else ""
    say(
        f"wrote {out}: {made.n_pairs:,} pairs, {made.n_steps:,} steps{resumed}, mean loss "
        f"{made.loss:.4f} nats, {made.seconds:.0f} s; score it with --model {out}"
    )
