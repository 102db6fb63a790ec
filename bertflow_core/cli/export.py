"""`bertflow-lab export`: a calibrated encoder as a model that other libraries load."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import say
from bertflow_core.runtime.context import progress_bars


def export(
    calibrator: Annotated[Path, typer.Argument(help="File that `bertflow-lab fit` wrote.")],
    out: Annotated[Path, typer.Option(help="New folder to write.")],
    normalize: Annotated[bool, typer.Option(help="Normalise vectors to length 1.")] = False,
    anyway: Annotated[
        bool,
        typer.Option("--anyway", help="Export even if the model's plain output scores higher."),
    ] = False,
    threshold: Annotated[
        Path | None,
        typer.Option(help="JSON of `bertflow-lab analyse thresholds`, exported with the model."),
    ] = None,
    data_dir: options.DataDir = None,
    device: options.Device = None,
    batch_tokens: options.BatchTokens = None,
) -> None:
    """Export encoder and calibrator as a sentence-transformers model, and check its vectors."""
    from bertflow_core.calibrators.saved import load_calibrator
    from bertflow_core.export.card import fewer_features
    from bertflow_core.export.run import export_model
    from bertflow_core.lab.lab import Lab

    if fewer := fewer_features(load_calibrator(calibrator)[0]):
        say(fewer)  # before the work, so that it can be stopped
    lab = Lab(data_dir=data_dir, device=device, batch_tokens=batch_tokens)
    with progress_bars():
        done = export_model(
            calibrator,
            out,
            lab,
            normalize=normalize,
            anyway=anyway,
            threshold=threshold,
        )
    say(f"wrote {done.n_bytes / 1e6:.1f} MB to {done.folder}")
    say(f"loaded by sentence-transformers in a new process: {done.agreement}")
