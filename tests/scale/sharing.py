"""What each of two processes does, in a program of its own: `sharing.py FOLDER PORT PORT PORT`.

Each group of processes has a port; RANK and the other variables of torchrun are set. At the first
port is a store already, as torchrun's agent keeps one.
"""

import os
import sys
from contextlib import redirect_stderr
from datetime import timedelta
from pathlib import Path

import numpy as np
import torch
from torch.distributed.distributed_c10d import _set_pg_timeout

from bertflow_core.cli import main
from bertflow_core.errors import InputError
from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow
from bertflow_core.flows.engine import Engine
from bertflow_core.processes import joined_processes
from bertflow_core.scale.drawing import drawn_once
from bertflow_core.scale.sampling import Drawn

__all__ = ["CASES", "fitted", "made"]

CASES = {
    "torch": (torch.float64, GlowConfig(2, 2, 8, permutation="linear"), TrainingConfig(epochs=2)),
    "compiled": (torch.float64, GlowConfig(2, 2, 8), TrainingConfig(epochs=2, seed=3)),
    "affine": (
        torch.float64,
        GlowConfig(1, 2, 33, "affine", initialization="random"),
        TrainingConfig(batch_size=261, epochs=8, clip_norm=1e-3, weight_decay=0.1),
    ),
    "default": (torch.float32, GlowConfig(), TrainingConfig()),
}


def made(dtype: torch.dtype) -> torch.Tensor:
    """Rows that no linear map makes normal."""
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(700, 12, generator=generator, dtype=torch.float64)
    x[:, 6:] += x[:, :6].square()
    return x.to(dtype)


def fitted(name: str) -> dict[str, np.ndarray]:
    """Return the parameters, the records and the latents of a case."""
    dtype, glow, training = CASES[name]
    x = made(dtype)
    engine = Engine.TORCH if name == "torch" else Engine.COMPILED
    done = fit_flow(x, glow=glow, training=training, engine=engine)
    records = [(step.bits_per_dimension, step.gradient_norm) for step in done.steps]
    with torch.no_grad():
        latents = done.flow.to_latent(x).numpy()
    arrays = done.flow.state()[1]
    return {**arrays, "records": np.array(records), "latents": latents}


def refusal(rows: int, training: TrainingConfig, glow: GlowConfig | None = None) -> str:
    """Return the sentence that refuses a fit on the first rows, or nothing."""
    try:
        fit_flow(made(torch.float32)[:rows], glow=glow or GlowConfig(), training=training)
    except InputError as error:
        return str(error)
    return ""


def drawn_values(value: float) -> np.ndarray:
    """Return a sample of one value as this process has it; only the first draws it."""
    draw = Drawn(np.zeros(3, np.uint64), np.full((3, 2), value, np.float32), 3, 0, "")
    with drawn_once(lambda: draw) as drawn:
        return np.array(drawn.x)


def run() -> None:
    """Fit every case, meet three refusals, draw two samples, and give two commands."""
    folder, rank = Path(sys.argv[1]), int(os.environ["RANK"])
    ports = iter(sys.argv[2:])
    os.environ["MASTER_PORT"] = next(ports)
    with joined_processes("cpu"):
        for name in CASES:
            np.savez(folder / f"{name}-{rank}.npz", **fitted(name))
        said = [
            refusal(700 - rank, TrainingConfig()),
            refusal(700, TrainingConfig(seed=rank)),
            refusal(700, TrainingConfig(), GlowConfig(1, 2, 8 + rank)),
        ]
        draws = [drawn_values(value) for value in (1.0, 2.0)]
    with joined_processes("cpu") as processes:  # the store knows what was told before
        _set_pg_timeout(timedelta(milliseconds=1))  # of a step: meeting may take longer
        if rank == 1:
            sum(range(1_000_000))
        processes.meet()
        draws.append(drawn_values(3.0))
    del os.environ["TORCHELASTIC_USE_AGENT_STORE"]
    np.save(folder / f"draws-{rank}.npy", draws)
    (folder / f"refused-{rank}.txt").write_text("\n".join(said))
    for name, source in (("good", "shards"), ("bad", "x.npy")):
        os.environ["MASTER_PORT"] = next(ports)
        give_command(folder, name, source, rank)


def give_command(folder: Path, name: str, source: str, rank: int) -> None:
    """Fit on a source from the command line; keep what it says, and its code."""
    words = ["fit", str(folder / source), "--out", str(folder / name), "--device", "cpu"]
    with (folder / f"{name}-{rank}.txt").open("w") as said, redirect_stderr(said):
        try:
            main(words)
        except SystemExit as left:
            print("code", left.code, file=said)


if __name__ == "__main__":
    run()
