"""The trainer of sentence-transformers, with a head that is part of its checkpoints."""

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from datasets import Dataset
from safetensors.torch import load_file, save_file
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from sentence_transformers.sentence_transformer.losses import SoftmaxLoss
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from transformers import (
    PrinterCallback,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
    set_seed,
)

from bertflow_core.datasets.nli import NliPair
from bertflow_core.encoders import ModelFolder
from bertflow_core.finetuning.inference_pairs import LABELS
from bertflow_core.finetuning.training import NliTraining
from bertflow_core.progress import Progress

__all__ = ["NliTrainer", "last_checkpoint", "new_trainer"]

HEAD = "head.safetensors"
STATE = "trainer_state.json"
"""Written last: a checkpoint that has it is whole."""

_KEPT = 2
_HEAD_SD = 0.02


class NliTrainer(SentenceTransformerTrainer):
    """Trains encoder and head; a checkpoint holds both.

    sentence-transformers saves the encoder alone, as the head is of no use afterwards. A resumed
    training would then begin with a new head, and with the old one's moments in the optimizer.
    """

    head: torch.nn.Linear

    def add_model_card_callback(self, default_args_dict: dict[str, object]) -> None:
        """Leave it out: the card is this package's own, and theirs asks the hub."""

    def _save(
        self, output_dir: str | None = None, state_dict: dict[str, torch.Tensor] | None = None
    ) -> None:
        folder = Path(output_dir or str(self.args.output_dir))
        self.model.save_pretrained(str(folder), create_model_card=False)
        save_file(self.head.state_dict(), folder / HEAD)

    def _load_from_checkpoint(self, checkpoint_path: str) -> None:  # type: ignore[override]
        super()._load_from_checkpoint(checkpoint_path)
        self.head.load_state_dict(load_file(Path(checkpoint_path) / HEAD))


class _Reporter(TrainerCallback):
    """Passes every step on to `progress`."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def on_train_begin(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        **kwargs: object,
    ) -> None:
        self._progress(state.global_step, state.max_steps, "steps")

    on_step_end = on_train_begin


def new_trainer(
    training: NliTraining,
    model: ModelFolder,
    pairs: Sequence[NliPair],
    folder: Path,
    *,
    on_cpu: bool,
    save_every: int,
    progress: Progress,
) -> NliTrainer:
    """Return a trainer of a model on pairs that keeps its checkpoints in a folder.

    Args:
        training: Its settings.
        model: The encoder to begin with.
        pairs: To train on.
        folder: Of the checkpoints.
        on_cpu: Whether to leave an accelerator alone; else the first one is used.
        save_every: Steps between checkpoints.
        progress: Called with `(done, total, "steps")`; what it raises ends the training.
    """
    set_seed(training.seed)  # of the process: dropout and the trainer's order draw from it
    encoder = SentenceTransformer(modules=_modules(model, training.max_length))
    loss = SoftmaxLoss(encoder, model.dim, num_labels=len(LABELS))
    loss.classifier = _head(3 * model.dim)
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(folder),
        num_train_epochs=training.epochs,
        per_device_train_batch_size=training.batch_size,
        learning_rate=training.learning_rate,
        lr_scheduler_type="linear",
        warmup_steps=training.warm_up,
        weight_decay=training.weight_decay,
        adam_epsilon=1e-6,
        max_grad_norm=training.clip,
        seed=training.seed,
        data_seed=training.seed,
        save_strategy="steps",
        save_steps=save_every,
        save_total_limit=_KEPT,
        logging_strategy="no",
        report_to="none",
        disable_tqdm=True,
        use_cpu=on_cpu,
        dataloader_pin_memory=not on_cpu,
    )
    arguments._n_gpu = min(1, arguments.n_gpu)  # a batch is the training's on any machine
    trainer = NliTrainer(model=encoder, args=arguments, train_dataset=_dataset(pairs), loss=loss)
    trainer.head = loss.classifier
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(_Reporter(progress))
    return trainer


def last_checkpoint(folder: Path) -> Path | None:
    """Return the newest whole checkpoint in a folder, or None."""
    whole = [each for each in folder.glob("checkpoint-*") if _is_whole(each)]
    return max(whole, key=lambda each: int(each.name.rpartition("-")[2]), default=None)


def _is_whole(checkpoint: Path) -> bool:
    try:
        json.loads((checkpoint / STATE).read_text(encoding="utf-8"))
        return checkpoint.name.rpartition("-")[2].isdigit() and (checkpoint / HEAD).is_file()
    except (OSError, ValueError):
        return False


def _modules(model: ModelFolder, max_length: int) -> list[torch.nn.Module]:
    """Return the encoder with mean pooling, whatever else its folder declares."""
    transformer = Transformer(
        str(model.path),
        max_seq_length=max_length,
        model_kwargs={
            "use_safetensors": True,
            "trust_remote_code": False,
            "local_files_only": True,
            "dtype": torch.float32,
        },
        processor_kwargs={"trust_remote_code": False, "local_files_only": True},
        config_kwargs={"trust_remote_code": False, "local_files_only": True},
    )
    return [transformer, Pooling(model.dim, "mean")]


def _head(n_features: int) -> torch.nn.Linear:
    """Return the released code's: no bias, truncated normal of deviation 0.02."""
    head = torch.nn.Linear(n_features, len(LABELS), bias=False)
    torch.nn.init.trunc_normal_(head.weight, std=_HEAD_SD, a=-2 * _HEAD_SD, b=2 * _HEAD_SD)
    return head


def _dataset(pairs: Sequence[NliPair]) -> Dataset:
    return Dataset.from_dict(
        {
            "sentence1": [pair.premise for pair in pairs],
            "sentence2": [pair.hypothesis for pair in pairs],
            "label": [LABELS[pair.label] for pair in pairs],
        }
    )
