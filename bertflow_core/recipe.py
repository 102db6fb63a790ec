"""All choices that decide a number, in one frozen value.

A recipe is the URL of a page, the argument list of the command line, the caption under a figure,
and what is saved beside a result: two numbers that differ differ in a field that can be shown.
"""

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlencode

from bertflow_core.calibrators.catalog import check_spec
from bertflow_core.device import DTYPES
from bertflow_core.encoders.layers import LayerSet, TokenPooling
from bertflow_core.errors import InputError, nearest
from bertflow_core.evaluation.sts import AGGREGATIONS

__all__ = ["COMMAND", "Recipe", "option_words"]

COMMAND = "bertflow-lab evaluate"
_MAX_TEXT = 4096
_COMPUTED_BY = ("bertflow-lab", "numpy", "scikit-learn", "scipy", "torch", "transformers", "zuko")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The choices that decide a number.

    Attributes:
        model: Catalogue name, local folder or hub id.
        revision: Commit, branch or tag of a hub model.
        layers: Layer set: `last`, `last2`, `first-last` or `layer:k`.
        tokens: Token pooling: `mean`, `cls` or `max`.
        max_length: Longest input in tokens, special tokens included.
        dtype: Precision of the encoder.
        dataset: Name of a data set, or path of a table of pairs.
        layout: `senteval` or `glue` where both hold the data set; None takes what is there.
        split: Split that is scored.
        sentence1: Column of a table's first sentences; None recognises the usual names.
        sentence2: Column of its second sentences.
        score: Column of its gold scores.
        subset: Column of its subsets.
        scale: Lowest and highest gold score of a table, as `low,high`.
        calibrator: Spec, for example `null-top-k:k=6`.
        fit_on: Fit corpus: `target`, `train`, a data set's name, or path of a text file with a
            sentence per line.
        seed: Random seed.
        aggregation: `all`, `mean` or `wmean` over subsets.

    Raises:
        InputError: A value that no such field can have.
    """

    model: str = "minilm"
    revision: str | None = None
    layers: str = "layer:4"
    tokens: str = "mean"
    max_length: int = 64
    dtype: str = "float32"
    dataset: str = "teaching"
    layout: str | None = None
    split: str = "test"
    sentence1: str | None = None
    sentence2: str | None = None
    score: str | None = None
    subset: str | None = None
    scale: str | None = None
    calibrator: str = "identity"
    fit_on: str = "target"
    seed: int = 0
    aggregation: str = "all"

    _INTEGERS: ClassVar[tuple[str, ...]] = ("max_length", "seed")

    def __post_init__(self) -> None:
        for field in fields(self):
            self._check_type(field.name, getattr(self, field.name), field.default)
        LayerSet(self.layers)
        TokenPooling.parse(self.tokens)
        check_spec(self.calibrator)
        _check_choice("dtype", self.dtype, DTYPES)
        _check_choice("aggregation", self.aggregation, AGGREGATIONS)
        if self.max_length < 3:
            raise InputError(f"max_length must be at least 3 tokens, got {self.max_length}")
        if not 0 <= self.seed < 2**32:
            raise InputError(f"seed must be from 0 to 4294967295, got {self.seed}")

    def _check_type(self, name: str, value: object, default: object) -> None:
        if name in self._INTEGERS:
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputError(f"{name} must be a whole number, got {value!r}")
        elif value is not None or default is not None:
            if not isinstance(value, str) or not 0 < len(value) <= _MAX_TEXT:
                raise InputError(f"{name} must be a text of 1 to {_MAX_TEXT} characters")
            if not value.isprintable():
                raise InputError(f"{name} must not hold control characters, got {value!r}")

    def with_(self, **changes: Any) -> "Recipe":  # noqa: ANN401 - any field's type
        """Return a copy with some fields changed."""
        _check_names(changes)
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return every field, JSON-able."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Recipe":
        """Read what `to_dict` gave; missing fields take their defaults.

        Raises:
            InputError: An unknown field, or a value that the field cannot have.
        """
        _check_names(values)
        return cls(**values)

    def columns(self) -> dict[str, Any]:
        """Return every field under a name that keeps apart from a table's own columns."""
        return {f"recipe_{name}": value for name, value in self.to_dict().items()}

    def to_json(self) -> str:
        """Return every field as a JSON object with sorted keys."""
        return json.dumps(self.to_dict(), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Recipe":
        """Read what `to_json` gave.

        Raises:
            InputError: Not a JSON object of recipe fields.
        """
        try:
            values = json.loads(text)
        except ValueError as error:
            raise InputError(f"a recipe must be JSON ({error})") from error
        if not isinstance(values, dict):
            raise InputError("a recipe must be a JSON object of its fields")
        return cls.from_dict(values)

    def changes(self) -> dict[str, str]:
        """Return the fields that are not at their defaults, as text."""
        return {
            field.name: str(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    def to_query(self) -> str:
        """Return the fields that are not at their defaults as a URL's query string."""
        return urlencode(self.changes())

    @classmethod
    def from_query(cls, query: str) -> "Recipe":
        """Read what `to_query` gave, with or without a leading question mark."""
        try:
            pairs = parse_qsl(query.removeprefix("?"), strict_parsing=True) if query else []
        except ValueError as error:
            raise InputError(f"{query!r} is not a query string") from error
        return cls._from_text(pairs)

    def to_args(self) -> list[str]:
        """Return the options of `bertflow-lab evaluate` that reproduce this number."""
        args = []
        for name, text in self.changes().items():
            args += option_words("--" + name.replace("_", "-"), text)
        return args

    def to_command(self, calibrators: Sequence[str] = ()) -> str:
        """Return the whole command, quoted for a shell.

        Args:
            calibrators: Specs to compare in place of the recipe's own.
        """
        args = self.with_(calibrator="identity").to_args()
        for spec in calibrators or (self.calibrator,):  # none would mean the command's own default
            args += ["--calibrator", spec]
        return " ".join([COMMAND, *map(shlex.quote, args)])

    @classmethod
    def from_args(cls, args: Sequence[str]) -> "Recipe":
        """Read what `to_args` gave."""
        pairs, rest = [], list(args)
        while rest:
            option, equals, value = rest.pop(0).partition("=")
            if not option.startswith("--") or not (equals or rest):
                raise InputError(f"expected an option with a value, got {option!r}")
            value = value if equals else rest.pop(0)
            pairs.append((option.removeprefix("--").replace("-", "_"), value))
        return cls._from_text(pairs)

    @classmethod
    def _from_text(cls, pairs: Sequence[tuple[str, str]]) -> "Recipe":
        values: dict[str, Any] = dict(pairs)
        if len(values) < len(pairs):
            raise InputError("a recipe gives each field once")
        for name in cls._INTEGERS:
            if name in values:
                values[name] = _integer(name, values[name])
        return cls.from_dict(values)

    def fingerprint(self) -> str:
        """Return SHA-256 over every field and the versions of what computes the number."""
        versions = {name: _version(name) for name in _COMPUTED_BY}
        text = json.dumps([self.to_dict(), versions], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def caption(self) -> str:
        """Return the recipe as a line for people."""
        revision = f" at {self.revision[:12]}" if self.revision else ""
        layout = f" ({self.layout})" if self.layout else ""
        return (
            f"{self.model}{revision}, {self.layers}, {self.tokens} tokens, at most "
            f"{self.max_length} tokens, {self.dtype}; {self.dataset}{layout} {self.split}; "
            f"{self.calibrator} fitted on {self.fit_on}, seed {self.seed}; "
            f"aggregation {self.aggregation}"
        )


def option_words(option: str, value: str) -> list[str]:
    """Return an option with its value as words of a command line.

    A value that starts with a dash would be read as an option of its own: it is joined.
    """
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:  # zuko is an extra
        return None


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError(f"unknown {name} {value!r}: expected one of {', '.join(choices)}")


def _check_names(values: Mapping[str, Any]) -> None:
    known = {field.name for field in fields(Recipe)}
    for name in values:
        if name not in known:
            raise InputError(f"a recipe has no field {name!r}: {nearest(str(name), known)}")


def _integer(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{name} must be a whole number, got {text!r}") from None
