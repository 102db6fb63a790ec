"""Does a tuned rival reach the flow? Calibrators as they are and tuned on dev, scored on test.

Whoever compares a new method with rivals as they come, and tunes only the new one, finds what he
looks for. Here each has one parameter chosen on the dev split, and none on what is scored.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bertflow_core.calibrators.registry import BASELINE
from bertflow_core.change import Change
from bertflow_core.contrasts import changes_of_rho
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS
from bertflow_core.evaluation.inference import RhoComparison
from bertflow_core.figures import interval_forest
from bertflow_core.files import resource
from bertflow_core.lab import Lab
from bertflow_core.params import param
from bertflow_core.recipe import PLAIN, Recipe
from bertflow_core.report import Column, Pictures, Report, Row
from bertflow_core.space import Space
from bertflow_core.studies.scores import plain_output
from bertflow_core.studies.sweep import Splits, chosen_row, prepare_splits, swept, values_of
from bertflow_core.study import Facts, Part, Specs, study
from bertflow_core.text_table import percent

__all__ = ["TunedRecipe", "stored_tuned", "tuned"]

PARAMETERS = {"null-top-k": "k", "whiten": "shrinkage", "flow": "lr"}
"""What dev chooses of each calibrator that is tuned."""

AS_IT_IS, ON_DEV = "as it is", "tuned on dev"


@dataclass(frozen=True, kw_only=True)
class TunedRecipe(Recipe):
    """The choices that decide how calibrators stand beside each other."""

    n_draws: int = param(
        N_DRAWS, "Resamples for the intervals.", low=100, high=100_000, flags=("--bootstrap",)
    )


@dataclass(frozen=True)
class _Choice:
    """A calibrator, how it was chosen, and its rho on dev where it was tuned."""

    spec: str
    how: str
    dev: float | None = None


_COLUMNS = (
    Column("calibrator"),
    Column("choice"),
    Column("dev", "dev: rho x 100", ".2f", times=100),
    Column("score", "rho x 100", ".2f", "on the scored split, 95 % interval", times=100, ends=True),
    Column("change", "", "+.2f", "less that of the same vectors uncalibrated", times=100),
    Column("p_holm", "p", "p", "of that change, Holm over all rows"),
)


def _pictures(report: Report) -> Pictures:
    rows = report.rows
    names = [f"{row['choice']}: {row['calibrator']}" for row in rows]
    ends = [[row[key] for row in rows] for key in ("score", "score_low", "score_high")]
    return {"tuned": lambda: interval_forest(names, *ends, title="rho x 100")}


@study(
    "tuned",
    TunedRecipe,
    _COLUMNS,
    title="Does a tuned rival reach the flow?",
    figures=_pictures,
    calibrators=("null-top-k:k=6", "whiten", "flow"),
    baseline=True,
)
def tuned(recipe: TunedRecipe, lab: Lab, calibrators: Specs) -> Iterator[Part]:
    """Choose one parameter of each calibrator on dev, and score both choices on the other split."""
    splits = prepare_splits(recipe.base(), lab)
    if splits.dev is None or splits.test is None:
        raise InputError(
            f"{recipe.dataset} needs a dev split to tune on and another one to score: choose a "
            "data set that has both, such as captions or stsb"
        )
    yield recipe.with_(revision=splits.test.recipe.revision)
    choices = [_Choice(BASELINE, AS_IT_IS)]
    for spec in calibrators:
        if spec != BASELINE:
            choices += [_Choice(spec, AS_IT_IS), *_tuned(spec, splits, lab)]
    spaces = {_key(each): splits.test.under(each.spec, device=lab.device) for each in choices}
    plain = plain_output([spaces[_key(choices[0])]], lab)
    similarities = {key: space.similarity for key, space in spaces.items()}
    if isinstance(plain, Space):
        choices.insert(0, _Choice(BASELINE, PLAIN))
        similarities[_key(choices[0])] = plain.similarity
    compared = changes_of_rho(
        similarities,
        splits.test.pairs,
        splits.test.recipe,
        baseline=f"{AS_IT_IS} {BASELINE}",
        n_draws=recipe.n_draws,
    )
    yield from (_row(each, compared) for each in choices)
    findings = [*_findings(choices, compared)]
    yield from findings
    yield Facts(answer=" ".join(findings))
    if isinstance(plain, str):
        yield plain


def stored_tuned() -> Report:
    """Return the result that ships with the package: layer 4 on the captions."""
    return tuned.read(json.loads(resource("results/tuned.json").read_text(encoding="utf-8")))


def _key(choice: _Choice) -> str:
    return f"{choice.how} {choice.spec}"


def _tuned(spec: str, splits: Splits, lab: Lab) -> Iterator[_Choice]:
    """Yield a calibrator at the value that dev chooses; nothing of one without such a parameter."""
    parameter = PARAMETERS.get(spec.partition(":")[0])
    if parameter is None:
        return
    values = values_of(spec, parameter, (), splits.scored.x_fit.shape[1])
    chosen = chosen_row(swept(splits, spec, parameter, values, device=lab.device))
    if chosen is not None:
        yield _Choice(chosen["calibrator"], ON_DEV, chosen["dev"])


def _row(choice: _Choice, compared: RhoComparison) -> Row:
    key = _key(choice)
    scores = dict(zip(compared.draws.names, compared.draws.rhos.tolist(), strict=True))
    ends = compared.interval(key)
    row = {
        "calibrator": choice.spec,
        "choice": choice.how,
        **({} if choice.dev is None else {"dev": choice.dev}),
        "score": scores[key],
        "score_low": ends.low,
        "score_high": ends.high,
    }
    tested = next((each for each in compared.to_baseline if each.name == key), None)
    more = {} if tested is None else {"change": tested.change.shown, "p_holm": tested.p_adjusted}
    return row | more


def _findings(choices: Sequence[_Choice], compared: RhoComparison) -> Iterator[str]:
    """Set each tuned rival against the flow as it is."""
    flow = next((each for each in choices if each.how == AS_IT_IS and _is_flow(each)), None)
    rivals = [each for each in choices if each.how == ON_DEV and not _is_flow(each)]
    if flow is None:
        return
    for rival in rivals:
        (tested,) = compared.draws.differences([(_key(rival), _key(flow))])
        yield _against(rival.spec, flow.spec, tested.change)


def _is_flow(choice: _Choice) -> bool:
    return choice.spec.partition(":")[0] == "flow"


def _against(rival: str, flow: str, change: Change) -> str:
    verdict = {"rises": "more than", "falls": "less than"}.get(
        change.verdict, "not told apart from"
    )
    return (
        f"{rival}, tuned on dev, scores {percent(change.after)}, {verdict} {flow} as it is, "
        f"{percent(change.before)} ({change.text(times=100)}, 95 % interval "
        f"{change.interval_text(times=100)})."
    )
