"""The score at each value of a calibrator's parameter, on dev and test; dev chooses the value.

A value is never chosen on the test split (Li et al., 2020, Table 5, choose k on dev). Closed forms
are computed for all values at once, at about the cost of one fit. Any other calibrator is fitted
for each value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from bertflow_core.analysis.loadings import DirectionLoadings, direction_loadings
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.spec import Spec
from bertflow_core.datasets import Pairs
from bertflow_core.datasets.benchmarks import DEV, TEST
from bertflow_core.datasets.catalog import open_dataset
from bertflow_core.datasets.texts import need_targets
from bertflow_core.errors import NothingLeftError
from bertflow_core.evaluation import RANDOM_COSINE, RHO, Metric, metric_of, random_pairs
from bertflow_core.evaluation.similarity import moved_by_rounding, with_ties
from bertflow_core.figures import Figure, sweep_curve
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import Value, param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, study
from bertflow_core.runtime import context
from bertflow_core.wording import FIT_ON_MORE

MAX_K, MAX_DIRECTIONS = 40, 40
_SHRINKAGES = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
_CLOSED = ("null-top-k", "whiten")
_LOG_FROM = 16
"""An axis is logarithmic if its largest value is at least so many times its smallest."""

_Numbers = list[float | None]
"""The score on each existing split, then the mean cosine of random pairs of the reported split."""


@dataclass(frozen=True, kw_only=True)
class SweepRecipe(Recipe):
    """The choices of a sweep."""

    parameter: str = param("k", "Parameter of the calibrator to vary, such as n_components or lr.")
    values: tuple[str, ...] = param(
        (),
        "Value of the parameter, repeatable; by default a range of usual values.",
        flags=("--value",),
    )
    seeds: int = param(
        1, "Fits per value, if the calibrator has a seed; their mean is shown.", low=1, high=50
    )


def _columns(params: SweepRecipe) -> tuple[Column, ...]:
    return (
        Column("calibrator"),
        Column("value", params.parameter),
        Column("dev", "dev: rho x 100", ".2f", times=100),
        Column("test", f"{_scored_on(params)}: rho x 100", ".2f", times=100),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
        Column("chosen", "chosen on dev"),
    )


def _scored_on(recipe: Recipe) -> str:
    return recipe.split if recipe.has_splits else "all pairs"


def _pictures(report: Report) -> Pictures:
    specs = dict.fromkeys(row["swept"] for row in report.rows)
    return {f"sweep-{number}": partial(_curve, report, s) for number, s in enumerate(specs, 1)}


def _curve(report: Report, spec: str) -> Figure:
    """Draw the score on each split at the values of one calibrator's parameter."""
    rows = report.where(swept=spec)
    values = [row["value"] for row in rows]
    splits = {"dev": "dev", report.facts["split"]: "test"}
    curves = {name: [row[key] for row in rows] for name, key in splits.items()}
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    low = min((v for v in numbers if v > 0), default=1)
    is_counted = [*numbers] == [*range(len(numbers))]  # 0, 1, 2, ..., as for k
    return sweep_curve(
        [v if isinstance(v, int | float) else str(v).lower() for v in values],
        {name: of for name, of in curves.items() if any(score is not None for score in of)},
        spec=spec,
        label=rows[0]["parameter"].replace("_", " "),
        chosen=next((i for i, row in enumerate(rows) if row["chosen"]), None),
        title=report.facts["title"],
        log_x=len(numbers) == len(rows) and not is_counted and max(numbers) >= _LOG_FROM * low,
    )


