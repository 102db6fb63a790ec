"""All choices that decide a number, in one frozen value.

A recipe is the options of a command, the caption under a figure, and what is saved beside a result:
two numbers that differ differ in a field that can be shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Self

from bertflow_core.calibrators.registry import check_spec, parse_spec
from bertflow_core.encoders.given import Source, source_of
from bertflow_core.encoders.layers import PLAIN_LAYERS, LayerSet, TokenPooling
from bertflow_core.encoders.template import check_template
from bertflow_core.errors import InputError
from bertflow_core.evaluation.sts import AGGREGATIONS, METRICS
from bertflow_core.params import Params, param
from bertflow_core.runtime.device import settle_precision
from bertflow_core.runtime.files import digest_of
from bertflow_core.runtime.shipped import version_of
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.datasets import TableColumns


COMMAND = "bertflow-lab evaluate"
PLAIN = "plain output"
"""What people call the vectors that the model's own `encode` gives."""

TABLE = "Columns of a table"
"""The panel of the options that name them."""
OF_LAYERS = ("tokens", "max_length", "prompt", "truncate_dim")
"""What layers `model` decide otherwise than the others."""

_COMPUTED_BY = ("bertflow-lab", "numpy", "scikit-learn", "scipy", "torch", "transformers", "zuko")


