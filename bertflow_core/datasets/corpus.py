"""Fit corpora: sentences of a data set, of its train split, of NLI, or of a file.

Large corpora are sampled. The two sentences of a pair are partners.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bertflow_core.arguments import checked
from bertflow_core.arrays.sampling import distinct_rows
from bertflow_core.arrays.types import Rows
from bertflow_core.datasets.benchmarks import DEV, INFERENCE, TEST, TRAIN, Dataset
from bertflow_core.datasets.catalog import DATASETS, load_dataset, open_dataset
from bertflow_core.datasets.collection import Collection
from bertflow_core.datasets.locations import data_root, how_to_get
from bertflow_core.datasets.own_table import TableColumns, read_sentences
from bertflow_core.datasets.pairs import Pairs
from bertflow_core.datasets.source import Provenance, RawFile, digest
from bertflow_core.datasets.tables import LINE, is_table, line_table
from bertflow_core.datasets.texts import RHO, Texts
from bertflow_core.errors import InputError, listed
from bertflow_core.runtime.files import disk_errors
from bertflow_core.wording import DOCUMENT, quoted

TARGET = "target"
NLI_CORPUS = "nli"
"""The fit corpus of NLI premises and hypotheses, as named in `--fit-on`."""

NLI = tuple(INFERENCE)
"""The parts of the NLI corpus, each of which is also a fit corpus by itself."""

MAX_SENTENCES = 300_000
"""Number of sentences to which a larger corpus is sampled. The paper fits on NLI for 0.15 epoch,
which reads 288,521 of its 1,923,470 sentences; embedding the others would be wasted."""

# The paper's released code uses these parts of NLI.
_PARTS = ("mnli", TRAIN), ("snli", TRAIN), ("snli", DEV), ("snli", TEST)
_NOT_HERE = "not here"

Partners = Mapping[str, frozenset[str]]
Item = TypeVar("Item")


@dataclass(frozen=True)
class Corpus:
    """A fit corpus, duplicates included.

    Attributes:
        sentences: N strings; both sides of pairs are interleaved, split after split.
        description: One sentence on the content.
        sources: Provenance, one per split or file.
        n_pairs: Number of pairs; their sides are the first 2 n_pairs sentences.
        share: The fraction of a larger corpus that was drawn at random; 1 for the whole corpus.
        sides: The sides of the first sentences, as in `Texts`; all others are documents.

    Example:
        >>> from bertflow_core import load_corpus
        >>> corpus = load_corpus("captions", "target")
        >>> len(corpus), corpus.n_pairs  # both sides of 1,750 pairs, and 4,000 more
        (7500, 1750)
    """

    sentences: tuple[str, ...] = field(repr=False)
    description: str
    sources: tuple[Provenance, ...] = field(repr=False)
    n_pairs: int = 0
    share: float = 1.0
    sides: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.sentences)

    def drawn_by(self, fit_on: str) -> "Corpus":
        """Return N sentences drawn at random if `fit_on` is `NAME:N`, else the whole corpus."""
        name, n = sized(fit_on)
        if name == fit_on or n >= len(self):
            return self
        rows = np.random.default_rng(0).permutation(len(self))[:n].tolist()
        described = f"{n:,} sentences, drawn at random with a fixed seed from {self.description}"
        return replace(
            self,
            sentences=tuple(self.sentences[row] for row in rows),
            description=described,
            n_pairs=0,
            sides=tuple(self._every_side[row] for row in rows),
        )

    def n_among(self, sentences: Iterable[str]) -> int:
        """Count how many of `sentences` are in the corpus; repeated sentences count each time."""
        own = frozenset(self.sentences)
        return sum(sentence in own for sentence in sentences)

    def sides_beside(self, data: Texts) -> tuple[str, ...]:
        """Return the side of each sentence where `data` are scored; empty if they have no sides."""
        return self._every_side if data.sides else ()

    @property
    def _every_side(self) -> tuple[str, ...]:
        return self.sides + (DOCUMENT,) * (len(self) - len(self.sides))

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the sentences in their order, and of their sides."""
        return digest((*self.sentences, *self.sides))