@study(
    "sweep",
    SweepRecipe,
    _columns,
    title="Which value of a parameter?",
    figures=_pictures,
    calibrators=("null-top-k",),
)
def sweep(params: SweepRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Score every value of a parameter on dev and test; dev chooses."""
    return _measured(params, lab, calibrators, *prepare_splits([params.base()], lab))


def _measured(params: SweepRecipe, lab: Lab, specs: Specs, splits: "Splits") -> Result:
    scored = splits.scored.recipe
    metric = splits.scored.metric
    every: list[Row] = []
    remarks: list[Remark] = []
    for spec in specs:
        values = values_of(spec, params.parameter, params.values, splits.scored.x_fit.shape[1])
        seeds = [params.seed + i for i in range(params.seeds)]
        rows = swept(splits, spec, params.parameter, values, seeds=seeds, device=lab.device)
        every += rows
        if any(row["test"] is None and row["dev"] is None for row in rows):
            text = f"{spec}: a value without a score leaves only rounding error: {FIT_ON_MORE}."
            remarks.append(Remark(Kind.DOUBT, text))
    return Result(
        every,
        [*remarks, *remarks_of(Kind.MISSING, splits.note)],
        recipes=[params.with_(revision=scored.revision, split=scored.split)],
        columns=scored_by(metric, _columns(params)),
        facts={"split": _scored_on(scored), "title": f"{metric.title} x 100"},
    )


def scored_by(metric: Metric, columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return columns with the name of a metric in place of rho."""
    return tuple(replace(c, label=c.label.replace(RHO.header, metric.header)) for c in columns)


class ClosedForms(NamedTuple):
    """The sweeps that need no training, and a description of the removed directions."""

    reports: tuple[Report, ...]  # over k, and over whitening's n_components and shrinkage
    directions: tuple[DirectionLoadings, ...]  # the largest variance first


def closed_forms(recipe: Recipe, lab: Lab) -> ClosedForms:
    """Sweep the parameters of closed forms, and describe the removed directions."""
    (splits,) = prepare_splits([recipe], lab)
    remove, whiten = Spec("null-top-k"), Spec("whiten")
    swept = {"k": remove, "n_components": whiten, "shrinkage": whiten}
    reports: list[Report] = []
    for parameter, spec in swept.items():
        context.report(len(reports), 4, "sweeps")
        params = SweepRecipe(**recipe.to_dict(), parameter=parameter)
        reports.append(sweep.report(_measured(params, lab, (spec,), splits), params, (spec,)))
    context.report(3, 4, "sweeps")
    removable = Moments.of(np.asarray(splits.scored.x_fit, np.float64)).rank - 1
    directions = removed_directions(splits.scored, min(MAX_DIRECTIONS, removable))
    return ClosedForms(tuple(reports), directions)


def values_of(spec: Spec, name: str, texts: Sequence[str], n_features: int) -> tuple[Value, ...]:
    """Return the named values, or else the usual ones for vectors of `n_features` features."""
    declared = spec.owner(name).calibrator.parameter(name)
    if texts:
        return tuple(map(declared.parse, texts))
    steps = (1, 2, 4, 8, 16, *range(32, n_features, 32 if n_features <= 512 else 64))
    worth_trying: dict[str, tuple[Value, ...]] = {
        "k": tuple(range(min(MAX_K + 1, n_features))),
        "n_components": (*(n for n in steps if n < n_features), n_features),
        "shrinkage": _SHRINKAGES,
    }
    return declared.tried or worth_trying.get(name, declared.choices)


@dataclass(frozen=True)
class Splits:
    """The split that chooses a value and the split that reports it, on one fit corpus."""

    dev: Embedded | None  # None if the data set has no dev split
    test: Embedded | None  # the recipe's split; None if that is dev and there is no test split

    @property
    def present(self) -> tuple[Embedded, ...]:
        """The splits that exist (at least one), dev before test."""
        return tuple(embedded for embedded in (self.dev, self.test) if embedded is not None)

    @property
    def scored(self) -> Embedded:
        """The reported split: test, or dev if there is no test."""
        return self.present[-1]

    @property
    def note(self) -> str | None:
        """What a missing split means for the choice; None if both exist."""
        name = self.scored.recipe.dataset
        if self.dev is None:
            return (
                f"{name} has no dev split here, so no value is chosen. Choosing a value by its "
                "test score would overstate that score."
            )
        if self.test is None:
            return (
                f"{name} has no scored test split here. The value is chosen on dev, so its score "
                "there is overstated."
            )
        return None


def prepare_splits(recipes: Sequence[Recipe], lab: Lab) -> Iterator[Splits]:
    """Load the data of recipes once; yield the embedded fit corpus, dev and test pairs of each.

    The test pairs are those of the recipes' split or, if that is dev, of the test split, provided
    that it has gold scores. A table in `lab.tables` has no dev split.
    """
    recipe = recipes[0]
    names, in_memory = [recipe.split], recipe.dataset in lab.tables
    if not in_memory:
        opened = open_dataset(recipe.dataset, **lab.data(recipe).options())
        # The recipe's own split is refused below if it does not exist.
        there = {*opened.splits} - {*opened.hidden} | {recipe.split}
        pair = (DEV, TEST if recipe.split == DEV else recipe.split)
        names = [split for split in pair if split in there]
    loaded = {name: lab.pairs(recipe.with_(split=name)) for name in names}
    corpus, found = lab.corpus(recipe), []
    for name, pairs in loaded.items():
        need_targets(pairs)
        table = replace(lab, tables={recipe.dataset: (pairs, corpus)})
        found.append(table.embedded([each.with_(split=name) for each in recipes]))

    def joined(*of_splits: Embedded) -> Splits:
        x_fit = of_splits[0].x_fit  # one copy in memory
        own = {name: replace(x, x_fit=x_fit) for name, x in zip(names, of_splits, strict=True)}
        dev = None if in_memory else own.pop(DEV, None)
        return Splits(dev, next(iter(own.values()), None))

    return map(joined, *found)


def chosen_row(rows: Sequence[Row]) -> Row | None:
    """Return the row with the best score on dev, the first of ties; None without dev."""
    known = [row for row in rows if row["dev"] is not None]
    return max(known, key=lambda row: row["dev"], default=None)


def swept(
    splits: Splits,
    spec: Spec,
    parameter: str,
    values: Sequence[Value],
    *,
    seeds: Sequence[int] = (),
    device: str | None = None,
) -> list[Row]:
    """Sweep a parameter that exactly one step of a calibrator has; return a row for each value.

    A score is None if it is undefined, if its split does not exist, or if calibration leaves
    nothing but rounding error. Each value is fitted once per seed, by default only with the seed of
    the recipe, and every number is the mean over the fits. A calibrator without randomness is
    fitted once. Wrong values are refused before the first fit.
    """
    by_value = {value: spec.set(parameter, value) for value in values}
    first = next(iter(by_value.values()), spec)
    drawn = (tuple(seeds) or (splits.scored.recipe.seed,))[: None if first.takes_seed else 1]
    is_closed = len(spec.steps) == 1 and spec.steps[0].name in _CLOSED
    if is_closed and isinstance(splits.scored.pairs, Pairs):
        numbers = _at_once(splits, spec, parameter, [*by_value])
    else:
        numbers = _by_fits(splits, [*by_value.values()], drawn, device)
    rows: list[Row] = [
        {
            "calibrator": each,
            "swept": spec,
            "parameter": parameter,
            "value": value,
            "dev": scores[0] if splits.dev else None,
            "test": scores[-1] if splits.test else None,
            "random_cosine": random,
            "n_fits": len(drawn),
        }
        for (value, each), (*scores, random) in zip(by_value.items(), numbers, strict=True)
    ]
    best = chosen_row(rows)
    return [{**row, "chosen": row is best} for row in rows]


def _at_once(
    splits: Splits, spec: Spec, parameter: str, values: Sequence[Value]
) -> Iterator[_Numbers]:
    """Yield the numbers for each value of a closed form's parameter, from one decomposition."""
    from bertflow_core.calibrators.sweep import swept_cosines  # late: scikit-learn

    scored = splits.scored
    x = scored.x_texts
    i, j = random_pairs(len(x), seed=scored.recipe.seed)
    sides = [*((each.x_first, each.x_second) for each in splits.present), (x[i], x[j])]
    sides += moved_by_rounding(scored.x_first, scored.x_second)
    first, second = (np.concatenate(side) for side in zip(*sides, strict=True))
    cosines = swept_cosines(
        spec, parameter, values, scored.x_fit, first, second, scored.encoder.get("dtype")
    )
    ends = np.cumsum([len(side[0]) for side in sides])[:-1]
    for *parts, random, before, after in zip(*np.split(cosines, ends, axis=1), strict=True):
        if np.isnan(random).any():
            yield [None] * (len(parts) + 1)
        else:
            error = float(np.median(np.abs(after - before)))
            tied = [with_ties(each, error) for each in parts]
            yield [*map(_score, splits.present, tied), float(random.mean())]


def _by_fits(
    splits: Splits, specs: Sequence[Spec], seeds: Sequence[int], device: str | None
) -> Iterator[_Numbers]:
    """Yield the numbers of each spec, as means over its fits, one per seed."""
    scored, others, total = splits.scored, splits.present[:-1], len(specs) * len(seeds)
    for number, spec in enumerate(specs):
        fits: list[_Numbers] = []
        for done, seed in enumerate(seeds, start=number * len(seeds)):
            seeded = replace(scored, recipe=scored.recipe.with_(seed=seed))
            with context.repeating(done, total, "fits"):
                try:
                    evaluation = seeded.under(spec, device=device)
                    scores = [evaluation.on(each).score for each in others] + [evaluation.score]
                except NothingLeftError:
                    fits.append([None] * (len(others) + 2))
                    continue
            fits.append([*scores, evaluation.random_cosine])
        yield [None if None in each else float(np.mean(each)) for each in zip(*fits, strict=True)]
    context.report(total, total, "fits")


def _score(embedded: Embedded, similarity: FloatArray) -> float | None:
    """Return the score of one split under the recipe's aggregation; None where undefined."""
    if np.isnan(similarity).any():
        return None
    pairs = embedded.pairs
    metric = metric_of(pairs.metric)
    found = metric.score(similarity, need_targets(pairs), pairs.subsets).main
    score: float | None = getattr(found, embedded.recipe.aggregation)
    return score


def removed_directions(embedded: Embedded, k: int, **options: int) -> tuple[DirectionLoadings, ...]:
    """Describe each direction that `null-top-k` removes by the words and sentences along it.

    k must be below the rank of the embeddings. Options are those of `direction_loadings`.
    """
    x = np.asarray(embedded.x_fit, np.float64)
    state = Spec("null-top-k").set("k", k).build().fit(x).get_state()
    centred = x - state["mean_"]
    total = np.square(centred).sum()
    projections = centred @ state["directions_"]
    shares = np.square(projections).sum(axis=0) / (total if total > 0 else 1.0)
    return direction_loadings(projections, embedded.corpus.sentences, shares.tolist(), **options)
