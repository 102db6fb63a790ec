"""Does a tuned baseline reach the flow? Calibrators as they are and tuned on dev, scored on test.

Comparing a tuned method with untuned baselines overstates the method. Here one parameter of each
calibrator is chosen on the dev split, and none on the scored split.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter

from bertflow_core.calibrators.spec import BASELINE, Spec
from bertflow_core.datasets.benchmarks import DEV, TEST
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS
from bertflow_core.evaluation.comparison import Direction, Score, compare, compare_to
from bertflow_core.figures import interval_forest
from bertflow_core.lab.comparable_scores import score_columns, scores_of
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, notes_of, study
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.sweep import (
    Splits,
    chosen_row,
    prepare_splits,
    scored_by,
    swept,
    values_of,
)
from bertflow_core.wording import percent

PARAMETERS = {"null-top-k": "k", "whiten": "shrinkage", "flow": "lr"}
"""The parameter of each calibrator that is tuned on dev."""

AS_IT_IS, ON_DEV = "as it is", "tuned on dev"
_PLAIN = PLAIN, BASELINE
_Choice = tuple[str, str]
"""Whether a calibrator is tuned, and the calibrator."""

_RELATIONS = {Direction.ROSE: "more than", Direction.FELL: "less than"}
_SIMILAR = "not significantly different from"


@dataclass(frozen=True, kw_only=True)
class TunedRecipe(Recipe):
    """The choices of a comparison of tuned calibrators."""

    n_draws: int = param(
        N_DRAWS, "Resamples for the intervals.", low=100, high=100_000, flags=("--bootstrap",)
    )


_COLUMNS = (
    Column("calibrator"),
    Column("choice"),
    Column("dev", "dev: rho x 100", ".2f", times=100),
    Column("score", "rho x 100", ".2f", "on the scored split, 95 % interval", times=100, ends=True),
    Column("change", "", "+.2f", "difference from the uncalibrated vectors", times=100),
    Column("change_p_holm", "p", "p", "of the change, Holm-adjusted"),
)


def _pictures(report: Report) -> Pictures:
    rows = [row for row in report.rows if row["score_low"] is not None]
    names = [f"{row['choice']}: {row['calibrator']}" for row in rows]
    ends = [[row[key] for row in rows] for key in ("score", "score_low", "score_high")]
    assert isinstance(report.params, TunedRecipe)
    split = TEST if report.params.split == DEV else report.params.split
    title = f"{report.column('score').header}, {split}"
    return {"tuned": lambda: interval_forest(names, *ends, title=title)}


@study(
    "tuned",
    TunedRecipe,
    _COLUMNS,
    title="Does a tuned baseline reach the flow?",
    figures=_pictures,
    calibrators=("null-top-k:k=6", "whiten", "flow"),
    baseline=True,
)
def tuned(recipe: TunedRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Tune one parameter of each calibrator on dev; score it on test, untuned and tuned."""
    (splits,) = prepare_splits([recipe.base()], lab)
    if splits.dev is None or splits.test is None:
        raise InputError(
            f"{recipe.dataset} needs a dev split to tune on and another one to score: choose a "
            "data set that has both, such as captions or stsb"
        )
    choices: list[Row] = [{"calibrator": BASELINE, "choice": AS_IT_IS}]
    for spec in calibrators[1:]:
        choices += [{"calibrator": spec, "choice": AS_IT_IS}, *_tuned(spec, splits, lab)]
    evaluations = [splits.test.under(each["calibrator"], device=lab.device) for each in choices]
    uncalibrated, raw = evaluations[0].recipe, (AS_IT_IS, BASELINE)
    recipes, why_no_plain = lab.with_plain([uncalibrated])
    if uncalibrated == uncalibrated.plain:
        raw = _PLAIN
        choices[0] = {"calibrator": BASELINE, "choice": PLAIN}
    elif len(recipes) > 1:
        choices.insert(0, {"calibrator": BASELINE, "choice": PLAIN})
        evaluations.insert(0, next(lab.evaluations(recipes)))
    names = [(each["choice"], each["calibrator"]) for each in choices]
    similarities = {
        name: evaluation.unit_values for name, evaluation in zip(names, evaluations, strict=True)
    }
    n_draws = recipe.n_draws
    scores = scores_of(similarities, splits.test.pairs, splits.test.recipe, n_draws)
    changes = compare_to(raw, scores, n_draws)
    known = {name: each for name, each in scores.items() if each.value is not None}
    findings = _findings(known, n_draws)
    rows: list[Row] = [
        {**row, **score_columns(scores[name], changes.get(name), n_draws)}
        | ({"finding": findings[name]} if name in findings else {})
        for name, row in zip(names, choices, strict=True)
    ]
    answers = [*findings.values()]
    if raw == _PLAIN or len(recipes) > 1:
        on_dev = (row for row in rows if "dev" in row and row["score"] is not None)
        best = max(on_dev, key=itemgetter("dev"), default=None)
        answers += [] if best is None else [_against_plain(best, known, recipe)]
    return Result(
        rows,
        [
            *remarks_of(Kind.ANSWER, *answers),
            *remarks_of(Kind.MISSING, why_no_plain),
            *fit_remarks(notes_of(evaluations), recipe),
        ],
        recipes=[recipe.with_(revision=splits.test.recipe.revision)],
        columns=scored_by(splits.test.metric, _COLUMNS),
    )


