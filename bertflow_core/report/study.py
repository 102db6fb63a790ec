"""A study: a question, the parameters that decide its numbers, and a function that measures.

One declaration gives a command, a page, five forms of output, figures and a contract test. A study
is a module of `bertflow_core/studies/`, listed in `STUDIES` there. CONTRIBUTING.md shows a complete
study in forty lines. Modules that only the measurement needs are imported inside its functions.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from bertflow_core.calibrators.spec import Spec, baseline_first
from bertflow_core.encoders.given import ROW_VECTORS, Source
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.evaluation import RHO, Metric
from bertflow_core.lab.layer_choices import (
    encodings_apart,
    layer_columns,
    layer_options,
    of_layers,
    shared_by,
    widest,
)
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import Params
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row
from bertflow_core.report.result import Result
from bertflow_core.runtime import context
from bertflow_core.wording import FIT_ON_MORE

if TYPE_CHECKING:
    from bertflow_core.lab.lab import Lab

P = TypeVar("P", bound=Params)
Specs = Sequence[Spec]


@dataclass(frozen=True)
class Study(Generic[P]):
    """A declared study; a call measures and returns the report.

    `measure` takes parameters and lab, then calibrators and layer sets if the study has them.
    `figures` returns the pictures of a report.
    """

    name: str  # of the command and the page
    params: type[P]  # the class of its parameters, derived from `Recipe` if it needs a data set
    measure: Callable[..., Result] = field(repr=False)
    columns: Sequence[Column] | Callable[[P], Sequence[Column]] = field(repr=False)  # for people
    title: str  # the question
    figures: Callable[[Report], Pictures] | None = field(default=None, repr=False)
    joint: bool = False  # whether one picture shows the rows of several models
    calibrators: tuple[str, ...] = ()  # the default ones; empty if the study takes none
    baseline: bool = False  # whether the uncalibrated vectors are always measured first
    layers: bool = False  # whether the study takes several layer sets
    every_layer: bool = False  # whether it measures every single layer by default
    plain: bool = False  # whether it also measures the model's plain output
    needs: Source = ROW_VECTORS  # the least that it can measure; any vectors will do by default
    without: tuple[str, ...] = ()  # fields of the recipe that the study ignores
    command: str = ""  # without options; by default `bertflow-lab analyse NAME`
    folder: bool = False  # whether the command has an output folder, where a run can be resumed

    def __post_init__(self) -> None:
        if not self.command:
            object.__setattr__(self, "command", f"bertflow-lab analyse {self.name}")

    def __call__(
        self,
        params: P | None = None,
        lab: "Lab | None" = None,
        calibrators: Sequence[str] = (),
        layers: Sequence[str] = (),
    ) -> Report:
        """Measure and report, by default with the study's own parameters and calibrators."""
        from bertflow_core.lab.lab import Lab

        params, lab = self.params() if params is None else params, lab or Lab()
        if isinstance(params, Recipe) and "similarity" in self.without:
            params = params.with_(similarity=Recipe.similarity)
        asked: list[Any] = [params, lab]
        specs, names = self.specs(calibrators), tuple(dict.fromkeys(layers))
        if self.calibrators:
            asked.append(specs)
        if self.layers and isinstance(params, Recipe):
            every = every_layer(params, lab) if self.every_layer and not names else ()
            names = names or every or (params.layers,)
            asked = [of_layers(params, names), *asked[1:], names]
        return self.report(self.measure(*asked), asked[0], specs, names)

    def report(
        self,
        result: Result,
        params: P,
        calibrators: Sequence[str] = (),
        layers: Sequence[str] = (),
    ) -> Report:
        """Return the report of a result under these parameters, calibrators and layer sets."""
        context.check_cancelled()
        specs = self.specs(calibrators)
        settled = cast("Sequence[P]", result.recipes) or [params]
        shared, recipes, every = self._shared(settled, layers)
        caption = remarks_of(Kind.METHOD, f"{shared.caption()}.", *encodings_apart(every))
        return Report(
            name=self.name,
            params=shared,
            columns=result.columns or self.columns_of(params),
            rows=[_with_layers(row, recipes, shared) for row in result.rows],
            title=self.title,
            remarks=tuple(dict.fromkeys((*caption, *result.remarks))),
            command=self._told(shared, recipes).to_command(
                (specs[1:] if self.baseline else ()) or specs,
                command=self.command,
                options=layer_options(recipes),
            ),
            tables=tuple(result.tables),
            facts=result.facts,
            objects=result.objects,
            draw=self.figures,
            max_rows=result.max_rows,
            text_table=result.text_table,
            latex=result.latex,
        )

    def specs(self, calibrators: Sequence[str]) -> tuple[Spec, ...]:
        """Return the calibrators to measure, given the requested ones; refuse unknown ones."""
        specs = tuple(dict.fromkeys(map(Spec, calibrators or self.calibrators)))
        return baseline_first(specs) if self.baseline else specs

    def columns_of(self, params: P) -> Sequence[Column]:
        """Return the columns under these parameters."""
        return self.columns(params) if callable(self.columns) else self.columns

    def read(self, document: Mapping[str, Any]) -> Report:
        """Read a report back from its JSON."""
        known = ("study", "title", "recipe", "command", "remarks", "rows", "tables")
        params = self.params.from_dict(document["recipe"])
        if isinstance(params, Recipe):
            params = params.without(*params.to_dict().keys() - document["recipe"].keys())
        return Report(
            name=self.name,
            params=params,
            columns=self.columns_of(params),
            rows=document["rows"],
            title=self.title,
            remarks=tuple(Remark(Kind(each["kind"]), each["text"]) for each in document["remarks"]),
            command=document["command"],
            facts={key: value for key, value in document.items() if key not in known},
            draw=self.figures,
        )

    def _told(self, shared: P, recipes: Sequence[Recipe]) -> P:
        """Return the parameters of the command: those of the first layer set other than `model`."""
        others = (each for each in recipes if each.layers != PLAIN_LAYERS)
        own = ("layers", *(["calibrator"] * bool(self.calibrators)), *self.without)
        return next((cast("P", each.without(*own)) for each in others), shared)

    def _shared(
        self, settled: Sequence[P], layers: Sequence[str]
    ) -> tuple[P, list[Recipe], list[Recipe]]:
        """Return the shared parameters, each layer set's recipe, and these with the plain one."""
        params = settled[-1]
        if not isinstance(params, Recipe):
            return params, [], []
        own = ("calibrator", *self.without) if self.calibrators else self.without
        if not self.layers:
            return params.without(*own), [], []
        found = cast("Sequence[Recipe]", settled)  # an additional plain output does not count
        wide = widest([each for each in found if each.layers in layers] or found)
        recipes = [wide.with_(layers=name) for name in layers]
        every = [*recipes, *([wide.plain] if self.plain and wide.plain is not None else [])]
        return cast("P", shared_by(every).without(*own)), recipes, every


