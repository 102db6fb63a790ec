"""GLUE's files: STS-B as raw text, whose test split comes without gold scores."""

from pathlib import Path

from bertflow_core.datasets.csv_tsv import named_cells, numbers
from bertflow_core.datasets.files import RawFile
from bertflow_core.datasets.source import STSB_LICENCE, Layout, Rows, Source, Split

__all__ = ["SOURCES"]

SENTENCE_COLUMNS = ("sentence1", "sentence2")
FILES = {split: f"STS-B/{split}.tsv" for split in Split}
HIDDEN_GOLD = (
    "GLUE does not publish the gold scores of STS-B's test split: use SentEval's files "
    "(STS/STSBenchmark/sts-test.csv) or --split dev"
)


def _read_stsb(folder: Path, split: Split) -> Rows:
    raw = RawFile.read(folder / FILES[split], FILES[split])
    scored = split is not Split.TEST
    cells = named_cells(raw, (*SENTENCE_COLUMNS, *(("score",) if scored else ())))
    scores = enumerate((row[-1] for row in cells), start=2)
    return Rows(
        first=[row[0] for row in cells],
        second=[row[1] for row in cells],
        gold=numbers(raw, scores) if scored else None,
        subsets=["stsb"] * len(cells),
        files=[raw.source_file()],
    )


SOURCES = (
    Source(
        name="stsb",
        title="STS Benchmark",
        origin="STS Benchmark (Cer et al., 2017), raw text as distributed with GLUE.",
        licence=STSB_LICENCE,
        layout=Layout.GLUE.value,
        scale=(0.0, 5.0),
        files=FILES,
        read=_read_stsb,
        hidden={Split.TEST: HIDDEN_GOLD},
    ),
)