@checked
def load_corpus(
    dataset: str | Path | RawFile,
    fit_on: str | Path | RawFile,
    *,
    data_dir: str | Path | None = None,
    columns: TableColumns | None = None,
    scale: tuple[float, float] | None = None,
    strict: bool = False,
) -> Corpus:
    """Load a fit corpus; gold scores are ignored.

    `fit_on` is one of the following.

    - "target": every sentence of each existing split of `dataset`, the data set to be evaluated
      (STS12 to STS16: only scored pairs; captions: also 4,000 further sentences).
    - "train": both sides of the pairs in the train split of `dataset`.
    - "nli": premises and hypotheses of the existing parts of MNLI and SNLI; "mnli" or "snli": the
      same for one of the two.
    - The name of a data set: all its sentences.
    - The path or bytes of a UTF-8 text file with one sentence per line; blank lines are skipped and
      counted.
    - The path or bytes of a table with a column "sentence" or "text", or FILE#COLUMN.

    Files and NLI are sampled to 300,000 sentences with a fixed seed. To draw fewer of any corpus,
    append a colon and their number, as in "nli:20000". A flow's epochs count passes over the whole
    of a file or NLI, but over the drawn part of any other corpus.

    Args:
        dataset: Data set to be evaluated: a name or a table, with the options of `load_dataset`. It
            matters only for "target" and "train".
        fit_on: One of the names above, or a file.
        data_dir: See `load_dataset`.
        columns: See `load_dataset`.
        scale: See `load_dataset`.
        strict: See `load_dataset`.

    Raises:
        InputError: Unknown `fit_on`, no train split, or the errors of `load_dataset`.
        ResourceError: The disk failed.

    Example:
        >>> from bertflow_core import load_corpus
        >>> load_corpus("teaching", "target").description
        '740 sentences of teaching (test; package): both sides of every pair, ...'
    """
    if isinstance(fit_on, RawFile):
        return _file_corpus(fit_on)
    if fit_on in DATASETS:
        return _whole(open_dataset(fit_on, data_dir=data_dir))
    options: Any = {"data_dir": data_dir, "columns": columns, "scale": scale, "strict": strict}
    if fit_on == TARGET:
        return _whole(open_dataset(dataset, **options))
    if fit_on == TRAIN:
        return corpus_of(load_dataset(dataset, split=TRAIN, **options))
    with disk_errors(fit_on):
        if (file := _file(str(fit_on))) is not None:
            return _file_corpus(*file)
    name, at_most = sized(str(fit_on))
    if name in (NLI_CORPUS, *NLI):
        return nli_corpus(data_dir, name, at_most)
    if name in (TARGET, TRAIN, *DATASETS):
        return load_corpus(dataset, name, **options).drawn_by(str(fit_on))
    raise InputError(
        f"cannot fit on {quoted(fit_on)}: expected {quoted(TARGET)}, {quoted(TRAIN)}, a data set's "
        f"name, {listed((NLI_CORPUS, *NLI))}, a text file with one sentence per line, or a table "
        "(FILE#COLUMN); append :N to draw N sentences"
    )


def corpus_of(*parts: Texts) -> Corpus:
    """Return a corpus of every sentence of these splits of a data set, duplicates included."""
    first, sources = parts[0], tuple(part.provenance for part in parts)
    if isinstance(first, Collection):  # every split has the same documents
        texts = tuple(first.documents.values())
        description = f"{len(texts):,} documents of {first.name}, relevance judgements not used."
        return Corpus(texts, description, sources[:1])
    sentences = tuple(sentence for part in parts for sentence in part.sentences())
    splits = ", ".join(part.split for part in parts)
    rows = "sentences" if first.has_words else "vectors"
    n_pairs = sum(len(part) for part in parts if isinstance(part, Pairs))
    every = "both sides of every pair" if n_pairs else f"every {rows[:-1]}"
    ignored = "gold scores" if first.metric == RHO else "labels"
    description = (
        f"{len(sentences):,} {rows} of {first.name} ({splits}; {sources[0].layout}): {every}, "
        f"duplicates included, {ignored} not used."
    )
    sides = first.roles * n_pairs if isinstance(first, Pairs) else ()
    return Corpus(sentences, description, sources, n_pairs, sides=sides)


def _whole(opened: Dataset) -> Corpus:
    corpus = corpus_of(*map(opened.load, opened.splits))
    if opened.more is None:
        return corpus
    raw = opened.more()
    more, first = tuple(raw.lines()), corpus.sources[0]
    provenance = replace(first, files=(raw.source_file(),), counts=(("sentences", len(more)),))
    description = (
        f"{corpus.description.removesuffix('.')}; and {len(more):,} further sentences ({raw.name})."
    )
    every = (*corpus.sentences, *more)
    sources = (*corpus.sources, provenance)
    return replace(corpus, sentences=every, description=description, sources=sources)


def _file(fit_on: str) -> tuple[Path, str | None, int] | None:
    """Split FILE or FILE#COLUMN, optionally with :N, into file, column and sample size."""
    if Path(fit_on).is_file():
        return Path(fit_on), None, MAX_SENTENCES
    name, at_most = sized(fit_on)
    if Path(name).is_file():
        return Path(name), None, at_most
    table, _, column = name.rpartition("#")
    return (Path(table), column, at_most) if is_table(table) and Path(table).is_file() else None


def sized(fit_on: str) -> tuple[str, int]:
    """Split a name such as `nli:20000` into a fit corpus and its sample size."""
    name, mark, number = fit_on.rpartition(":")
    if not (name and mark and number.isdecimal()):
        return fit_on, MAX_SENTENCES
    if len(number) > len(str(MAX_SENTENCES)) or not 2 <= int(number) <= MAX_SENTENCES:
        raise InputError(
            f"the number of sentences to draw must be 2 to {MAX_SENTENCES:,}, as in nli:20000, "
            f"got {quoted(number)}"
        )
    return name, int(number)


