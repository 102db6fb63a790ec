"""The teaching pairs that ship with the package, so that everything runs without outside data."""

from pathlib import Path

from bertflow_core.datasets.csv_tsv import named_cells, numbers
from bertflow_core.datasets.files import RawFile
from bertflow_core.datasets.source import Rows, Source, Split
from bertflow_core.files import resource

__all__ = ["SOURCE"]

FILE = "teaching.tsv"
COLUMNS = ("sentence1", "sentence2", "corner", "score")


def _read(folder: Path, split: Split) -> Rows:
    """Read the package's own file; `folder` plays no part, and `split` can only be test."""
    raw = RawFile(FILE, resource(FILE).read_bytes())
    cells = named_cells(raw, COLUMNS)
    return Rows(
        first=[row[0] for row in cells],
        second=[row[1] for row in cells],
        gold=numbers(raw, enumerate((row[3] for row in cells), start=2)),
        subsets=[row[2] for row in cells],
        files=[raw.source_file()],
    )


SOURCE = Source(
    name="teaching",
    title="Teaching pairs",
    origin="Pairs written for BERT-flow Lab, each subset one effect to see; no benchmark.",
    licence="Apache-2.0",
    layout="package",
    scale=(0.0, 5.0),
    files={Split.TEST: FILE},
    read=_read,
)
