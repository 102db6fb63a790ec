"""Which value of a parameter? Dev chooses; tuned, untuned and uncalibrated vectors are compared.

No value is chosen on the test split (Li et al., 2020, Table 5, choose k on dev). Comparing a tuned
method with untuned baselines overstates the method, so that each calibrator is tuned alike.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from bertflow_core.analysis.loadings import DirectionLoadings, direction_loadings
from bertflow_core.arrays.moments import Moments
from bertflow_core.calibrators.spec import BASELINE, DEFAULT_SPECS, Spec
from bertflow_core.datasets.benchmarks import DEV
from bertflow_core.errors import InputError, listed
from bertflow_core.evaluation import RANDOM_COSINE, Score, compare
from bertflow_core.evaluation.comparison import compare_to
from bertflow_core.figures import Figure, interval_forest, sweep_curve
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.grid import Grid, fits_of, scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import too_few
from bertflow_core.lab.splits import Splits, chosen_on_dev, splits_of
from bertflow_core.lab.verdict import Verdict, verdict
from bertflow_core.params import Value, param
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, scored_by, study
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.evaluate.axes import Rows
from bertflow_core.wording import quoted

AS_IT_IS, ON_DEV = "as it is", "tuned on dev"
MAX_K, MAX_DIRECTIONS = 40, 40
_SHRINKAGES = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
_LOG_FROM = 16
"""An axis is logarithmic if its largest value is at least so many times its smallest."""


@dataclass(frozen=True, kw_only=True)
class TuneRecipe(Recipe):
    """The parameters that are tuned, and their values."""

    parameters: tuple[str, ...] = param(
        ("k", "shrinkage", "lr"),
        "Parameter to vary, such as n_components. Each calibrator is tuned on those that it has.",
        flags=("--parameter",),
    )
    values: tuple[str, ...] = param(
        (),
        "Value of the parameter, repeatable; by default a range of usual values.",
        flags=("--value",),
    )
    seeds: int = param(
        1, "Fits per value, if the calibrator has a seed; their mean is shown.", low=1, high=50
    )


class Curve(NamedTuple):
    """A calibrator, one of its parameters, and the calibrator with each value of it."""

    spec: Spec
    parameter: str
    specs: Mapping[Value, Spec]


def _columns(params: TuneRecipe) -> tuple[Column, ...]:
    return (
        Column("calibrator"),
        Column("parameter"),
        Column("value"),
        *(
            Column(key, f"{split}: rho x 100", ".2f", times=100)
            for split, key in _keys_by_split(_scored_on(params)).items()
        ),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
        Column("chosen", "chosen on dev"),
    )


_COMPARED = (
    Column("calibrator"),
    Column("choice"),
    Column("dev", "dev: rho x 100", ".2f", times=100),
    Column("score", "rho x 100", ".2f", "on the scored split, 95 % interval", times=100, ends=True),
    Column("change", "", "+.2f", "difference from the uncalibrated vectors", times=100),
    Column("change_p_holm", "p", "p", "of the change, Holm-adjusted"),
    Column("to_flow", "to the flow", "+.2f", "difference from the flow", times=100),
)


def _scored_on(recipe: Recipe) -> str:
    return recipe.split if recipe.has_splits else "all pairs"


def _keys_by_split(scored_on: str) -> dict[str, str]:
    """Return the key of the scores on each split, by its name; dev may be the only one."""
    return {DEV: "dev"} if scored_on == DEV else {DEV: "dev", scored_on: "test"}


def _pictures(report: Report) -> Pictures:
    curves = dict.fromkeys((row["swept"], row["parameter"]) for row in report.rows)
    drawn = {f"tune-{n}": partial(_curve, report, *each) for n, each in enumerate(curves, 1)}
    # A report read from JSON has no tables.
    return drawn | ({"tuned": partial(_forest, report)} if report.tables else {})


def _curve(report: Report, spec: str, parameter: str) -> Figure:
    """Draw the score on each split at the values of one calibrator's parameter."""
    rows = report.where(swept=spec, parameter=parameter)
    values = [row["value"] for row in rows]
    scores = {
        name: [row[key] for row in rows]
        for name, key in _keys_by_split(report.facts["split"]).items()
    }
    curves = {name: of for name, of in scores.items() if any(score is not None for score in of)}
    numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
    low = min((v for v in numbers if v > 0), default=1)
    is_counted = [*numbers] == [*range(len(numbers))]  # 0, 1, 2, ..., as for k
    return sweep_curve(
        [v if isinstance(v, int | float) else str(v).lower() for v in values],
        curves,
        spec=spec,
        label=parameter.replace("_", " "),
        chosen=next((i for i, row in enumerate(rows) if row["chosen"]), None),
        title=report.facts["metric"],
        log_x=len(numbers) == len(rows) and not is_counted and max(numbers) >= _LOG_FROM * low,
    )


