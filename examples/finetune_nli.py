"""Train an encoder on natural language inference, like the paper's BERT-NLI (Table 3).

The network is siamese, with mean pooling and a softmax over (u, v, |u - v|) (Reimers and Gurevych,
2019). It is trained for one epoch of SNLI and MNLI in batches of 16. AdamW has learning rate 2e-5,
weight decay 0.01 and a linear warm-up over a tenth of the steps.

    pip install "sentence-transformers[train]"
    python examples/finetune_nli.py --model google-bert/bert-base-uncased --out bert-nli
    bertflow-lab reproduce table3 --model bert-nli

Without `--data` the pairs of SNLI and MNLI come from the Hugging Face hub. A file of your own
(.csv, .jsonl or .parquet) needs the columns premise, hypothesis and label. Labels are 0
(entailment), 1 (neutral), 2 (contradiction), and -1 if the annotators did not agree.
"""

import argparse
from pathlib import Path

from datasets import Dataset, load_dataset
from sentence_transformers import (
    SentenceTransformer,
    SentenceTransformerTrainer,
    SentenceTransformerTrainingArguments,
)
from sentence_transformers.sentence_transformer.losses import SoftmaxLoss
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

FORMATS = {".csv": "csv", ".jsonl": "json", ".parquet": "parquet"}
HUB_PAIRS = "sentence-transformers/all-nli", "pair-class"


def read_pairs(data: Path | None, most: int | None) -> Dataset:
    """Return labelled pairs with the columns premise, hypothesis and label."""
    if data is None:
        pairs = load_dataset(*HUB_PAIRS, split="train")
    else:
        pairs = load_dataset(FORMATS[data.suffix], data_files=str(data), split="train")
    pairs = pairs.select_columns(["premise", "hypothesis", "label"])
    pairs = pairs.filter(lambda pair: pair["label"] in (0, 1, 2))
    return pairs if most is None else pairs.shuffle(seed=0).select(range(min(most, len(pairs))))


def train(model: str, pairs: Dataset, out: Path, *, seed: int, max_length: int = 64) -> None:
    """Train an encoder with mean pooling on labelled pairs, and write it to a folder."""
    transformer = Transformer(model, max_seq_length=max_length)
    n_features = transformer.get_embedding_dimension()
    encoder = SentenceTransformer(modules=[transformer, Pooling(n_features, "mean")])
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(out / "checkpoints"),
        num_train_epochs=1,
        per_device_train_batch_size=16,
        learning_rate=2e-5,
        weight_decay=0.01,
        lr_scheduler_type="linear",
        warmup_steps=0.1,
        seed=seed,
        report_to="none",
    )
    trainer = SentenceTransformerTrainer(
        model=encoder,
        args=arguments,
        train_dataset=pairs,
        loss=SoftmaxLoss(encoder, n_features, num_labels=3),
    )
    trainer.train()
    encoder.save_pretrained(str(out))


def main() -> None:
    """Read the options, train and write."""
    parser = argparse.ArgumentParser(description="Train an encoder on SNLI and MNLI.")
    parser.add_argument("--model", default="google-bert/bert-base-uncased")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    parser.add_argument(
        "--data", type=Path, help="file of pairs; by default SNLI and MNLI from the hub"
    )
    parser.add_argument(
        "--max-pairs", type=int, help="number of pairs to train on, drawn at random"
    )
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    pairs = read_pairs(options.data, options.max_pairs)
    train(options.model, pairs, options.out, seed=options.seed)


if __name__ == "__main__":
    main()
