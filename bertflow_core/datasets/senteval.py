"""SentEval's files: STS-B, SICK and the yearly tasks STS12 to STS16."""

from functools import partial
from pathlib import Path

from bertflow_core.datasets.csv_tsv import named_cells, numbers, tab_cells
from bertflow_core.datasets.files import RawFile
from bertflow_core.datasets.source import STS_TERMS, STSB_LICENCE, Layout, Rows, Source, Split
from bertflow_core.errors import InputError

__all__ = ["SOURCES"]

INPUT, GOLD = "STS.input.", "STS.gs."
STSB_COLUMNS = 7
SICK_COLUMNS = ("sentence_A", "sentence_B", "relatedness_score")
STSB_FILES = {split: f"STS/STSBenchmark/sts-{split}.csv" for split in Split}
SICK_FILES = {
    Split.TRAIN: "SICK/SICK_train.txt",
    Split.DEV: "SICK/SICK_trial.txt",
    Split.TEST: "SICK/SICK_test_annotated.txt",
}


def _read_stsb(folder: Path, split: Split) -> Rows:
    """Read genre, file, year, id, score, sentence, sentence; some releases add further cells."""
    raw = RawFile.read(folder / STSB_FILES[split], STSB_FILES[split])
    cells = [row[4:STSB_COLUMNS] for row in tab_cells(raw, STSB_COLUMNS)]
    return Rows(
        first=[first for _, first, _ in cells],
        second=[second for _, _, second in cells],
        gold=numbers(raw, enumerate((score for score, _, _ in cells), start=1)),
        subsets=["stsb"] * len(cells),
        files=[raw.source_file()],
    )


def _read_sick(folder: Path, split: Split) -> Rows:
    raw = RawFile.read(folder / SICK_FILES[split], SICK_FILES[split])
    cells = named_cells(raw, SICK_COLUMNS)
    return Rows(
        first=[first for first, _, _ in cells],
        second=[second for _, second, _ in cells],
        gold=numbers(raw, enumerate((score for _, _, score in cells), start=2)),
        subsets=["sickr"] * len(cells),
        files=[raw.source_file()],
    )


def _read_year(pattern: str, folder: Path, split: Split) -> Rows:
    """Read every subset that has sentences; gold alone (SMT of STS13) is not used."""
    paths = sorted(folder.glob(pattern), key=lambda path: path.name.casefold())
    parts = [_read_subset(folder, path) for path in paths]
    return Rows(
        first=[sentence for part in parts for sentence in part.first],
        second=[sentence for part in parts for sentence in part.second],
        gold=[score for part in parts for score in part.gold or ()],
        subsets=[subset for part in parts for subset in part.subsets],
        files=[file for part in parts for file in part.files],
    )


def _read_subset(folder: Path, input_path: Path) -> Rows:
    """Read the scored pairs of one subset: those whose line of the gold file is not empty."""
    subset = input_path.stem.removeprefix(INPUT)
    gold_path = input_path.with_name(f"{GOLD}{subset}.txt")
    sentences = RawFile.read(input_path, input_path.relative_to(folder).as_posix())
    if not gold_path.is_file():
        raise InputError(
            f"{sentences.name!r} has no gold scores beside it: expected {gold_path.name!r}; "
            "add it or take the sentences away"
        )
    scores = RawFile.read(gold_path, gold_path.relative_to(folder).as_posix())
    pairs, gold = tab_cells(sentences, 2), scores.lines()
    if len(pairs) != len(gold):
        raise InputError(
            f"{sentences.name!r} has {len(pairs)} lines and {gold_path.name!r} has {len(gold)}: "
            "expected as many; get the original files again"
        )
    scored = [i for i, score in enumerate(gold) if score.strip()]
    return Rows(
        first=[pairs[i][0] for i in scored],
        second=[pairs[i][1] for i in scored],
        gold=numbers(scores, ((i + 1, gold[i]) for i in scored)),
        subsets=[subset] * len(scored),
        files=[sentences.source_file(), scores.source_file()],
    )


def _year(year: int) -> Source:
    pattern = f"STS/STS{year}-en-test/{INPUT}*.txt"
    return Source(
        name=f"sts{year}",
        title=f"STS 20{year}",
        origin=f"SemEval STS 20{year}, English test pairs with a gold score, prepared by SentEval.",
        licence=f"as stated by the SemEval task; {STS_TERMS}",
        layout=Layout.SENTEVAL.value,
        scale=(0.0, 5.0),
        files={Split.TEST: pattern},
        read=partial(_read_year, pattern),
    )


SOURCES = (
    Source(
        name="stsb",
        title="STS Benchmark",
        origin="STS Benchmark (Cer et al., 2017), tokenised and lower-cased by SentEval.",
        licence=STSB_LICENCE,
        layout=Layout.SENTEVAL.value,
        scale=(0.0, 5.0),
        files=STSB_FILES,
        read=_read_stsb,
    ),
    Source(
        name="sickr",
        title="SICK relatedness",
        origin="SICK (Marelli et al., 2014), relatedness scores, raw text.",
        licence="CC BY-NC-SA 3.0",
        layout=Layout.SENTEVAL.value,
        scale=(1.0, 5.0),
        files=SICK_FILES,
        read=_read_sick,
    ),
    *(_year(year) for year in range(12, 17)),
)
