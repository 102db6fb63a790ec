"""All choices that decide a number, as one frozen value.

A recipe provides the options of a command, the caption of a figure and the metadata of a result. If
two numbers differ, so do their recipes, in a field that can be shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePath
from typing import Any, ClassVar, Self

from bertflow_core.arguments import checked
from bertflow_core.calibrators.registry import CALIBRATORS
from bertflow_core.calibrators.spec import Spec
from bertflow_core.encoders.given import Source, source_of
from bertflow_core.encoders.layers import PLAIN_LAYERS, LayerSet
from bertflow_core.encoders.pooling import TokenPooling
from bertflow_core.encoders.template import check_template
from bertflow_core.errors import InputError
from bertflow_core.evaluation.metrics import AGGREGATIONS, METRICS
from bertflow_core.evaluation.similarities import SIMILARITIES
from bertflow_core.params import Params, param
from bertflow_core.runtime.device import settle_precision
from bertflow_core.runtime.files import digest_of
from bertflow_core.runtime.shipped import version_of
from bertflow_core.wording import DOCUMENT, QUERY, ROLES, SIDES, quoted

COMMAND = "bertflow-lab evaluate"
PLAIN = "plain output"
"""The displayed name of the vectors from the model's own `encode`."""

TABLE = "Columns of a table"
"""The panel of the options for columns."""
OF_PLAIN = ("prompt", "query_prompt", "document_prompt", "truncate_dim")
"""Fields that only the plain output has."""
SETTLED = {
    **{"layers": PLAIN_LAYERS, "tokens": PLAIN_LAYERS, "max_length": 0},
    **{"prompt": None, "query_prompt": None, "document_prompt": None, "truncate_dim": 0},
}
"""The values of fields where they mean nothing for the vectors."""
OF_SIDES = ("query_prompt", "document_prompt", "query_template")
"""Fields for data with queries and documents."""

OF_TABLE = ("sentence1", "sentence2", "score", "subset", "scale", "roles")
OF_DATA = ("dataset", "split", "fit_on", *OF_TABLE)
"""Fields that decide the data."""

_COMPUTED_BY = ("bertflow-lab", "numpy", "scikit-learn", "scipy", "torch", "transformers")