def _forest(report: Report) -> Figure:
    (table,) = report.tables
    rows = [row for row in table.rows if row["score_low"] is not None]
    names = [f"{row['choice']}: {row['calibrator']}" for row in rows]
    ends = [[row[key] for row in rows] for key in ("score", "score_low", "score_high")]
    title = f"{table.column('score').header}, {report.facts['split']}"
    return interval_forest(names, *ends, title=title)


@study(
    "tune",
    TuneRecipe,
    _columns,
    title="Which value of a parameter?",
    figures=_pictures,
    calibrators=DEFAULT_SPECS,
    baseline=True,
)
def tune(params: TuneRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Score every value of a parameter on dev and test; compare what dev chose with the rest."""
    splits = splits_of(params.base(), lab)
    raw = splits.scored.with_(calibrator=BASELINE)
    untuned = calibrators[1:]
    curves = curves_of(params, untuned, lab.encoder(raw).dim)
    references, why_no_plain = lab.with_plain([raw])
    tried = chain.from_iterable(curve.specs.values() for curve in curves)
    every = [*references, *(raw.with_(calibrator=spec) for spec in (*untuned, *tried))]
    fits = (
        fits_of(row.with_(split=each.split), params.seeds)
        for row in every
        for each in splits.present
    )
    scores = _Scores(scored(chain.from_iterable(fits), lab), splits, params.seeds)
    rows = [row for curve in curves for row in scores.of_curve(raw, curve)]
    choices = {row: PLAIN if row == row.plain else AS_IT_IS for row in references}
    choices |= {raw.with_(calibrator=spec): AS_IT_IS for spec in untuned}
    choices |= {raw.with_(calibrator=row["calibrator"]): ON_DEV for row in rows if row["chosen"]}
    compared, answers = _compared(choices, raw, scores)
    metric = scores.grid.metric(raw)
    first = scores.grid.cells[raw].recipe
    fits_compared = ((row.calibrator, scores.grid.cells[row].notes) for row in choices)
    unscored = (
        (f"{curve.spec} by {curve.parameter}", () if cell.score is not None else cell.notes)
        for curve in curves
        for cell in (scores.grid.cells[raw.with_(calibrator=each)] for each in curve.specs.values())
    )
    compared_by = [c for c in _COMPARED if c.key != "dev" or first.split != DEV]
    return Result(
        rows,
        [
            *remarks_of(Kind.ANSWER, *answers),
            *remarks_of(Kind.MISSING, splits.note, why_no_plain),
            *fit_remarks([*fits_compared, *unscored], params),
        ],
        recipes=[params.with_(revision=first.revision, split=first.split)],
        columns=scored_by(metric, _columns(params.with_(split=first.split))),
        tables=[Table(scored_by(metric, compared_by), compared, "Tuned and untuned")],
        facts={"split": _scored_on(raw), "metric": f"{metric.title} x 100"},
    )


def stored_tune() -> Report:
    """Return the result that ships with the package: layer 4 on the captions."""
    return tune.read(json.loads(resource("results/tune.json").read_text(encoding="utf-8")))


def curves_of(params: TuneRecipe, specs: Specs, n_features: int) -> list[Curve]:
    """Return the curves of calibrators; refuse a parameter that none has, and wrong values."""
    swept = [
        (spec, name) for spec in specs for name in params.parameters if _has_parameter(spec, name)
    ]
    used = {name for _, name in swept}
    unused = [name for name in params.parameters if name not in used]
    if unused and (not swept or params.parameters != TuneRecipe.parameters):
        if specs:
            specs[-1].owner(unused[0])  # refuses it
        raise InputError("there is nothing to tune: name a calibrator with a parameter")
    if params.values and len(used) > 1:
        raise InputError(f"values are of one parameter: choose one of {listed(sorted(used))}")
    curves = []
    for spec, name in swept:
        values = values_of(spec, name, params.values, n_features)
        if not values:
            raise InputError(f"{quoted(name)} of {spec} has no usual values: name some (--value)")
        curves.append(Curve(spec, name, {value: spec.set(name, value) for value in values}))
    return curves


def _has_parameter(spec: Spec, name: str) -> bool:
    with suppress(InputError):
        return bool(spec.owner(name))
    return False


def values_of(spec: Spec, name: str, texts: Sequence[str], n_features: int) -> tuple[Value, ...]:
    """Return the named values, or else the usual ones for vectors of `n_features` features."""
    declared = spec.owner(name).calibrator.parameter(name)
    if texts:
        return tuple(map(declared.parse, texts))
    steps = (1, 2, 4, 8, 16, *range(32, n_features, 32 if n_features <= 512 else 64))
    low = int(declared.low or 0)
    worth_trying: dict[str, tuple[Value, ...]] = {
        "k": tuple(range(low, min(MAX_K + 1, n_features))),
        "n_components": (*(n for n in steps if n < n_features), n_features),
        "shrinkage": _SHRINKAGES,
    }
    return declared.tried or worth_trying.get(name, declared.choices)


@dataclass(frozen=True)
class _Scores:
    """The scores of a grid on dev and on the scored split, as means over seeds."""

    grid: Grid = field(repr=False)
    splits: Splits
    seeds: int

    def on(self, split: Recipe | None, row: Recipe) -> float | None:
        """Return the score on a split; None if the split does not exist or a fit has no score."""
        if split is None:
            return None
        return _mean([self.grid.cells[each].score for each in self._fits(row, split)])

    def of_curve(self, raw: Recipe, curve: Curve) -> Iterator[Row]:
        """Yield a row for each value; the best on dev is the chosen one."""
        recipes = {value: raw.with_(calibrator=spec) for value, spec in curve.specs.items()}
        dev = {each: self.on(self.splits.dev, each) for each in recipes.values()}
        best = chosen_on_dev(dev)
        for value, each in recipes.items():
            fits = [self.grid.cells[one] for one in self._fits(each, self.splits.scored)]
            yield {
                "calibrator": each.calibrator,
                "swept": curve.spec,
                "parameter": curve.parameter,
                "value": "none" if value is None else value,
                "dev": dev[each],
                "test": self.on(self.splits.test, each),
                "random_cosine": _mean([cell.random_cosine for cell in fits]),
                "n_fits": len(fits),
                "chosen": each == best,
            }

    def comparable(self, rows: Sequence[Recipe]) -> dict[Recipe, Score]:
        """Return the scores of rows on the scored split, with resamples."""
        return self.grid.scores({row: self._fits(row, self.splits.scored) for row in rows})

    def _fits(self, row: Recipe, split: Recipe) -> tuple[Recipe, ...]:
        return fits_of(row.with_(split=split.split), self.seeds)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return float(np.mean(known)) if len(known) == len(values) else None


def _compared(
    choices: Mapping[Recipe, str], raw: Recipe, measured: _Scores
) -> tuple[list[Row], list[str]]:
    """Compare the choices; return a row for each, and the answers.

    The best on dev is compared with the first choice, each tuned baseline with the flow.
    """
    every, reference = [*choices], next(iter(choices))
    scores, data, metric = (
        measured.comparable(every),
        measured.grid.data[raw],
        measured.grid.metric(raw),
    )
    changes = compare_to(raw, scores)
    flows = [row for row in every if row.spec.steps[-1].name == "flow"]
    flow = max(flows, key=lambda row: choices[row] == ON_DEV, default=None)
    tuned = [row for row in every if choices[row] == ON_DEV and row not in flows and flow]
    to_flow = compare({row: (scores[flow], scores[row]) for row in tuned if flow})
    dev = {row: measured.on(measured.splits.dev, row) for row in every}
    few = too_few(scores[reference].value, data, metric)
    chosen_by = dev if measured.splits.is_apart else None
    best = verdict(scores, reference, dev=chosen_by, too_few=few)
    verdicts = [] if best is None else [best]
    if flow is not None and not few:
        verdicts += [
            Verdict.of_one(row, flow, change, len(to_flow))
            for row, change in to_flow.items()
            if change.shown
        ]
    rows: list[Row] = [
        {"calibrator": row.calibrator, "choice": choice, "dev": dev[row]}
        | scores[row].columns
        | (changes[row].columns("change") if row in changes else {})
        | (to_flow[row].columns("to_flow") if row in to_flow else {})
        for row, choice in choices.items()
    ]
    spoken = Rows(tuple(every)).spoken
    return rows, [each.sentence(data.title, metric, spoken) for each in verdicts] or [few]


def directions(recipe: Recipe, lab: Lab) -> tuple[DirectionLoadings, ...]:
    """Describe the directions of a recipe's fit corpus, the largest variance first."""
    (embedded,) = lab.embedded([splits_of(recipe, lab).scored])
    rank = Moments.of(np.asarray(embedded.x_fit, np.float64)).rank
    return removed_directions(embedded, min(MAX_DIRECTIONS, rank - 1))


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
