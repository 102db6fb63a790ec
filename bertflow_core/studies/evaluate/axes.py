"""The axes of `evaluate`, the rows that they span, and the names of these rows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.encoders.given import Source, short_names, source_of
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.template import SLOT
from bertflow_core.errors import InputError, nearest
from bertflow_core.evaluation.similarities import SIMILARITIES
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.params import param, same_param
from bertflow_core.wording import quoted

AXES = ("model", "dataset", "template", "tokens", "similarity")
"""Fields of a recipe that `EvaluateRecipe` has in the plural."""


@dataclass(frozen=True, kw_only=True)
class EvaluateRecipe(Recipe):
    """The choices of a recipe, several on each axis, and what the report adds to the scores."""

    models: tuple[str, ...] = same_param(
        Recipe, "model", default=(Recipe.model,), flags=("--model",), title=""
    )
    datasets: tuple[str, ...] = same_param(
        Recipe, "dataset", default=(Recipe.dataset,), flags=("--dataset",), title=""
    )
    templates: tuple[str, ...] = param(
        (SLOT,),
        "Template with {text} for the sentence; {text} alone means no template.",
        flags=("--template",),
    )
    poolings: tuple[str, ...] = same_param(
        Recipe, "tokens", default=(Recipe.tokens,), flags=("--tokens",), title=""
    )
    similarities: tuple[str, ...] = same_param(
        Recipe, "similarity", default=(Recipe.similarity,), flags=("--similarity",)
    )
    seeds: int = param(
        1,
        "Fits of each calibrator that has a seed; the table shows their mean.",
        low=1,
        high=50,
    )
    baseline: str | None = param(
        None,
        "Row with which every other row is compared, too, such as 'minilm last whiten'.",
    )
    pairs: bool = param(False, "Add the similarity of each pair to the JSON output.")
    lexical: bool = param(
        False,
        "Add two lexical baselines, lexical-jaccard and lexical-coverage, which count shared "
        "tokens.",
    )

    @classmethod
    def of(cls, recipe: Recipe, **axes: object) -> "EvaluateRecipe":
        """Return the axes through one recipe, with several values on some of them."""
        template = SLOT if recipe.template is None else recipe.template
        pooling = Recipe.tokens if recipe.layers == PLAIN_LAYERS else recipe.tokens
        through = {"models": (recipe.model,), "datasets": (recipe.dataset,)}
        through |= {"templates": (template,), "poolings": (pooling,)}
        through |= {"similarities": (recipe.similarity,)}
        return cls(**{**recipe.to_dict(), **through, **axes})

    def check(self) -> None:
        """Refuse an axis without a value, a revision of several models and what no row can have."""
        for name in ("models", "datasets", "templates", "poolings", "similarities"):
            if not getattr(self, name):
                raise InputError(f"there is nothing to score: name at least one of {name}")
        if len(self.models) > 1 and self.revision is not None:
            raise InputError("a revision applies to one model: give a single --model")
        super().check()

    @property
    def source(self) -> Source:
        """The source of the vectors of the first model that has layers, else of the first model."""
        sources = [source_of(model) for model in self.models]
        return next((each for each in sources if each.has_layers), sources[0])

    @property
    def has_splits(self) -> bool:
        """Whether one of the data sets has splits."""
        return any(self.base().with_(dataset=name).has_splits for name in self.datasets)

    def caption(self) -> str:
        """Return models and data sets, then the fields in use, as one line of text."""
        poolings = self.poolings if self.poolings != (Recipe.tokens,) else ()
        ways = self.similarities if self.similarities != (Recipe.similarity,) else ()
        named = [", ".join(values) for values in (self.models, self.datasets, poolings)]
        named += [f"by {', '.join(SIMILARITIES[name] for name in ways)}"] if ways else []
        named += [quoted(text) for text in self.templates if text != SLOT]
        return "; ".join(filter(None, [*named, super().caption()]))

    def rows(
        self, layers: Sequence[str], calibrators: Sequence[str], *, with_plain: bool = True
    ) -> tuple[Recipe, ...]:
        """Return the rows on the first data set, by model; each model's plain output comes first.

        It is compared by cosine, whatever the similarities of other rows. Vectors without a network
        have no layers, templates and poolings.
        """
        every: list[Recipe] = []
        for model in self.models:
            asked = [*self._of_model(model, layers, calibrators)]
            plain = asked[0].plain if with_plain else None
            every += [*filter(None, [plain]), *asked]
        return tuple(dict.fromkeys(every))

    def _of_model(
        self, model: str, layers: Sequence[str], calibrators: Sequence[str]
    ) -> Iterable[Recipe]:
        first = self.base().with_(model=model, dataset=self.datasets[0])
        compared = [*product(self.similarities, calibrators)]
        if not source_of(model).has_layers:
            vectors = first.with_(layers=Recipe.layers)
            yield from (vectors.with_(similarity=way, calibrator=spec) for way, spec in compared)
            return
        for name, text, pooling in product(layers, self.templates, self.poolings):
            tokens = {} if name == PLAIN_LAYERS and len(layers) > 1 else {"tokens": pooling}
            template = None if text == SLOT else text
            vectors = first.with_(layers=name, template=template, **tokens)
            yield from (vectors.with_(similarity=way, calibrator=spec) for way, spec in compared)

    def columns_of(self, row: Recipe) -> dict[str, str | None]:
        """Return the fields of a row by which it differs from the others, for a table."""
        apart = {"model": row.model} if len(self.models) > 1 else {}
        apart |= {"vectors": row.vectors if row.source.has_layers else "as given"}
        apart |= {"tokens": row.tokens} if len(self.poolings) > 1 else {}
        is_shown = self.similarities != (Recipe.similarity,)
        apart |= {"compared_by": row.similarity} if is_shown else {}
        return apart | ({"template": row.template} if len(self.templates) > 1 else {})


@dataclass(frozen=True)
class Reference:
    """A kind of row with which others are compared.

    In its texts, `{first}` is the first model and `{baseline}` the name of the baseline.
    """

    key: str  # of the columns of the differences
    label: str
    name: str  # of the row, after "difference from"
    row: "Callable[[Rows, Recipe], Recipe | None]"

    def of(self, rows: "Rows") -> tuple[str, str]:
        """Return the label and the name."""
        baseline = "" if rows.baseline is None else rows.name(rows.baseline)
        label, name = (
            text.format(first=rows.models[0], baseline=baseline) for text in (self.label, self.name)
        )
        return label, name


REFERENCES = (
    Reference(
        "change",
        "change",
        "the uncalibrated vectors",
        lambda _, row: row.with_(calibrator=BASELINE),
    ),
    Reference(
        "to_plain",
        f"to {PLAIN}",
        f"the {PLAIN}",
        lambda rows, row: row.plain if row.plain in rows.every else None,
    ),
    Reference(
        "to_cosine",
        "to cosine",
        "the same vectors by cosine",
        lambda rows, row: each if (each := row.with_(similarity="cosine")) in rows.every else None,
    ),
    Reference(
        "to_first",
        "to {first}",
        "the first row of {first}",
        lambda rows, row: rows.own_outputs[0] if row in rows.own_outputs[1:] else None,
    ),
    Reference("to_baseline", "to baseline", "{baseline}", lambda rows, _: rows.baseline),
)
"""What a row is compared with: the last one is the row that was named."""


@dataclass(frozen=True)
class Rows:
    """The rows of a grid, in the order of its table, and the row that each is compared with."""

    every: tuple[Recipe, ...]
    baseline: Recipe | None = None

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The distinct models."""
        return tuple(dict.fromkeys(row.model for row in self.every))

    @cached_property
    def own_outputs(self) -> tuple[Recipe, ...]:
        """Each model's own output: its plain output or, without one, its first row."""
        firsts = {row.model: row for row in reversed(self.every)}
        return tuple(firsts[model] for model in self.models)

    def reference(self, of: Reference, row: Recipe | str) -> Recipe | None:
        """Return the row with which a row is compared, if any.

        A lexical baseline, which is a name, is compared as the first calibrated vectors are.
        """
        if isinstance(row, Recipe):
            other = of.row(self, row)
            return None if other == row else other
        first = self.own_outputs[0]
        return of.row(self, next((each for each in self.every if each != each.plain), first))

    def name(self, row: Recipe) -> str:
        """Return the display name of a row, without the folder of its model or the only model."""
        if len(self.models) == 1 and row.source.has_layers:
            return full_name(row).removeprefix(f"{row.model} ")
        return short_names(self.models)[row.model] + full_name(row).removeprefix(row.model)

    def spoken(self, row: Recipe) -> str:
        """Return a row's name as a sentence has it."""
        vectors = self.name(row).removesuffix(f" {row.calibrator}")
        if row.vectors == PLAIN:
            of = short_names(self.models)[row.model]
            vectors = (
                f"the {PLAIN}" + (f" of {of}" if len(self.models) > 1 else "") + by_similarity(row)
            )
        if row.calibrator != BASELINE:
            return f"{vectors} under {row.calibrator}"
        return vectors if row == row.plain else f"{vectors} uncalibrated"

    def short(self, row: Recipe) -> str:
        """Return a row's name as a headline has it: a model's name stands for its plain output."""
        model = short_names(self.models)[row.model] if len(self.models) > 1 else ""
        if row.calibrator == BASELINE and row.vectors == PLAIN:
            return model or f"the {PLAIN}"
        several = len({each.vectors for each in self.every if each != each.plain}) > 1
        vectors = "" if row.vectors == PLAIN or not row.source.has_layers else row.vectors
        where = " ".join(filter(None, (model, vectors)))
        if row.calibrator == BASELINE:
            return f"{where} uncalibrated".strip()
        return row.spec.plain_name + (f" on {where}" if where and (model or several) else "")


def full_name(row: Recipe) -> str:
    """Return the full name of a row: model, vectors, calibrator, and what is not the default."""
    if row.plain is None:
        return f"{row.model}{by_similarity(row)} {row.calibrator}"
    pooling = "" if row.tokens in (Recipe.tokens, PLAIN_LAYERS) else f" {row.tokens}"
    template = f" {quoted(row.template)}" if row.template else ""
    return f"{row.model} {row.vectors}{pooling}{template}{by_similarity(row)} {row.calibrator}"


def by_similarity(row: Recipe) -> str:
    """Return the similarity as the end of a name; empty for cosine."""
    return "" if row.is_by_cosine else f" by {row.similarity}"


def chosen_baseline(rows: Sequence[Recipe], named: str | None) -> Recipe | None:
    """Return the row of this name; refuse a name that no row has."""
    if named is None:
        return None
    known = {full_name(row): row for row in rows}
    if named not in known:
        raise InputError(f"no row is called {quoted(named)}: {nearest(named, known)}")
    return known[named]