@dataclass(frozen=True, kw_only=True)
class Recipe(Params):
    """The choices that decide a number; each field says what it is.

    Raises:
        InputError: A value that no such field can have, or values that do not go together.

    Example:
        >>> from bertflow_core import Recipe
        >>> recipe = Recipe(dataset="teaching", layers="layer:4", calibrator="whiten")
        >>> recipe.to_command()
        'bertflow-lab evaluate --dataset teaching --calibrator whiten'
        >>> Recipe.from_dict(recipe.to_dict()) == recipe
        True
    """

    command = COMMAND

    model: str = param(
        "minilm",
        "Catalogue name, local folder or hub id; vectors, those in the data set's own file; "
        "vectors:FILE, a parquet table that names each vector's sentence; glove:FILE and "
        "word2vec:FILE, averaged word vectors.",
        title="Model",
    )
    revision: str | None = param(
        None, "Commit, branch or tag of a hub model; of vectors the digest of their files."
    )
    layers: str = param(
        "layer:4",
        "last, last2 (the paper's wording), first-last (what its code does) or layer:k (0 is the "
        "embedding output); model is the plain output: what the model's folder declares, pooling "
        "and all, as sentence-transformers gives it.",
        title="Layers",
    )
    tokens: str = param(
        "mean",
        "How a sentence's token vectors become one: mean, mean-content (without the special tokens "
        "that the tokenizer adds), cls, max or last (of decoders); with layers model the folder "
        "decides.",
        title="Token pooling",
    )
    max_length: int = param(
        64,
        "Longest input in tokens, special tokens included; with layers model the folder decides.",
        low=0,
    )
    prompt: str | None = param(
        None,
        "With layers model: name of a prompt of the model's, put before every sentence; its "
        "default if none.",
        title="Prompt",
    )
    template: str | None = param(
        None,
        "Text that the model reads around each sentence, with {text} in the sentence's place; "
        "without one it reads the sentence alone.",
        title="Template",
    )
    truncate_dim: int = param(
        0,
        "With layers model: keep the first K features (Matryoshka embeddings); 0 keeps all.",
        low=0,
        title="Features kept",
    )
    precision: str = param(
        "float32",
        "float32, bfloat16 or float16 of the encoder's arithmetic; auto is what the device is made "
        "for, by default this machine's best.",
        title="Precision",
    )
    dataset: str = param(
        "captions",
        "captions, teaching, stsb, sts12 ... sts16, sickr, qnli; a .csv, .tsv, .xlsx, .jsonl or "
        ".parquet table; questions, or a folder in BEIR's layout, to search.",
        title="Data",
    )
    split: str = param("test", "Split to score.", title="Split")
    sentence1: str | None = param(
        None,
        "First sentences; None recognises the usual names.",
        title="First sentences",
        panel=TABLE,
    )
    sentence2: str | None = param(None, "Second sentences.", title="Second sentences", panel=TABLE)
    score: str | None = param(
        None,
        "Gold scores, or labels of single texts.",
        title="Gold scores or labels",
        panel=TABLE,
        flags=("--score", "--label"),
    )
    subset: str | None = param(None, "Subset of each pair.", title="Subsets", panel=TABLE)
    scale: str | None = param(
        None,
        "Lowest and highest gold score, LOW,HIGH; 0 to 1 or 0 to 5 by default, as they seem to be.",
        title="Gold scale",
        panel=TABLE,
    )
    metric: str | None = param(
        None,
        "rho of graded scores, or auc of labels of two kinds, such as 0 and 1; of labelled texts "
        "accuracy of a classifier, or v-measure of clusters; of a collection ndcg, mrr, recall (of "
        "ten documents) or map. What the data declare by default: "
        "numbers are scores, and two named classes are labels.",
        choices=tuple(METRICS),
        title="Metric",
    )
    calibrator: str = param("identity", "Calibrator: name[:key=value,...], steps joined by +.")
    fit_on: str = param(
        "target",
        "target (all sentences of the data set, without gold scores, as in the paper), train, nli "
        "(premises and hypotheses of SNLI and MNLI; snli or mnli of one), the name of another data "
        "set, a text file with one sentence per line, or a table (FILE or FILE#COLUMN); of these "
        "three NAME:N draws N sentences at random, 300,000 at most; of vectors: vectors, or a "
        "file of them.",
        title="Fit corpus",
    )
    seed: int = param(0, "Random seed.", low=0, high=2**32 - 1, title="Seed")
    aggregation: str = param(
        "all",
        "Metric over subsets: all pairs at once (all), mean, or wmean, weighted by their pairs.",
        choices=AGGREGATIONS,
        title="Aggregation",
    )

    _ignored: ClassVar[frozenset[str]] = frozenset()  # of an instance where `without` made it

    def check(self) -> None:
        """Settle what follows from other fields, and refuse what does not go together."""
        LayerSet(self.layers)
        self._settle_given()
        self._settle_declared()
        self._check_template()
        check_spec(self.calibrator)
        object.__setattr__(self, "precision", settle_precision(self.precision))
        if self.max_length < 3 and self.layers != PLAIN_LAYERS:
            raise InputError(f"max_length must be at least 3 tokens, got {self.max_length}")

    def _settle_given(self) -> None:
        """Let layers `model` follow from vectors without a network, which have no others."""
        if self.source.has_layers:
            return
        if self.layers not in (PLAIN_LAYERS, Recipe.layers):
            raise InputError(
                f"{quoted(self.model)} has no layers: leave layers out, got {quoted(self.layers)}"
            )
        object.__setattr__(self, "layers", PLAIN_LAYERS)

    def _check_template(self) -> None:
        if self.template is None:
            return
        check_template(self.template)
        if not self.source.has_layers:
            raise InputError(
                f"{quoted(self.model)} has no network that reads a template: leave it out, got "
                f"{quoted(self.template)}"
            )
        if self.prompt is not None:
            raise InputError(
                "prompt and template cannot stand together: leave one out, got prompt "
                f"{quoted(self.prompt)} and template {quoted(self.template)}"
            )

    def _settle_declared(self) -> None:
        """Let pooling and length follow from layers `model`, where they are not chosen apart."""
        if self.layers != PLAIN_LAYERS or not self.source.has_layers:
            for name in ("prompt", "truncate_dim"):
                if getattr(self, name):
                    raise InputError(
                        f"{name} belongs to layers {PLAIN_LAYERS} of a network: leave it out, or "
                        f"take layers {PLAIN_LAYERS}, got {quoted(getattr(self, name))}"
                    )
        if self.layers != PLAIN_LAYERS:
            TokenPooling.parse(self.tokens)
            return
        for name, settled in (("tokens", PLAIN_LAYERS), ("max_length", 0)):
            if getattr(self, name) not in (settled, getattr(Recipe, name)):
                raise InputError(
                    f"with layers {PLAIN_LAYERS} the model's folder decides {name}: leave it out, "
                    f"got {quoted(getattr(self, name))}"
                )
            object.__setattr__(self, name, settled)

    def table_columns(self) -> "TableColumns | None":
        """Return the columns of a table that are named; None where they are to be recognised."""
        from bertflow_core.datasets import TableColumns

        named = (self.sentence1, self.sentence2, self.score, self.subset)
        if not any(named):
            return None
        if self.sentence1 is None and (self.sentence2 or self.subset):
            raise InputError(
                "name the columns of sentences: --sentence1 and --sentence2, or --sentence1 alone "
                "for single sentences"
            )
        return TableColumns(self.sentence1, self.sentence2, self.score, self.subset)

    def gold_scale(self) -> tuple[float, float] | None:
        """Return the lowest and highest gold score, or None where they are to be inferred."""
        if self.scale is None:
            return None
        try:
            low, high = map(float, self.scale.split(","))
        except ValueError:
            raise InputError(
                "scale must be the lowest and highest gold score as LOW,HIGH, got "
                f"{quoted(self.scale)}"
            ) from None
        return low, high

    def with_(self, **changes: Any) -> Self:  # noqa: ANN401 - any field's type
        """Return a copy with some fields changed; a changed field is no longer ignored."""
        self.check_names(changes)
        return self._changed(changes)._ignoring(self._ignored.difference(changes))

    def without(self, *names: str) -> Self:
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
        self.check_names(dict.fromkeys(names))
        return self._changed(self._defaults(*names))._ignoring(self._ignored.union(names))

    def _changed(self, changes: dict[str, Any]) -> Self:
        """Return a copy; who leaves layers `model` leaves what belongs to it as well."""
        if self.layers == PLAIN_LAYERS != changes.get("layers", PLAIN_LAYERS):
            changes = {**self._defaults(*OF_LAYERS), **changes}
        return replace(self, **changes)

    def _defaults(self, *names: str) -> dict[str, Any]:
        return {name: getattr(type(self), name) for name in names}

    def _ignoring(self, names: frozenset[str]) -> Self:
        object.__setattr__(self, "_ignored", names)
        return self

    def counting(self) -> dict[str, Any]:
        """Return the fields that count, JSON-able."""
        return {k: v for k, v in self.to_dict().items() if k not in self._ignored}

    def changes(self) -> dict[str, str]:
        """Return the fields that are not at their defaults, as text, but what others settle."""
        settled = {"layers": not self.source.has_layers}
        settled |= dict.fromkeys(("tokens", "max_length"), self.layers == PLAIN_LAYERS)
        return {k: text for k, text in super().changes().items() if not settled.get(k)}

    def to_command(
        self,
        calibrators: Sequence[str] = (),
        *,
        command: str = "",
        options: Sequence[tuple[str, object]] = (),
    ) -> str:
        """Return the whole command, with calibrators in place of the recipe's own."""
        # An own calibrator is always named: none would mean the command's default.
        own = () if "calibrator" in self._ignored else (self.calibrator,)
        return super().to_command(calibrators or own, command=command, options=options)

    def fingerprint(self) -> str:
        """Return SHA-256 over every field, the calibrator's parameters and the versions.

        The parameters count with their defaults, so that a changed default is another number.
        """
        parameters = [step.resolved() for step in parse_spec(self.calibrator)]
        versions = {name: version_of(name) for name in _COMPUTED_BY}
        return digest_of([self.to_dict(), parameters, versions])

    def caption(self) -> str:
        """Return the fields that count as a line for people."""
        network = ("layers", "tokens", "template", "max_length", "precision")
        fit = self._shown(" ", "calibrator", "fit_on")
        clauses = (
            self._shown(", ", "model", *(network if self.source.has_layers else ("tokens",))),
            self._shown(" ", "dataset", *(["split"] if self.has_splits else [])),
            ", ".join(filter(None, [fit, self._shown("", "seed")])),
            self._shown("", "metric"),
            self._shown("", "aggregation"),
        )
        return "; ".join(filter(None, clauses))

    def base(self) -> "Recipe":
        """Return the fields that every recipe has, without those of a study."""
        names = [each.name for each in fields(Recipe)]
        return Recipe(**{name: getattr(self, name) for name in names})._ignoring(self._ignored)

    @property
    def plain(self) -> Self | None:
        """The recipe of the plain output: the model's own `encode`, no template, uncalibrated.

        None where vectors are given: nothing puts them out here.
        """
        if not self.source.has_layers:
            return None
        defaults = self._defaults(*OF_LAYERS, "template", "calibrator")
        return self.with_(layers=PLAIN_LAYERS, **defaults)

    @property
    def vectors(self) -> str:
        """What people call its vectors: the plain output, or the layer set."""
        is_plain = self.with_(calibrator=Recipe.calibrator) == self.plain
        return PLAIN if is_plain else self.layers

    def beside_plain(self, layers: Sequence[str]) -> list[Self]:
        """Return the recipe of each layer set, the plain output first where it is none of them."""
        recipes, plain = [self.with_(layers=name) for name in layers], self.plain
        return recipes if plain is None or PLAIN_LAYERS in layers else [plain, *recipes]

    @property
    def has_splits(self) -> bool:
        """Whether the data set has splits: one with a name has them, a file has not."""
        return not PurePath(self.dataset).suffix

    @property
    def source(self) -> Source:
        """Where the vectors come from: without a network there are no layers, tokens or lengths."""
        return source_of(self.model)

    @property
    def pooling(self) -> str:
        """How tokens become a vector, for people."""
        if not self.source.has_layers:
            return self.source.pooling
        if self.layers != PLAIN_LAYERS:
            return f"{self.tokens} tokens"
        prompt = f", prompt {quoted(self.prompt)}" if self.prompt is not None else ""
        kept = f", first {self.truncate_dim} features" if self.truncate_dim else ""
        return f"the model's own pooling{prompt}{kept}"

    @property
    def length(self) -> str:
        """The longest input, for people."""
        if not self.source.has_layers:
            return "of any length"
        is_declared = self.layers == PLAIN_LAYERS
        most = "the model's own limit" if is_declared else f"{self.max_length} tokens"
        return f"at most {most}"

    @property
    def encoding(self) -> str:
        """How a sentence becomes a vector of its layers, for people."""
        return self._shown(", ", "tokens", "template", "max_length")

    def _shown(self, separator: str, *names: str) -> str:
        """Join the texts of those of these fields that are not ignored."""
        special = {
            "model": self.model + (f" at {self.revision[:12]}" if self.revision else ""),
            "layers": self.vectors,
            "tokens": self.pooling,
            "template": f"template {quoted(self.template)}" if self.template else "",
            "max_length": self.length,
            "fit_on": f"fitted on {self.fit_on}",
            "seed": f"seed {self.seed}",
            "metric": f"metric {self.metric}" if self.metric else "",
            "aggregation": f"aggregation {self.aggregation}",
        }
        texts = self.to_dict() | special
        shown = (str(texts[name]) for name in names if name not in self._ignored)
        return separator.join(filter(None, shown))
