"""Everything that decides a number about words: the recipe of Table 1."""

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from bertflow_core.calibrators.catalog import check_spec
from bertflow_core.datasets.word_counts import VOCABULARY
from bertflow_core.errors import InputError, nearest
from bertflow_core.wording import quoted

__all__ = ["CHOICES", "WordRecipe", "whole_numbers"]

CHOICES = {
    "table": ("raw", "layer-norm"),
    "words": ("whole", "any"),
    "ranks": ("covered", "list"),
    "digits": ("keep", "drop"),
    "neighbours": ("all", "no-special", "whole"),
    "itself": ("exclude", "include"),
}
"""The switches, their defaults first."""

_COMMAND = "bertflow-lab analyse words"
_MAX_K, _MAX_BINS, _MAX_TEXT = 100, 100, 4096


@dataclass(frozen=True, kw_only=True)
class WordRecipe:
    """The choices that decide a number about words.

    Attributes:
        model: Catalogue name, local folder or hub id.
        revision: Commit, branch or tag of a hub model.
        counts: A file of counts, `wordfreq` or `vocabulary`, as `load_word_counts` takes it.
        bins: Rising ranks, the edges of the bins, from 0.
        k: Numbers of neighbours that distances are averaged over.
        table: `raw`, before LayerNorm, or `layer-norm`, after it.
        words: `whole` tokens only, or `any`: a piece stands for a word that is no whole token.
        ranks: `covered`, places among the words that the model has, or `list`, places in the list.
        digits: `keep` or `drop` the words zero to nine, which some lists count for digits.
        neighbours: `all` rows, `no-special` (words and pieces), or `whole` words.
        itself: `exclude` or `include` the word among its neighbours.
        calibrator: Spec, fitted on every row of the table.
        seed: Random seed.

    Raises:
        InputError: A value that no such field can have.
    """

    model: str = "minilm"
    revision: str | None = None
    counts: str = VOCABULARY
    bins: tuple[int, ...] = (0, 100, 500, 5000, 10_000)
    k: tuple[int, ...] = (3, 5, 7)
    table: str = "raw"
    words: str = "whole"
    ranks: str = "covered"
    digits: str = "keep"
    neighbours: str = "all"
    itself: str = "exclude"
    calibrator: str = "identity"
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("model", "counts"):
            text = getattr(self, name)
            if not 0 < len(text) <= _MAX_TEXT or not text.isprintable():
                raise InputError(f"{name} must be a printable text of 1 to {_MAX_TEXT} characters")
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                hint = nearest(getattr(self, name), choices)
                raise InputError(f"unknown {name} {quoted(getattr(self, name))}: {hint}")
        check_spec(self.calibrator)
        if not 2 <= len(self.bins) <= _MAX_BINS + 1 or not _rises((-1, *self.bins)):
            raise InputError(
                f"bins must be 2 to {_MAX_BINS + 1} ranks that rise from 0, such as 0,100,500; "
                f"got {_listed(self.bins)}"
            )
        if not self.k or not _rises((0, *self.k)) or self.k[-1] > _MAX_K:
            raise InputError(f"k must be rising numbers from 1 to {_MAX_K}, got {_listed(self.k)}")
        if not 0 <= self.seed < 2**32:
            raise InputError(f"seed must be from 0 to 4294967295, got {self.seed}")

    def with_(self, **changes: Any) -> "WordRecipe":  # noqa: ANN401 - any field's type
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return every field, JSON-able."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}

    def to_command(self, calibrators: Sequence[str] = ()) -> str:
        """Return the command that makes these numbers again, quoted for a shell.

        Args:
            calibrators: Specs beside identity, in place of the recipe's own.
        """
        specs = [*(calibrators or (self.calibrator,))]
        args = []
        for each in fields(self):
            value = getattr(self, each.name)
            if value != each.default and each.name != "calibrator":
                text = _listed(value) if isinstance(value, tuple) else str(value)
                option = f"--{each.name}"
                args += [f"{option}={text}"] if text.startswith("-") else [option, text]
        for spec in specs:
            args += ["--calibrator", spec] if spec != "identity" else []
        return " ".join([_COMMAND, *map(shlex.quote, args)])

    def caption(self) -> str:
        """Return the recipe as a line for people."""
        revision = f" at {self.revision[:12]}" if self.revision else ""
        table = "raw table" if self.table == "raw" else "table after LayerNorm"
        switched = [
            f"{name} {getattr(self, name)}"
            for name in CHOICES
            if name != "table" and getattr(self, name) != CHOICES[name][0]
        ]
        return ", ".join(
            [
                f"{self.model}{revision}, {table}; counts {Path(self.counts).name}; "
                f"k {_listed(self.k)}",
                *switched,
            ]
        )


def whole_numbers(name: str, text: str) -> tuple[int, ...]:
    """Read whole numbers parted by commas.

    Raises:
        InputError: Anything else, in words that name the option.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts):
        raise InputError(f"{name} must be whole numbers parted by commas, got {quoted(text[:60])}")
    return tuple(map(int, parts))


def _rises(numbers: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(numbers))


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