@dataclass(frozen=True, kw_only=True)
class Recipe(Params):
    """The choices that decide a number.

    Raises:
        InputError: An invalid value, or values that exclude each other.

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
        "Catalogue name, local folder or hub id; vectors stands for the vectors in the data "
        "set's own file; vectors:FILE names a parquet table with a column of sentences, "
        "vectors:FILE,FILE a file (.npy, .parquet) for each side of the pairs; glove:FILE and "
        "word2vec:FILE average word vectors.",
        title="Model",
    )
    revision: str | None = param(
        None, "Commit, branch or tag of a hub model; for given vectors the digest of their files."
    )
    layers: str = param(
        "layer:4",
        "last, last2 (the paper's wording), first-last (what its code does) or layer:k (0 is the "
        "embedding output); model is the plain output, equal to sentence-transformers' encode.",
        title="Layers",
    )
    tokens: str = param(
        "mean",
        "How the token vectors of a sentence become one vector: mean, mean-content (without the "
        "special tokens that the tokenizer adds), mean-after-first (without the first token), cls, "
        "max or last (for decoders). With --layers model, the model decides.",
        title="Token pooling",
    )
    max_length: int = param(
        64,
        "Longest input in tokens, special tokens included. With --layers model, the model decides.",
        low=0,
    )
    prompt: str | None = param(
        None,
        "With --layers model: the name of one of the model's prompts, or a text to put before "
        "every sentence, which ends with a space or a punctuation mark. By default, queries and "
        "documents have the model's prompts for them, and other sentences its default prompt.",
        title="Prompt",
    )
    query_prompt: str | None = param(
        None,
        "With --layers model: the prompt of queries, in place of the model's prompt 'query'.",
        title="Prompt of queries",
    )
    document_prompt: str | None = param(
        None,
        "With --layers model: the prompt of documents, in place of the model's prompt 'document'.",
        title="Prompt of documents",
    )
    template: str | None = param(
        None,
        "Template that the model reads, with {text} in place of the sentence; by default the model "
        "reads the sentence alone.",
        title="Template",
    )
    query_template: str | None = param(
        None,
        "Template of queries, in place of --template, which documents keep.",
        title="Template of queries",
    )
    truncate_dim: int = param(
        0,
        "With --layers model: keep the first K features (Matryoshka embeddings); 0 keeps all.",
        low=0,
        title="Features kept",
    )
    precision: str = param(
        "float32",
        "float32, bfloat16 or float16 in the encoder's arithmetic; auto depends on the device "
        "(by default the machine's best).",
        title="Precision",
    )
    dataset: str = param(
        "captions",
        "captions, teaching, stsb, sts12 ... sts16, sickr, qnli; a .csv, .tsv, .xlsx, .jsonl or "
        ".parquet table; questions, or a folder or .zip in BEIR's layout, to search.",
        title="Data",
    )
    split: str = param("test", "Split to score.", title="Split")
    sentence1: str | None = param(
        None,
        "Column of first sentences; by default recognised by its name.",
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
        "Lowest and highest gold score, LOW,HIGH; by default 0 to 1 or 0 to 5, inferred from the "
        "scores.",
        title="Gold scale",
        panel=TABLE,
    )
    roles: str | None = param(
        None,
        "What first and second sentences are in a search, which decides their prompts: "
        f"{', '.join(ROLES)}. By default recognised by the columns' names.",
        choices=tuple(ROLES),
        title="Roles",
        panel=TABLE,
    )
    metric: str | None = param(
        None,
        "rho for gold scores, or auc for labels of two kinds, such as 0 and 1; for labelled texts "
        "accuracy of a classifier, or v-measure of clusters; for a collection ndcg, mrr, recall "
        "(of ten documents) or map. By default the data decide: "
        "numbers are scores, and two named classes are labels.",
        choices=tuple(METRICS),
        title="Metric",
    )
    similarity: str = param(
        "cosine",
        "How two vectors are compared: cosine; dot, euclidean or manhattan, on vectors as they "
        "are; spearman, the rank correlation of their features; csls, cosine corrected for dense "
        "neighbourhoods in the fit corpus.",
        choices=tuple(SIMILARITIES),
        title="Similarity",
    )
    calibrator: str = param("identity", "Calibrator: name[:key=value,...], steps joined by +.")
    fit_on: str = param(
        "target",
        "target (all sentences of the data set, without gold scores, as in the paper), train, "
        "nli (premises and hypotheses of SNLI and MNLI; snli or mnli for one), the name of "
        "another data set, a text file with one sentence per line, or a table (FILE or "
        "FILE#COLUMN). NAME:N draws N sentences at random, 300,000 at most. "
        "For given vectors: vectors, or a file of them.",
        title="Fit corpus",
    )
    seed: int = param(0, "Random seed.", low=0, high=2**32 - 1, title="Seed")
    aggregation: str = param(
        "all",
        "Aggregation over subsets: all pairs at once (all), the mean of subsets (mean), or their "
        "mean weighted by pairs (wmean).",
        choices=AGGREGATIONS,
        title="Aggregation",
    )

    _ignored: ClassVar[frozenset[str]] = frozenset()  # of an instance made by `without`

    def check(self) -> None:
        """Set dependent fields, and refuse values that exclude each other."""
        LayerSet(self.layers)
        self._settle_encoding()
        self._check_templates()
        object.__setattr__(self, "calibrator", Spec(self.calibrator))
        object.__setattr__(self, "precision", settle_precision(self.precision))

    def _settle_encoding(self) -> None:
        """Refuse choices that the vectors do not have, and set their fields."""
        where = f" with layers {self.layers}" if self.source.has_layers else ""
        for name in self._unused:
            if getattr(self, name) not in (SETTLED[name], getattr(Recipe, name)):
                raise InputError(
                    f"{quoted(self.model)} takes no {name}{where}: leave it out"
                    f"{', or choose other layers' if where else ''}, got "
                    f"{quoted(getattr(self, name))}"
                )
            object.__setattr__(self, name, SETTLED[name])
        if self.layers != PLAIN_LAYERS:
            TokenPooling.parse(self.tokens)
            if self.max_length < 3:
                raise InputError(f"max_length must be at least 3 tokens, got {self.max_length}")

    def _check_templates(self) -> None:
        for template in filter(None, (self.template, self.query_template)):
            check_template(template)
            if not self.source.has_layers:
                raise InputError(
                    f"{quoted(self.model)} has no network that reads a template: leave it out, got "
                    f"{quoted(template)}"
                )
        for side in SIDES:
            both = self.prompt_of(side), self.template_of(side)
            if None not in both:
                raise InputError(
                    "prompt and template cannot be combined: leave one out, got prompt "
                    f"{quoted(both[0])} and template {quoted(both[1])}"
                )

    def prompt_of(self, side: str) -> str | None:
        """Return the chosen prompt of `query`, of `document`, or of texts that are neither."""
        own = {QUERY: self.query_prompt, DOCUMENT: self.document_prompt}
        return own.get(side) or self.prompt

    def template_of(self, side: str) -> str | None:
        """Return the template of `query`, of `document`, or of texts that are neither."""
        return (self.query_template if side == QUERY else None) or self.template

    def with_(self, **changes: Any) -> Self:  # noqa: ANN401 - any field's type
        """Return a copy with some fields changed; these are no longer ignored (see `without`)."""
        self.check_names(changes)
        return self._changed(changes)._ignoring(self._ignored.difference(changes))

    def without(self, *names: str) -> Self:
        """Return a copy that ignores some fields, on which a study does not depend.

        They take their defaults, so that recipes which differ only in them become equal. The
        caption, the columns and the command omit them.

        Example:
            >>> from bertflow_core import Recipe
            >>> Recipe(layers="last").without("layers") == Recipe().without("layers")
            True
        """
        self.check_names(dict.fromkeys(names))
        return self._changed(self._defaults(*names))._ignoring(self._ignored.union(names))

    def on(self, dataset: str) -> Self:
        """Return the recipe on another data set, without the columns and the metric of this one."""
        others = {} if dataset == self.dataset else self._defaults(*OF_TABLE, "metric")
        return self.with_(dataset=dataset, **others)

    def _changed(self, changes: dict[str, Any]) -> Self:
        """Return a copy; a change from layers `model` to others resets what only these have."""
        if self.layers == PLAIN_LAYERS != changes.get("layers", PLAIN_LAYERS):
            changes = {**self._defaults(*SETTLED), **changes}
        return replace(self, **changes)

    def _defaults(self, *names: str) -> dict[str, Any]:
        return {name: getattr(type(self), name) for name in names}

    def _ignoring(self, names: frozenset[str]) -> Self:
        object.__setattr__(self, "_ignored", names)
        return self

    def counting(self) -> dict[str, Any]:
        """Return the fields in use, JSON-able."""
        without = self._ignored.union(self._unused)
        return {k: v for k, v in self.to_dict().items() if k not in without}

    def changes(self) -> dict[str, str]:
        """Return the fields that differ from their defaults, as text, without dependent fields."""
        return {k: v for k, v in super().changes().items() if k not in self._unused}

    def _own_calibrators(self) -> tuple[str, ...]:
        return () if "calibrator" in self._ignored else (self.calibrator,)

    def fingerprint(self) -> str:
        """Return SHA-256 over every field, the calibrator's parameters and the versions.

        The parameters count with their defaults, so that a changed default changes the fingerprint.
        A comparison by cosine has the fingerprint of a recipe without a similarity.
        """
        values = self.to_dict()
        if self.is_by_cosine:
            del values["similarity"]
        parameters = [step.resolved() for step in self.spec.steps]
        packages = (CALIBRATORS.plugins.package_of(step.name) for step in self.spec.steps)
        computed_by = (*_COMPUTED_BY, *filter(None, packages))
        versions = {name: version_of(name) for name in computed_by}
        return digest_of([values, parameters, versions])

    def caption(self) -> str:
        """Return the fields in use as one line of text."""
        network = ("layers", "tokens", "template", "query_template", "max_length", "precision")
        fit = self._shown(" ", "calibrator", "fit_on")
        clauses = (
            self._shown(", ", "model", *(network if self.source.has_layers else ("tokens",))),
            self._shown(" ", "dataset", *(["split"] if self.has_splits else []), "roles"),
            ", ".join(filter(None, [fit, self._shown("", "seed")])),
            *(self._shown("", name) for name in ("similarity", "metric", "aggregation")),
        )
        return "; ".join(filter(None, clauses))

    def base(self) -> "Recipe":
        """Return the same choices as a plain `Recipe`, without the fields that a study adds."""
        names = [each.name for each in fields(Recipe)]
        return Recipe(**{name: getattr(self, name) for name in names})._ignoring(self._ignored)

    @property
    def spec(self) -> Spec:
        """The calibrator, which was parsed when the recipe was made."""
        return Spec(self.calibrator)

    @property
    def plain(self) -> Self | None:
        """The recipe of the plain output: the model's own `encode`, uncalibrated, by cosine.

        None for given vectors, which have no model.
        """
        if not self.source.has_layers:
            return None
        others = ("template", "query_template", "calibrator", "similarity")
        defaults = self._defaults(*SETTLED, *others)
        return self.with_(**defaults | {"layers": PLAIN_LAYERS})

    @property
    def left_out(self) -> str | None:
        """A part of the network that is left out; only the recipe of `depth` may name one."""
        return None

    @property
    def is_by_cosine(self) -> bool:
        """Whether vectors are compared by cosine."""
        return self.similarity == Recipe.similarity

    @property
    def vectors(self) -> str:
        """The displayed name of its vectors: the plain output, or the layer set."""
        is_plain = self.with_(**self._defaults("calibrator", "similarity")) == self.plain
        return PLAIN if is_plain else self.layers

    @checked
    def each(self, *, layers: Sequence[str] = (), calibrators: Sequence[str] = ()) -> list[Self]:
        """Return a copy for each layer set and calibrator; either defaults to the recipe's own.

        A repeated layer set counts once.

        Example:
            >>> from bertflow_core import Recipe
            >>> found = Recipe().each(layers=["last", "layer:1"], calibrators=["whiten", "flow"])
            >>> [f"{each.layers} {each.calibrator}" for each in found]
            ['last whiten', 'last flow', 'layer:1 whiten', 'layer:1 flow']
        """
        return [
            place.with_(calibrator=spec)
            for place in dict.fromkeys(self.with_(layers=name) for name in layers) or [self]
            for spec in calibrators or [self.calibrator]
        ]

    @property
    def has_splits(self) -> bool:
        """Whether the data set has splits: named data sets and collections do, tables do not."""
        return PurePath(self.dataset).suffix in ("", ".zip")

    @property
    def source(self) -> Source:
        """The source of the vectors; only a neural network has layers, tokens and lengths."""
        return source_of(self.model)

    @property
    def _unused(self) -> tuple[str, ...]:
        """Fields that mean nothing for the vectors."""
        if not self.source.has_layers:
            return tuple(SETTLED)
        return ("tokens", "max_length") if self.layers == PLAIN_LAYERS else OF_PLAIN

    @property
    def pooling(self) -> str:
        """The token pooling, as text."""
        if not self.source.has_layers:
            return self.source.pooling
        if self.layers != PLAIN_LAYERS:
            return f"{self.tokens} tokens"
        texts = {name.replace("_", " "): getattr(self, name) for name in OF_PLAIN[:-1]}
        chosen = [f"{name} {quoted(text)}" for name, text in texts.items() if text is not None]
        kept = [f"first {self.truncate_dim} features"] if self.truncate_dim else []
        return ", ".join(["the model's own pooling", *chosen, *kept])

    @property
    def length(self) -> str:
        """The maximum length of the input, as text."""
        if not self.source.has_layers:
            return "of any length"
        own = "up to the model's own limit"
        return own if self.layers == PLAIN_LAYERS else f"at most {self.max_length} tokens"

    @property
    def encoding(self) -> str:
        """The way from a sentence to its vector, as text."""
        return self._shown(", ", "tokens", "template", "query_template", "max_length")

    def _shown(self, separator: str, *names: str) -> str:
        special = {
            "model": self.model + (f" at {self.revision[:12]}" if self.revision else ""),
            "layers": self.vectors,
            "tokens": self.pooling,
            "roles": f"as {self.roles}" if self.roles else "",
            "max_length": self.length,
            "fit_on": f"fitted on {self.fit_on}",
            "seed": f"seed {self.seed}",
            "similarity": "" if self.is_by_cosine else f"by {SIMILARITIES[self.similarity]}",
            "metric": f"metric {self.metric}" if self.metric else "",
            "aggregation": f"aggregation {self.aggregation}",
        }
        templates = {"template": self.template, "query_template": self.query_template}
        special |= {
            k: f"{k.replace('_', ' ')} {quoted(v)}" if v else "" for k, v in templates.items()
        }
        texts = self.to_dict() | special
        shown = (str(texts[name]) for name in names if name not in self._ignored)
        return separator.join(filter(None, shown))