def stored_tuned() -> Report:
    """Return the result that ships with the package: layer 4 on the captions."""
    return tuned.read(json.loads(resource("results/tuned.json").read_text(encoding="utf-8")))


def _tuned(spec: Spec, splits: Splits, lab: Lab) -> Iterator[Row]:
    """Yield a calibrator with the value chosen on dev; nothing if it has no parameter to tune."""
    step, *others = spec.steps
    parameter = PARAMETERS.get(step.name)
    if others or parameter is None:
        return
    values = values_of(spec, parameter, (), splits.scored.x_fit.shape[1])
    chosen = chosen_row(swept(splits, spec, parameter, values, device=lab.device))
    if chosen is not None:
        yield {"calibrator": chosen["calibrator"], "choice": ON_DEV, "dev": chosen["dev"]}


def _against_plain(best: Row, scores: Mapping[_Choice, Score], recipe: TunedRecipe) -> str:
    """Compare the calibrator that is best on dev with the plain output."""
    name = best["choice"], best["calibrator"]
    change = compare({name: (scores[_PLAIN], scores[name])}, recipe.n_draws)[name]
    but = "" if recipe.layers == PLAIN_LAYERS else ", unless you need these layers"
    advice = "" if change.direction is Direction.ROSE else f" Keep the {PLAIN}{but}."
    return (
        f"The best on dev, {best['calibrator']}, scores {percent(change.after)}, "
        f"{_RELATIONS.get(change.direction, _SIMILAR)} the {PLAIN} with {percent(change.before)} "
        f"({change.text(times=100)}, 95 % interval {change.interval_text(times=100)}).{advice}"
    )


def _findings(scores: Mapping[_Choice, Score], n_draws: int) -> dict[_Choice, str]:
    """Compare each tuned baseline with the flow, which is tuned too if possible."""
    flows = [name for name in scores if _is_flow(name)]
    if not flows:
        return {}
    flow = max(flows, key=lambda name: name[0] == ON_DEV)
    found: dict[_Choice, str] = {}
    for name in scores:
        if name[0] != ON_DEV or _is_flow(name):
            continue
        change = compare({name: (scores[flow], scores[name])}, n_draws)[name]
        tuned_too = ", also tuned on dev," if flow[0] == ON_DEV else " as it is"
        found[name] = (
            f"{name[1]}, tuned on dev, scores {percent(change.after)}, "
            f"{_RELATIONS.get(change.direction, _SIMILAR)} {flow[1]}{tuned_too} with "
            f"{percent(change.before)} "
            f"({change.text(times=100)}, 95 % interval {change.interval_text(times=100)})."
        )
    return found


def _is_flow(name: _Choice) -> bool:
    return name[1].startswith("flow")
