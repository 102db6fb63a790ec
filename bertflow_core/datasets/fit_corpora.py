"""The corpus of premises and hypotheses, and a bounded part of any large corpus."""

import hashlib
import random
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from bertflow_core.datasets.folders import DATA_VARIABLE, data_root
from bertflow_core.datasets.nli import nli_files, nli_pairs, nli_splits
from bertflow_core.datasets.provenance import Provenance
from bertflow_core.datasets.raw_file import SourceFile
from bertflow_core.datasets.source import Split
from bertflow_core.errors import InputError, listed
from bertflow_core.files import disk_errors
from bertflow_core.wording import quoted

__all__ = [
    "MAX_SENTENCES",
    "NLI_CORPUS",
    "FitSentences",
    "drawn",
    "is_part",
    "nli_sentences",
    "part_of",
    "sized",
]

NLI_CORPUS = "nli"
"""The fit corpus of premises and hypotheses, as `--fit-on` names it."""

_Part = tuple[str, Split]
_PARTS: tuple[_Part, ...] = (
    ("mnli", Split.TRAIN),
    ("snli", Split.TRAIN),
    ("snli", Split.DEV),
    ("snli", Split.TEST),
)
"""What the paper's released code takes for NLI."""

MAX_SENTENCES = 300_000
"""Most sentences of a large corpus. The paper fits on NLI for 0.15 epoch, which sees 288,521 of its
1,923,470 sentences: the others would be embedded for nothing."""

_NOT_HERE = "not here"

Item = TypeVar("Item")


class FitSentences(NamedTuple):
    """Sentences to fit on; the fields are those of a `Corpus`."""

    sentences: tuple[str, ...]
    description: str
    sources: tuple[Provenance, ...]
    n_pairs: int
    share: float


def drawn(items: Iterable[Item], at_most: int) -> tuple[list[Item], int]:
    """Return at most so many items in their order, and how many there were.

    Each item has the same chance, the draw is the same each time, and the memory holds only what is
    returned (Vitter, 1985, algorithm R).
    """
    rng, n = random.Random(0), 0
    kept: list[tuple[int, Item]] = []
    for n, item in enumerate(items, start=1):
        if len(kept) < at_most:
            kept.append((n, item))
            continue
        place = rng.randrange(n)
        if place < at_most:
            kept[place] = (n, item)
    kept.sort(key=lambda each: each[0])
    return [item for _, item in kept], n


def sized(fit_on: str) -> tuple[str, int]:
    """Return a fit corpus and the most sentences of it, which stand behind its name.

    Raises:
        InputError: Too few of them, or too many.

    Example:
        >>> from bertflow_core.datasets.fit_corpora import sized
        >>> sized("nli:20000"), sized("nli")
        (('nli', 20000), ('nli', 300000))
    """
    name, mark, number = fit_on.rpartition(":")
    if not (name and mark and number.isdecimal()):
        return fit_on, MAX_SENTENCES
    if len(number) > len(str(MAX_SENTENCES)) or not 2 <= int(number) <= MAX_SENTENCES:
        raise InputError(
            f"of a fit corpus 2 to {MAX_SENTENCES:,} sentences can be drawn, got {quoted(number)}: "
            f"name as many, as in {NLI_CORPUS}:20000"
        )
    return name, int(number)


def is_part(description: str) -> bool:
    """Whether the description of a fit corpus says that parts of it were not there."""
    return _NOT_HERE in description


def part_of(n: int, total: int, what: str) -> str:
    """Say which part of a corpus was drawn."""
    if n == total:
        return f"{total:,} {what}"
    return f"{n:,} of {total:,} {what}, drawn at random and the same each time"


def nli_sentences(
    data_dir: str | Path | None, name: str = NLI_CORPUS, at_most: int | None = None
) -> FitSentences:
    """Stream the premises and hypotheses of MNLI (train) and SNLI, labels ignored.

    Parts that are not there are left out, and named. Pairs without an agreed label are left out, as
    the paper's code does. Both sides of a pair follow each other. The last corpus is kept, since
    every layer set and every data set of a study asks for it; a changed file is read again.

    Args:
        data_dir: As for `load_pairs`.
        name: `nli`, or snli or mnli for that one alone.
        at_most: Most sentences, of which pairs are drawn; `MAX_SENTENCES` by default.

    Raises:
        InputError: No part is there, or a file is not in its format.
        ResourceError: The disk refused.
    """
    root = data_root(data_dir)
    parts = [part for part in _PARTS if name in (NLI_CORPUS, part[0])]
    present = [] if root is None else [p for p in parts if p[1] in nli_splits(root, p[0])]
    if root is None or not present:
        needed = list(dict.fromkeys(each for each, _ in parts))
        raise InputError(
            f"the fit corpus {name} needs {' or '.join(each.upper() for each in needed)}: fetch it "
            f"with `bertflow-lab data get {' '.join(needed)}`, or name the folder that holds "
            f"snli/, multinli_1.0/ or MNLI/ with --data-dir or {DATA_VARIABLE}"
        )
    files = tuple(path for part in present for path in nli_files(root, *part))
    stamps = tuple(map(_stamp, files))
    return _stream(root, tuple(parts), tuple(present), (at_most or MAX_SENTENCES) // 2, stamps)


def _stamp(path: Path) -> tuple[Path, int, int]:
    """Return what tells a file from a later one of its name."""
    with disk_errors(path):
        status = path.stat()
    return path, status.st_size, status.st_mtime_ns


@lru_cache(maxsize=1)
def _stream(
    root: Path,
    parts: tuple[_Part, ...],
    present: tuple[_Part, ...],
    n_pairs: int,
    stamps: tuple[tuple[Path, int, int], ...],
) -> FitSentences:
    """Read the parts that are present and draw so many pairs of them."""
    counts = dict.fromkeys(present, 0)

    def pairs() -> Iterator[tuple[str, str]]:
        for part in present:
            for pair in nli_pairs(root, *part):
                counts[part] += 1
                yield pair.premise, pair.hypothesis

    chosen, total = drawn(pairs(), n_pairs)
    absent = [f"{of} {split}" for of, split in parts if (of, split) not in present]
    here = ", ".join(f"{of} {split} {n:,} pairs" for (of, split), n in counts.items())
    description = (
        f"{part_of(2 * len(chosen), 2 * total, 'premises and hypotheses')} of NLI ({here}"
        f"{f'; {_NOT_HERE}: {listed(absent)}' if absent else ''}), labels not used."
    )
    return FitSentences(
        tuple(sentence for pair in chosen for sentence in pair),
        description,
        tuple(_provenance(root, part, n) for part, n in counts.items()),
        len(chosen),
        len(chosen) / total,
    )


def _provenance(root: Path, part: _Part, n: int) -> Provenance:
    name, split = part
    return Provenance(
        source=f"{name.upper()}, {split}.",
        licence="CC BY-SA 4.0" if name == "snli" else "OANC and others, see its licence file",
        layout="text",
        files=tuple(map(_source_file, nli_files(root, name, split))),
        counts=(("pairs", n),),
    )


def _source_file(path: Path) -> SourceFile:
    with disk_errors(path), path.open("rb") as stream:
        return SourceFile(path.name, hashlib.file_digest(stream, "sha256").hexdigest(), None)