def _with_layers(row: Row, recipes: Sequence[Recipe], shared: Params) -> Row:
    """Return a row with the fields in which its layer set differs from the others."""
    if not isinstance(shared, Recipe):
        return row
    apart = [layer_columns(each, shared) for each in recipes if each.layers == row.get("layers")]
    return {**row, **apart[0]} if apart else row


def study(
    name: str,
    params: type[P],
    columns: Sequence[Column] | Callable[[P], Sequence[Column]],
    *,
    title: str,
    **declared: Any,  # noqa: ANN401 - the other fields of `Study`, each with its own type
) -> Callable[[Callable[..., Result]], Study[P]]:
    """Declare a function as a study; the arguments are the fields of `Study`."""

    def declare(measure: Callable[..., Result]) -> Study[P]:
        return Study(name, params, measure, columns, title, **declared)

    return declare


def scored_by(metric: Metric, columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return columns with the name of a metric in place of rho."""
    return tuple(replace(c, label=c.label.replace(RHO.header, metric.header)) for c in columns)


def every_layer(recipe: Recipe, lab: "Lab") -> tuple[str, ...]:
    """Return every layer of a recipe's encoder, or the plain output if it has no layers."""
    n_layers = lab.encoder(recipe).model.n_layers
    return tuple(f"layer:{k}" for k in range(n_layers + 1)) if n_layers else (PLAIN_LAYERS,)


def fit_remarks(fits: Iterable[tuple[str, Iterable[str]]], recipe: Recipe) -> list[Remark]:
    """Return each note on the fits of one name once, and the remedy for a small corpus."""
    from bertflow_core.lab.remarks import with_remedy

    named = [(name, tuple(notes)) for name, notes in fits]
    n_fits = Counter(name for name, _ in named)
    texts = [
        f"{name}: {note}." if n == n_fits[name] else f"{name}, {n} of {n_fits[name]} fits: {note}."
        for (name, note), n in Counter((name, each) for name, own in named for each in own).items()
    ]
    return [
        Remark(Kind.FIT if text in texts and FIT_ON_MORE not in text else Kind.WARNING, text)
        for text in with_remedy(texts, recipe)
    ]
