"""What the thresholds of the advice are measured on: sentences by source, and their embeddings."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.datasets import load_corpus, load_pairs
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared

__all__ = [
    "DATASETS",
    "POOLINGS",
    "Sentences",
    "Space",
    "embed",
    "fitted_rho",
    "sentences",
    "spaces",
]

DATASETS = ("stsb", "sts12", "sts13", "sts14")
POOLINGS = ("mean", "cls", "max")

_N_LAYERS = 6
_SNLI_PAIRS, _QNLI_ROWS = {"dev": 4_000, "test": 2_000}, 2_500

FloatArray = npt.NDArray[np.floating]
Sentences = tuple[str, ...]


@dataclass(frozen=True)
class Space:
    """One layer set of the encoder under one token pooling."""

    layers: str
    tokens: str

    @property
    def name(self) -> str:
        """For the measurements: `layer:4 mean`."""
        return f"{self.layers} {self.tokens}"

    def recipe(self, dataset: str) -> Recipe:
        """Return the recipe of a data set's test split in this space."""
        return Recipe(dataset=dataset, layers=self.layers, tokens=self.tokens)

    def prepare(self, dataset: str) -> Prepared:
        """Return the test pairs and the whole data set to fit on, embedded."""
        return Lab().prepare(self.recipe(dataset))


def spaces(
    layers: Sequence[int] = range(_N_LAYERS + 1),
    tokens: Sequence[str] = POOLINGS,
    averages: Sequence[str] = (),
) -> Iterator[Space]:
    """Give each layer and average of layers under each pooling.

    Layer 0's first token is left out: it is one and the same in every sentence.
    """
    for each in (*(f"layer:{k}" for k in layers), *averages):
        for pooling in tokens:
            if (each, pooling) != ("layer:0", "cls"):
                yield Space(each, pooling)


@cache
def sentences(source: str) -> Sentences:
    """Return the different sentences of a source: a data set, `stsb-train`, `snli` or `qnli`."""
    if source == "snli":
        first, second, _ = snli("dev")
        return tuple(dict.fromkeys(s for pair in zip(first, second, strict=True) for s in pair))
    if source == "qnli":
        path = _data_dir() / "glue" / "QNLI" / "dev.tsv"
        rows = [line.split("\t") for line in _lines(path)[1 : _QNLI_ROWS + 1]]
        return tuple(dict.fromkeys(s for row in rows for s in row[1:3]))
    if source == "stsb-train":
        return tuple(dict.fromkeys(load_corpus("stsb", "train").sentences))
    return tuple(dict.fromkeys(load_corpus(source, "target").sentences))


@cache
def snli(split: str) -> tuple[Sentences, Sentences, Sentences]:
    """Return premises, hypotheses and labels of SNLI's first pairs that have a label."""
    folder = _data_dir() / "snli"
    n = _SNLI_PAIRS[split]
    columns = (_lines(folder / f"{name}.{split}")[:n] for name in ("s1", "s2", "labels"))
    rows = [row for row in zip(*columns, strict=True) if row[2] != "-"]
    first, second, labels = zip(*rows, strict=True)
    return first, second, labels


@cache
def stsb_genres(split: str) -> tuple[Sentences, Sentences]:
    """Return STS-B's different first sentences and the genre of each."""
    pairs = load_pairs("stsb", split=split)
    path = _data_dir() / "senteval" / "STS" / "STSBenchmark" / f"sts-{split}.csv"
    rows = [line.split("\t") for line in _lines(path) if line]
    # The test split says "main-forums" where the others say "main-forum".
    names = (row[0].removeprefix("main-").removesuffix("s") for row in rows)
    genre = dict(zip(pairs.first, names, strict=True))
    return tuple(genre), tuple(genre.values())


def embed(space: Space, texts: Sequence[str]) -> FloatArray:
    """Return the embeddings of texts in a space, shape (N, D)."""
    return Lab().vectors(space.recipe("stsb"), texts).x


def fitted_rho(spec: str, x_fit: FloatArray, scored: Prepared) -> float:
    """Return rho x 100 over all of a data set's pairs, calibrated on `x_fit`, shape (N, D)."""
    calibrator = build_calibrator(spec).fit(x_fit)
    z = (calibrator.transform(side) for side in (scored.x_first, scored.x_second))
    scores = score_pairs(pairwise_cosine(*z), scored.pairs.gold, scored.pairs.subsets)
    return 100 * float(scores.spearman.all)


def _data_dir() -> Path:
    return Path(os.environ["BERTFLOW_DATA"])


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")
