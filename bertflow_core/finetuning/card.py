"""The README of a trained model: what it was made from and how."""

from bertflow_core.encoders import CATALOG, ModelFolder
from bertflow_core.finetuning.inference_pairs import LICENCES, InferencePairs
from bertflow_core.finetuning.training import NliTraining
from bertflow_core.wording import counted

__all__ = ["model_card"]

_HUB_DATA = {"snli": "stanfordnlp/snli", "mnli": "nyu-mll/multi_nli"}


def model_card(
    training: NliTraining, model: ModelFolder, pairs: InferencePairs, *, n_steps: int
) -> str:
    """Return the text of README.md, with the header that the hub reads.

    Args:
        training: The settings.
        model: What the training began with.
        pairs: What it was trained on.
        n_steps: Steps it took.
    """
    entry = CATALOG.get(training.model)
    base = entry.hub_id if entry else training.model
    of_base = f"{entry.licence}" if entry else "as its own model card states"
    header = [
        "---",
        "library_name: sentence-transformers",
        "pipeline_tag: sentence-similarity",
        f"base_model: {_yaml(base)}",
        "datasets:",
        *(f"- {_HUB_DATA[name]}" for name in training.data),
        "tags:",
        "- sentence-transformers",
        "- sentence-similarity",
        "- bertflow-lab",
        "---",
    ]
    read = "; ".join(f"{name} {split}, {n:,} pairs" for name, split, n in pairs.counts)
    n_read = sum(n for *_, n in pairs.counts)
    drawn = f", of which {len(pairs):,} were drawn" if len(pairs) < n_read else ""
    body = [
        "# Sentence encoder trained on natural language inference",
        "",
        "A siamese encoder with a softmax over (u, v, |u - v|) for entailment, neutral and "
        "contradiction, as BERT-NLI of Li et al. (2020, "
        "https://aclanthology.org/2020.emnlp-main.733), after Reimers and Gurevych (2019, "
        "https://aclanthology.org/D19-1410). u and v are the mean of the last layer's tokens. The "
        "head is not part of the model.",
        "",
        "| | |",
        "| :--- | :--- |",
        f"| Began with | {base}{_commit(model)}, licence: {of_base} |",
        f"| Digest of its files | {model.digest} |",
        f"| Data | {read}{drawn} |",
        f"| Digest of the pairs | {pairs.digest} |",
        f"| Licence of the data | {'; '.join(LICENCES[name] for name in training.data)} |",
        f"| Training | {counted(training.epochs, 'epoch')}, {counted(n_steps, 'step')} of "
        f"{counted(training.batch_size, 'pair')}, at most {training.max_length} tokens, float32 |",
        f"| Optimizer | AdamW with bias correction, learning rate {training.learning_rate:g} after "
        f"a linear warm-up of {training.warm_up:.0%}, then falling linearly to 0; weight decay "
        f"{training.weight_decay:g}, gradients clipped at {training.clip:g} |",
        f"| Seed | {training.seed} |",
        "",
        "Made by:",
        "",
        f"    {training.to_command()}",
        "",
    ]
    return "\n".join([*header, "", *body])


def _commit(model: ModelFolder) -> str:
    return f" at {model.revision}" if model.revision else ""


def _yaml(text: str) -> str:
    """Return a text as YAML reads it back: in single quotes, which are doubled inside."""
    return "'" + " ".join(text.split()).replace("'", "''") + "'"
