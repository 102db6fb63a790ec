"""Small data in the words of the tiny models, and recipes that read them."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr
from tiny_models import MAX_TOKENS, WORDS

from bertflow_core.lab.recipe import Recipe


def pair_rows(n: int = 24) -> list[tuple[str, str, float, str]]:
    """Return `n` pairs of random words with random scores from 0 to 5, in subsets `odd`, `even`."""
    rng = np.random.default_rng(0)

    def sentence() -> str:
        return " ".join(rng.choice(WORDS, size=rng.integers(3, 9)))

    return [
        (sentence(), sentence(), round(float(rng.uniform(0, 5)), 2), ("even", "odd")[i % 2])
        for i in range(n)
    ]


def write_pairs(path: Path, rows: Sequence[Sequence[object]] | int = 24) -> Path:
    """Write rows of sentences, score and subset, or so many of `pair_rows`, as a .csv table."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("sentence1", "sentence2", "score", "subset"))
        writer.writerows(pair_rows(rows) if isinstance(rows, int) else rows)
    return path


def write_stsb(root: Path, n: int = 24) -> Path:
    """Write a third of `pair_rows` into each split of STS-B, as SentEval lays it out."""
    folder = root / "STS" / "STSBenchmark"
    folder.mkdir(parents=True)
    for part, split in enumerate(("train", "dev", "test")):
        lines = [
            f"main-captions\tMSRvid\t2012\t{i:04}\t{score}\t{first}\t{second}\n"
            for i, (first, second, score, _) in enumerate(pair_rows(n)[part * n // 3 :][: n // 3])
        ]
        (folder / f"sts-{split}.csv").write_text("".join(lines), encoding="utf-8")
    return root


def tiny_recipe(model: Path, dataset: Path, **changes: Any) -> Recipe:
    """Return a recipe that a tiny model can follow."""
    options = {"layers": "layer:2", "max_length": MAX_TOKENS, **changes}
    return Recipe(model=str(model), dataset=str(dataset), **options)


def rho_of(x: Mapping[str, np.ndarray], rows: Sequence[Sequence[Any]], mean: Any = 0) -> float:
    """Return the rho of the cosines of pairs and their scores, by numpy and scipy.

    Args:
        x: The vector of each text.
        rows: Pairs as in `pair_rows`.
        mean: What is subtracted from every vector.
    """
    first, second = (np.stack([x[row[side]] for row in rows]) - mean for side in (0, 1))
    norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    rho = spearmanr((first * second).sum(axis=1) / norms, [row[2] for row in rows]).statistic
    return float(rho)


def write_collection(folder: Path) -> str:
    """Write eight documents, each with a query that it alone answers; return the folder."""
    words = "cat dog mat hat red blue big fast".split()
    texts = [f"the {word} sat on a {words[i - 1]}" for i, word in enumerate(words)]
    tables = {
        "corpus.csv": ["_id,text", *(f"d{i},{text}" for i, text in enumerate(texts))],
        "queries.csv": ["_id,text", *(f"q{i},a {word} is red" for i, word in enumerate(words))],
        "qrels/test.csv": ["query-id,corpus-id,score", *(f"q{i},d{i},1" for i in range(8))],
    }
    for name, lines in tables.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
    return str(folder)
