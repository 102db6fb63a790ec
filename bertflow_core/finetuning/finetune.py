"""Training an encoder on inference pairs, from the data folder to a model's folder; resumable."""

import json
import shutil
import time
from dataclasses import dataclass
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any

from bertflow_core.device import resolve_device
from bertflow_core.encoders import ModelFolder, resolve_model
from bertflow_core.encoders.loading import loading
from bertflow_core.errors import InputError
from bertflow_core.files import atomic_write, cannot_write, disk_errors, make_folder
from bertflow_core.files.exchange import put_in_place
from bertflow_core.files.scratch import scratch_beside
from bertflow_core.finetuning.card import model_card
from bertflow_core.finetuning.inference_pairs import InferencePairs, read_inference_pairs
from bertflow_core.finetuning.training import NliTraining
from bertflow_core.progress import Progress, silent
from bertflow_core.wording import quoted

__all__ = ["Finetuned", "finetune_nli", "unfinished_folder"]

NOTE = "training.json"
_NEEDED = ("accelerate", "datasets", "sentence_transformers")
_CHECKPOINTS = 20
_STEPS_BETWEEN = 100, 1_000  # at least, at most


@dataclass(frozen=True)
class Finetuned:
    """A finished training.

    Attributes:
        folder: A sentence-transformers folder, which `--model` takes.
        n_pairs: Pairs trained on.
        n_steps: Steps of the whole training.
        loss: Mean cross-entropy of the steps of this run, in nats.
        resumed_at: The step this run began at.
        seconds: Of this run's steps.
    """

    folder: Path
    n_pairs: int
    n_steps: int
    loss: float
    resumed_at: int
    seconds: float


def finetune_nli(
    training: NliTraining,
    folder: Path,
    *,
    data_dir: Path,
    device: str | None = None,
    save_every: int | None = None,
    progress: Progress = silent,
) -> Finetuned:
    """Train a model on inference pairs and write its folder, whole or not at all.

    Until then checkpoints lie beside it, in `unfinished_folder`: a training that was stopped goes
    on from the last one when it is called again, and ends with the same weights on the same
    machine.

    Args:
        training: The settings.
        folder: What to write; it must not exist.
        data_dir: Holds the inference data.
        device: `cpu`, `cuda` or `mps`; None takes the best of this machine.
        save_every: Steps between checkpoints; None makes about 20 of them, from one in 100 steps to
            one in 1,000.
        progress: Called with `(done, total, unit)`: pairs as they are read, then steps; may raise
            `Cancelled`.

    Raises:
        InputError: Settings, data or a model that cannot be used, packages that are not installed,
            or a folder that holds something else.
        ResourceError: The disk or the network failed.
    """
    _check_packages()
    on_cpu = resolve_device(device).type == "cpu"
    _check_free(folder)
    model = resolve_model(training.model, revision=training.revision, progress=progress)
    _check_length(training, model)
    pairs = read_inference_pairs(data_dir, training, progress=progress)
    unfinished = unfinished_folder(folder)
    _claim(unfinished, training, model, pairs)
    n_steps = training.epochs * ceil(len(pairs) / training.batch_size)
    fewest, most = _STEPS_BETWEEN
    every = save_every or min(most, max(fewest, ceil(n_steps / _CHECKPOINTS)))

    from bertflow_core.finetuning.trainer import last_checkpoint, new_trainer

    with loading(model):
        trainer = new_trainer(
            training,
            model,
            pairs.pairs,
            unfinished,
            on_cpu=on_cpu,
            save_every=every,
            progress=progress,
        )
    checkpoint = last_checkpoint(unfinished)
    start = time.perf_counter()
    try:
        result = trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    except OSError as error:
        raise cannot_write(unfinished, error) from error
    seconds = time.perf_counter() - start
    card = model_card(training, model, pairs, n_steps=n_steps)
    _write(folder, trainer.model, card)
    shutil.rmtree(unfinished, ignore_errors=True)
    resumed_at = int(checkpoint.name.rpartition("-")[2]) if checkpoint else 0
    return Finetuned(folder, len(pairs), n_steps, result.training_loss, resumed_at, seconds)


def unfinished_folder(folder: Path) -> Path:
    """Return where the checkpoints of a training lie until its folder is written."""
    return folder.with_name(f"{folder.name}.unfinished")


def _check_packages() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(
            f"training needs {' and '.join(missing)}, which are not installed: pip install "
            '"bertflow-lab[train]"'
        )


def _check_free(folder: Path) -> None:
    with disk_errors(folder):
        if folder.exists():
            raise InputError(f"{quoted(folder)} exists: name a new folder for the trained model")


def _check_length(training: NliTraining, model: ModelFolder) -> None:
    longest = model.max_positions
    if longest is not None and training.max_length > longest:
        raise InputError(
            f"max_length must be at most {longest} tokens for {quoted(model.name)}, got "
            f"{training.max_length}"
        )


def _claim(
    unfinished: Path, training: NliTraining, model: ModelFolder, pairs: InferencePairs
) -> None:
    """Note in a folder which training its checkpoints are of; refuse those of another one."""
    wanted = {"training": training.to_dict(), "model": model.digest, "pairs": pairs.digest}
    note = unfinished / NOTE
    try:
        if unfinished.exists():
            found = _read_note(note)
            if found != wanted:
                raise InputError(
                    f"{quoted(unfinished)} holds the checkpoints of another training: go on with "
                    "its own options, name another --out, or delete that folder"
                )
            return
        make_folder(unfinished)
        with atomic_write(note) as scratch:
            scratch.write_text(json.dumps(wanted, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise cannot_write(unfinished, error) from error


def _read_note(note: Path) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _write(folder: Path, model: Any, card: str) -> None:  # noqa: ANN401 - imported late
    """Save a trained model and its card under a name that is free."""
    try:
        make_folder(folder.parent)
        with scratch_beside(folder) as scratch:
            model.save_pretrained(str(scratch.new), create_model_card=False)
            (scratch.new / "README.md").write_text(card, encoding="utf-8")
            _check_free(folder)
            put_in_place(scratch.new, folder, scratch.old)
    except OSError as error:
        raise cannot_write(folder, error) from error
