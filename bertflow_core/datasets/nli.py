"""Premises and hypotheses of MNLI and SNLI, as sentences to fit on."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from bertflow_core.datasets.benchmarks import INFERENCE, Found, Split
from bertflow_core.datasets.corpus import Corpus, drawn, part_of
from bertflow_core.datasets.places import data_root, how_to_get
from bertflow_core.datasets.source import Provenance
from bertflow_core.errors import InputError, listed

NLI_CORPUS = "nli"
"""The fit corpus of premises and hypotheses, as `--fit-on` names it."""

NLI = tuple(INFERENCE)
"""The data sets that are parts of it, each a fit corpus too."""

# What the paper's released code takes for NLI.
_PARTS = (
    ("mnli", Split.TRAIN),
    ("snli", Split.TRAIN),
    ("snli", Split.DEV),
    ("snli", Split.TEST),
)
_NOT_HERE = "not here"
_Part = tuple[str, Split]


def is_part(description: str) -> bool:
    """Whether the description of a fit corpus says that parts of it were not there."""
    return _NOT_HERE in description


def nli_here(data_dir: str | Path | None, name: str) -> tuple[Split, ...]:
    """Return the splits of snli or mnli that are there; none where there is none."""
    root = data_root(data_dir)
    return tuple(part for of, part in _PARTS if of == name and INFERENCE[of].find(root, [part]))


def nli_corpus(data_dir: str | Path | None, name: str, at_most: int) -> Corpus:
    """Return the premises and hypotheses of MNLI (train) and SNLI, labels ignored.

    Parts that are not there are left out, and named. Pairs without an agreed label are left out, as
    the paper's code does. Both sides of a pair follow each other.

    Args:
        data_dir: As for `load_pairs`.
        name: `nli`, or snli or mnli for that one alone.
        at_most: Most sentences, of which pairs are drawn.
    """
    root = data_root(data_dir)
    wanted = [(of, split) for of, split in _PARTS if name in (NLI_CORPUS, of)]
    found = [(part, INFERENCE[part[0]].find(root, part[1:])) for part in wanted]
    here = tuple((part, where) for part, where in found if where is not None)
    if not here:
        needed = list(dict.fromkeys(of for of, _ in wanted))
        raise InputError(
            f"the fit corpus {name} needs {' or '.join(each.upper() for each in needed)}: "
            f"{how_to_get(' '.join(needed))}"
        )
    absent = tuple(f"{of} {split}" for (of, split), where in found if where is None)
    return _drawn(here, absent, at_most // 2)


@lru_cache(maxsize=1)  # every layer set and every data set of a study asks for it
def _drawn(parts: tuple[tuple[_Part, Found], ...], absent: tuple[str, ...], n_pairs: int) -> Corpus:
    """Read the parts one after the other, and draw so many pairs of them."""
    sources: list[Provenance] = []

    def pairs() -> Iterator[tuple[str, str]]:
        for (name, split), found in parts:
            rows, files = INFERENCE[name].rows(found, split)
            agreed = [(row.first, row.second or "") for row in rows if row.gold is not None]
            known, counts = INFERENCE[name], (("pairs", len(agreed)),)
            listing = tuple(file.source_file() for file in files)
            source = f"{known.title}, {split}."
            sources.append(Provenance(source, known.licence, known.kind, listing, counts))
            yield from agreed

    chosen, total = drawn(pairs(), n_pairs)
    here = ", ".join(
        f"{name} {split} {source.counts[0][1]:,} pairs"
        for ((name, split), _), source in zip(parts, sources, strict=True)
    )
    description = (
        f"{part_of(2 * len(chosen), 2 * total, 'premises and hypotheses')} of NLI ({here}"
        f"{f'; {_NOT_HERE}: {listed(absent)}' if absent else ''}), labels not used."
    )
    return Corpus(
        tuple(sentence for pair in chosen for sentence in pair),
        description,
        tuple(sources),
        len(chosen),
        len(chosen) / total,
    )
