"""All choices that decide a number, in one frozen value.

A recipe is the options of a command, the caption under a figure, and what is saved beside a result:
two numbers that differ differ in a field that can be shown.
"""

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar

from bertflow_core.calibrators.catalog import calibrator_info, check_spec
from bertflow_core.calibrators.spec import parse_spec
from bertflow_core.device import settle_precision
from bertflow_core.encoders.layers import DECLARED, LayerSet
from bertflow_core.encoders.pooling import TokenPooling
from bertflow_core.encoders.static import has_words, is_static
from bertflow_core.errors import InputError, check_type, nearest
from bertflow_core.evaluation.metric import METRICS
from bertflow_core.evaluation.sts import AGGREGATIONS
from bertflow_core.params import parameter
from bertflow_core.wording import quoted

__all__ = ["COMMAND", "Recipe", "option_words"]

COMMAND = "bertflow-lab evaluate"
_MAX_TEXT = 4096
_RENAMED = {"dtype": "precision"}
_REMOVED: dict[str, tuple[str | None, ...]] = {
    "backend": ("torch",),
    "layout": (None, "senteval"),
}
"""Fields that were, and the value under which their numbers are those of a recipe without them."""
_COMPUTED_BY = ("bertflow-lab", "numpy", "scikit-learn", "scipy", "torch", "transformers", "zuko")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The choices that decide a number.

    Attributes:
        model: Catalogue name, local folder or hub id; `vectors` where the data set's own file holds
            vectors, or `vectors:FILE` and `vectors:FILE,FILE`; `glove:FILE` and
            `word2vec:FILE` for averaged word vectors.
        revision: Commit, branch or tag of a hub model; of vectors the digest of their files.
        layers: Layer set: `last`, `last2`, `first-last` or `layer:k`; or `model`, what the model's
            folder declares (pooling, dense layers, prompt, length).
        tokens: Token pooling: `mean`, `cls`, `max` or `last`; `model` with layers `model`, and only
            there.
        max_length: Longest input in tokens, special tokens included; 0, what the folder declares,
            with layers `model`, and only there.
        prompt: With layers `model`, the name of a prompt that the model's folder declares; None
            takes its default, if it has one.
        truncate_dim: With layers `model`, how many features are kept, the first ones (Matryoshka
            embeddings); 0 keeps what the folder declares.
        precision: Of the encoder's arithmetic: `float32`, `bfloat16` or `float16`; `auto` becomes
            the one that this machine's best device is made for.
        dataset: Name of a data set, or path of a table of pairs.
        split: Split that is scored.
        sentence1: Column of a table's first sentences; None recognises the usual names.
        sentence2: Column of its second sentences.
        score: Column of its gold scores.
        subset: Column of its subsets.
        scale: Lowest and highest gold score of a table, as `low,high`.
        metric: `rho` for graded scores or `auc` for labels of two kinds; None takes what the data
            declare.
        calibrator: Spec, for example `null-top-k:k=6`.
        fit_on: Fit corpus: `target`, `train`, `nli`, a data set's name, or path of a text file
            with a sentence per line or of a table; of vectors, `vectors` or a file of them.
        seed: Random seed.
        aggregation: `all`, `mean` or `wmean` over subsets.

    Raises:
        InputError: A value that no such field can have.

    Example:
        >>> from bertflow_core import Recipe
        >>> recipe = Recipe(dataset="teaching", layers="layer:4", calibrator="whiten")
        >>> recipe.to_command()
        'bertflow-lab evaluate --dataset teaching --calibrator whiten'
        >>> Recipe.from_dict(recipe.to_dict()) == recipe
        True
    """

    model: str = parameter(
        "minilm",
        "Catalogue name, local folder or hub id; vectors, those in the data set's own file; "
        "vectors:FILE, a parquet table that names each vector's sentence; glove:FILE and "
        "word2vec:FILE, averaged word vectors.",
    )
    revision: str | None = parameter(
        None,
        "Commit, branch or tag of a hub model.",
    )
    layers: str = parameter(
        "layer:4",
        "last, last2, first-last or layer:k (0 is the embedding output); model is what the "
        "model's folder declares, pooling and all.",
    )
    tokens: str = parameter(
        "mean",
        "Token pooling: mean, cls, max or last.",
    )
    max_length: int = parameter(
        64,
        "Longest input in tokens.",
    )
    prompt: str | None = parameter(
        None,
        "With --layers model: name of a prompt of the model's; its default if none.",
    )
    truncate_dim: int = parameter(
        0,
        "With --layers model: keep the first K features; 0 keeps all.",
    )
    precision: str = parameter(
        "float32",
        "float32, bfloat16 or float16 of the encoder; auto is what the device is made for.",
    )
    dataset: str = parameter(
        "captions",
        "captions, teaching, stsb, sts12 ... sts16, sickr, qnli, or a .csv, .tsv, .jsonl or "
        ".parquet table.",
    )
    split: str = parameter(
        "test",
        "Split to score.",
    )
    sentence1: str | None = parameter(
        None,
        "First sentences.",
    )
    sentence2: str | None = parameter(
        None,
        "Second sentences.",
    )
    score: str | None = parameter(
        None,
        "Gold scores.",
    )
    subset: str | None = parameter(
        None,
        "Subset of each pair.",
    )
    scale: str | None = parameter(
        None,
        "Lowest and highest gold score: LOW,HIGH.",
    )
    metric: str | None = parameter(
        None,
        "rho of graded scores, or auc of labels of two kinds, such as 0 and 1; what the data "
        "declare by default: numbers are scores, and two named classes are labels.",
    )
    calibrator: str = "identity"
    fit_on: str = parameter(
        "target",
        "target (all sentences of the data set), train, nli (premises and hypotheses of SNLI "
        "and MNLI; snli or mnli of one), the name of another data set, a text file with one "
        "sentence per line, or a table (FILE or FILE#COLUMN); of these three NAME:N draws N "
        "sentences at random, 300,000 at most; of vectors: vectors, or a file of them.",
    )
    seed: int = parameter(
        0,
        "Random seed.",
    )
    aggregation: str = parameter(
        "all",
        "Metric over subsets: all pairs at once (all), mean or wmean.",
    )

    _ignored: ClassVar[frozenset[str]] = frozenset()  # of an instance where `without` made it
    _INTEGERS: ClassVar[tuple[str, ...]] = ("max_length", "seed", "truncate_dim")

    def __post_init__(self) -> None:
        for field in fields(self):
            self._check_type(field.name, getattr(self, field.name), field.default)
        LayerSet(self.layers)
        self._settle_static()
        self._settle_declared()
        check_spec(self.calibrator)
        object.__setattr__(self, "precision", settle_precision(self.precision))
        _check_choice("aggregation", self.aggregation, AGGREGATIONS)
        if self.metric is not None:
            _check_choice("metric", self.metric, tuple(METRICS))
        if self.max_length < 3 and self.layers != DECLARED:
            raise InputError(f"max_length must be at least 3 tokens, got {self.max_length}")
        if not 0 <= self.seed < 2**32:
            raise InputError(f"seed must be from 0 to 4294967295, got {self.seed}")

    def _settle_static(self) -> None:
        """Let layers `model` follow from vectors without a network, which have no others."""
        if not self.is_static:
            return
        if self.layers not in (DECLARED, Recipe.layers):
            raise InputError(
                f"{quoted(self.model)} has no layers: leave layers out, got {quoted(self.layers)}"
            )
        object.__setattr__(self, "layers", DECLARED)

    def _settle_declared(self) -> None:
        """Let pooling and length follow from layers `model`, where they are not chosen apart."""
        if self.truncate_dim < 0:
            raise InputError(f"truncate_dim must be 0 or more features, got {self.truncate_dim}")
        if self.layers != DECLARED or self.is_static:
            for name in ("prompt", "truncate_dim"):
                if getattr(self, name):
                    raise InputError(
                        f"{name} belongs to layers {DECLARED} of a network: leave it out, or take "
                        f"layers {DECLARED}, got {quoted(getattr(self, name))}"
                    )
        if self.layers != DECLARED:
            TokenPooling.parse(self.tokens)
            return
        for name, settled in (("tokens", DECLARED), ("max_length", 0)):
            if getattr(self, name) not in (settled, getattr(Recipe, name)):
                raise InputError(
                    f"with layers {DECLARED} the model's folder decides {name}: leave it out, got "
                    f"{quoted(getattr(self, name))}"
                )
            object.__setattr__(self, name, settled)

    def _check_type(self, name: str, value: object, default: object) -> None:
        if name in self._INTEGERS:
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputError(f"{name} must be a whole number, got {quoted(value)}")
        elif value is not None or default is not None:
            if not isinstance(value, str) or not 0 < len(value) <= _MAX_TEXT:
                raise InputError(f"{name} must be a text of 1 to {_MAX_TEXT} characters")
            if not value.isprintable():
                raise InputError(f"{name} must not hold control characters, got {quoted(value)}")

    def with_(self, **changes: Any) -> "Recipe":  # noqa: ANN401 - any field's type
        """Return a copy with some fields changed; a changed field is no longer ignored."""
        _check_names(changes)
        return self._changed(changes)._ignoring(self._ignored.difference(changes))

    def without(self, *names: str) -> "Recipe":
        """Return a copy that ignores some fields, because a study does not depend on them.

        They take their defaults, so recipes that differ in nothing else become equal. The caption,
        the columns and the command leave them out.

        Args:
            names: Fields, for example `layers`.

        Example:
            >>> from bertflow_core import Recipe
            >>> Recipe(layers="last").without("layers") == Recipe().without("layers")
            True
        """
        _check_names(dict.fromkeys(names))
        defaults: dict[str, Any] = {f.name: f.default for f in fields(self) if f.name in names}
        return self._changed(defaults)._ignoring(self._ignored.union(names))

    def _changed(self, changes: dict[str, Any]) -> "Recipe":
        """Return a copy; who leaves layers `model` leaves what belongs to it as well."""
        if self.layers == DECLARED != changes.get("layers", DECLARED):
            own = ("tokens", "max_length", "prompt", "truncate_dim")
            changes = {**{name: getattr(Recipe, name) for name in own}, **changes}
        return replace(self, **changes)

    def _ignoring(self, names: frozenset[str]) -> "Recipe":
        object.__setattr__(self, "_ignored", names)
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return every field, JSON-able."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Recipe":
        """Read what `to_dict` gave, also under older names; missing fields take their defaults.

        Raises:
            InputError: An unknown field, or a value that the field cannot have.
        """
        check_type(values, Mapping, "a recipe's fields", "a mapping of their names")
        for name, harmless in _REMOVED.items():
            if values.get(name, harmless[-1]) not in harmless:
                raise InputError(
                    f"this recipe has {name} {quoted(values[name])}, which is no longer there: "
                    f"take it out for {quoted(harmless[-1])}"
                )
        kept = {name: value for name, value in values.items() if name not in _REMOVED}
        renamed = {_RENAMED.get(name, name): value for name, value in kept.items()}
        _check_names(renamed)
        return cls(**renamed)

    def columns(self) -> dict[str, Any]:
        """Return the fields that count, under names that keep apart from a table's own columns."""
        return {f"recipe_{name}": value for name, value in self.counting().items()}

    def counting(self) -> dict[str, Any]:
        """Return the fields that count, JSON-able."""
        return {k: v for k, v in self.to_dict().items() if k not in self._ignored}

    def changes(self) -> dict[str, str]:
        """Return the fields that are not at their defaults, as text."""
        return {
            field.name: str(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
            and not (self.layers == DECLARED and field.name in ("tokens", "max_length"))
            and not (self.is_static and field.name == "layers")
        }

    def to_args(self) -> list[str]:
        """Return the options of `bertflow-lab evaluate` that reproduce this number."""
        args = []
        for name, text in self.changes().items():
            args += option_words("--" + name.replace("_", "-"), text)
        return args

    def to_command(
        self,
        calibrators: Sequence[str] = (),
        *,
        command: str = COMMAND,
        options: Sequence[tuple[str, object]] = (),
    ) -> str:
        """Return the whole command, quoted for a shell.

        Args:
            calibrators: Specs to compare in place of the recipe's own.
            command: What is run, such as `bertflow-lab analyse lexical`.
            options: More options with their values, such as `("--unit", "treebank")`.
        """
        own = () if "calibrator" in self._ignored else (self.calibrator,)
        args = self.with_(calibrator="identity").to_args()
        # An own calibrator is always named: none would mean the command's default.
        for option, value in (*options, *(("--calibrator", spec) for spec in calibrators or own)):
            args += option_words(option, str(value))
        return " ".join([command, *map(shlex.quote, args)])

    def fingerprint(self) -> str:
        """Return SHA-256 over every field, the calibrator's parameters and the versions.

        The parameters count with their defaults, so that a changed default is another number.
        """
        steps = parse_spec(self.calibrator)
        parameters = [calibrator_info(step.name).resolve(dict(step.options)) for step in steps]
        versions = {name: _version(name) for name in _COMPUTED_BY}
        text = json.dumps([self.to_dict(), parameters, versions], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def caption(self) -> str:
        """Return the fields that count as a line for people."""
        fit = self._shown(" ", "calibrator", "fit_on")
        clauses = (
            self.encoder_caption,
            self._shown(" ", "dataset", "split"),
            ", ".join(filter(None, [fit, self._shown("", "seed")])),
            self._shown("", "metric"),
            self._shown("", "aggregation"),
        )
        return "; ".join(filter(None, clauses))

    @property
    def encoder_caption(self) -> str:
        """Where the vectors come from, for people."""
        of_network = ("layers", "tokens", "max_length", "precision")
        return self._shown(", ", "model", *(("tokens",) if self.is_static else of_network))

    @property
    def is_static(self) -> bool:
        """Whether the vectors come without a network: there are no layers, tokens or lengths."""
        return is_static(self.model)

    @property
    def pooling(self) -> str:
        """How tokens become a vector, for people."""
        if self.is_static:
            return "mean of word vectors" if has_words(self.model) else "vectors as given"
        if self.layers != DECLARED:
            return f"{self.tokens} tokens"
        prompt = f", prompt {quoted(self.prompt)}" if self.prompt is not None else ""
        kept = f", first {self.truncate_dim} features" if self.truncate_dim else ""
        return f"pooled as its folder declares{prompt}{kept}"

    @property
    def length(self) -> str:
        """The longest input, for people."""
        if self.is_static:
            return "of any length"
        is_declared = self.layers == DECLARED
        most = "as many tokens as it declares" if is_declared else f"{self.max_length} tokens"
        return f"at most {most}"

    @property
    def arithmetic(self) -> str:
        """In which precision the encoder computes, for people."""
        return self.precision

    def _shown(self, separator: str, *names: str) -> str:
        """Join the texts of those of these fields that are not ignored."""
        special = {
            "model": self.model + (f" at {self.revision[:12]}" if self.revision else ""),
            "tokens": self.pooling,
            "max_length": self.length,
            "precision": self.arithmetic,
            "dataset": self.dataset,
            "fit_on": f"fitted on {self.fit_on}",
            "seed": f"seed {self.seed}",
            "metric": f"metric {self.metric}" if self.metric else "",
            "aggregation": f"aggregation {self.aggregation}",
        }
        texts = {**self.to_dict(), **special}
        return separator.join(str(texts[name]) for name in names if name not in self._ignored)


def option_words(option: str, value: str) -> list[str]:
    """Return an option with its value as words of a command line.

    A value that starts with a dash would be read as an option of its own: it is joined.
    """
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


@cache
def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:  # zuko is an extra
        return None


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError(f"unknown {name} {quoted(value)}: expected one of {', '.join(choices)}")


def _check_names(values: Mapping[str, Any]) -> None:
    known = {field.name for field in fields(Recipe)}
    for name in values:
        if name not in known:
            raise InputError(f"a recipe has no field {quoted(name)}: {nearest(str(name), known)}")