def _file_corpus(
    source: Path | RawFile, column: str | None = None, at_most: int = MAX_SENTENCES
) -> Corpus:
    raw = RawFile.of(source)
    lines = read_sentences(raw, column) if is_table(raw.name) else raw.lines()
    filled = [(row, line) for row, line in enumerate(lines, start=1) if line.strip()]
    if not filled:
        raise InputError(f"{quoted(raw.name)} holds no sentences: expected one per line")
    blank = len(lines) - len(filled)
    skipped = f" ({blank:,} blank lines skipped)" if blank else ""
    chosen, total = drawn(filled, at_most)
    sentences = line_table(raw, chosen).sentences(LINE)
    n, files = len(sentences), [raw.source_file()]
    description = f"{_part_of(n, total, 'sentences')} of {raw.name}{skipped}."
    origin = Provenance.of(f"The file {raw.name}.", files, n, layout="text")
    return Corpus(sentences, description, (origin,), share=n / total)


def _part_of(n: int, total: int, what: str) -> str:
    if n == total:
        return f"{total:,} {what}"
    return f"{n:,} of {total:,} {what}, drawn at random with a fixed seed"


def is_part(description: str) -> bool:
    """Tell whether the description of a fit corpus reports missing parts."""
    return _NOT_HERE in description


def nli_here(data_dir: str | Path | None, name: str) -> tuple[str, ...]:
    """Return the existing splits of snli or mnli."""
    root = data_root(data_dir)
    return tuple(part for of, part in _PARTS if of == name and INFERENCE[of].find(root, [part]))


def nli_corpus(data_dir: str | Path | None, name: str, at_most: int) -> Corpus:
    """Return a sample of premises and hypotheses of MNLI (train) and SNLI, or of one of them.

    Missing parts are left out, and the description names them. Pairs without an agreed label are
    left out too, as in the paper's code; labels have no other use. Premise and hypothesis of a pair
    are adjacent.
    """
    wanted = [part for part in _PARTS if name in (NLI_CORPUS, part[0])]
    here = tuple(part for part in wanted if part[1] in nli_here(data_dir, part[0]))
    if not here:
        needed = list(dict.fromkeys(of for of, _ in wanted))
        raise InputError(
            f"the fit corpus {name} needs {' or '.join(each.upper() for each in needed)}: "
            f"{how_to_get(' '.join(needed))}"
        )
    absent = tuple(f"{of} {split}" for of, split in wanted if (of, split) not in here)
    return _drawn(data_root(data_dir), here, absent, at_most // 2)


@lru_cache(maxsize=1)  # every layer set and every data set of a study asks for it
def _drawn(
    root: Path | None, parts: tuple[tuple[str, str], ...], absent: tuple[str, ...], n_pairs: int
) -> Corpus:
    opened = ((INFERENCE[name].find(root, [split]), split) for name, split in parts)
    read = [each.load(split) for each, split in opened if each]
    every = (pair for each in read for pair in zip(*[iter(each.sentences())] * 2, strict=True))
    chosen, total = drawn(every, n_pairs)
    which = _part_of(2 * len(chosen), 2 * total, "premises and hypotheses")
    said = ", ".join(f"{each.name} {each.split} {each.size}" for each in read)
    lacks = f"; {_NOT_HERE}: {listed(absent)}" if absent else ""
    return Corpus(
        tuple(chain.from_iterable(chosen)),
        f"{which} of NLI ({said}{lacks}), labels not used.",
        tuple(each.provenance for each in read),
        len(chosen),
        len(chosen) / total,
    )


def drawn(items: Iterable[Item], at_most: int) -> tuple[list[Item], int]:
    """Return a random sample of items in their original order, and the number of all items.

    Every item is equally likely, the seed is fixed, and only the sample is held in memory (Vitter,
    1985, algorithm R).
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


def partners_of(corpus: Corpus) -> Partners:
    """Return the partners of each sentence, which are often its nearest neighbours by design."""
    found: dict[str, set[str]] = {}
    for i in range(corpus.n_pairs):
        first, second = corpus.sentences[2 * i : 2 * i + 2]
        if first != second:
            found.setdefault(first, set()).add(second)
            found.setdefault(second, set()).add(first)
    return {sentence: frozenset(others) for sentence, others in found.items()}


def one_side(corpus: Corpus) -> Rows:
    """Return rows of distinct sentences in order; skip a sentence if a partner of it was taken."""
    partners = partners_of(corpus)
    taken: set[str] = set()
    rows = []
    for row in distinct_rows(corpus.sentences):
        sentence = corpus.sentences[row]
        if taken.isdisjoint(partners.get(sentence, ())):
            taken.add(sentence)
            rows.append(row)
    return np.array(rows, np.int64)
