"""Calibrators side by side on one data set: the job that scores them, and its table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st
from bertflow_app.jobs import Job
from bertflow_app.parts.components import caption, how_to_fit_on_more, say_notes
from bertflow_app.shared_jobs import run

from bertflow_core.calibrators.registry import BASELINE, check_spec, plain_name
from bertflow_core.evaluation import RANDOM_COSINE, RHO, Metric
from bertflow_core.figures import Figure, score_bars
from bertflow_core.lab import Lab
from bertflow_core.lexical_baselines import LEXICAL, LexicalResult
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import why_unscored
from bertflow_core.space import Space
from bertflow_core.studies.contrasts import shown_change
from bertflow_core.studies.scores import fit_notes, lexical_notes, score_rows
from bertflow_core.text_table import change_text, p_text, percent
from bertflow_core.tracked import TrackedResult
from bertflow_core.wording import TooFew, with_remedy

if TYPE_CHECKING:
    from bertflow_core.evaluation.inference import Difference

NOT_AVAILABLE = "not available"
FIT_SECONDS = (
    "Time that this fit took, without what is loaded once for all fits. It varies, and grows where "
    "the processor has other work."
)
GREY = "color: #767676"
"""Of a number that cannot be relied on, with a reason beside it."""


def evaluation(recipe: Recipe, specs: tuple[str, ...], *, start: bool) -> Job | None:
    """Return the job that scores these calibrators; it gives the plain vectors' result early."""
    return run(_evaluated, recipe, specs, start=start, first=_plain)


def _evaluated(recipe: Recipe, lab: Lab, specs: Sequence[str]) -> list[Space]:
    return lab.evaluate(recipe, specs)


def _plain(recipe: Recipe, lab: Lab, specs: Sequence[str]) -> Space:
    for spec in specs:
        check_spec(spec)  # a wrong one is refused before anything is embedded
    return lab.evaluate(recipe, [BASELINE])[0]


def score_figure(scores: Mapping[str, float | None], metric: Metric = RHO) -> Figure:
    """Draw the score of each row, by its spec, as a bar, its plain name under the pointer."""
    specs = list(scores)
    title = f"{metric.title} x 100"
    return score_bars(specs, [*scores.values()], title=title, names=[*map(_in_words, specs)])


def _in_words(spec: str) -> str:
    """Say what a calibrator or a baseline without vectors is."""
    return LEXICAL.get(spec) or plain_name(spec)


Changes = Mapping[str, "Difference"]
"""By calibrator, its change of rho from the first, tested; empty where no test is possible."""


@dataclass(frozen=True)
class Differences:
    """What resampled pairs tell of the scores; empty where no test is possible.

    Attributes:
        changes: Of each calibrator from the first.
        letters: By calibrator; two share one exactly if their scores do not differ significantly.
    """

    changes: Changes
    letters: Mapping[str, str]

    def level_with(self, spec: str) -> list[str]:
        """Return the others whose score does not differ significantly from this one's."""
        own = set(self.letters.get(spec, ""))
        return [name for name, theirs in self.letters.items() if name != spec and own & {*theirs}]


UNTESTED = Differences({}, {})


def scores_table(
    results: Sequence[Space],
    changes: Changes,
    lexical: Sequence[LexicalResult] = (),
    *,
    said: Sequence[str] = (),
) -> None:
    """Show calibrators side by side, arrows against the first, with the recipe as the caption.

    Args:
        results: The baseline first.
        changes: Of each other, where it was tested.
        lexical: Rows without vectors, to stand below.
        said: What `too_little_data` says, where it stands above the table.
    """
    prepared = results[0].prepared
    metric, is_scored = results[0].metric, prepared.pairs.judged is not None
    pearson = "Pearson x 100"
    rows = [
        {
            "Calibrator": row["calibrator"],
            metric.header: percent(row["score"]) if is_scored else NOT_AVAILABLE,
            "Change": _arrow(row.get("change"), changes.get(row["calibrator"])),
            "p (Holm)": _p_value(changes.get(row["calibrator"])),
            **({pearson: percent(row["r"])} if prepared.pairs.gold is not None else {}),
            **({} if is_scored else {pearson: NOT_AVAILABLE}),
            "Random cosine": "" if row["random_cosine"] is None else f"{row['random_cosine']:.3f}",
            "Fit (s)": "" if row["fit_seconds"] is None else f"{row['fit_seconds']:.2f}",
            "In words": _in_words(row["calibrator"]),
        }
        for row in score_rows(results, lexical)
    ]
    shown = pd.DataFrame(rows).style.map(grey_where_unproven, subset=["Change"])
    st.dataframe(
        shown,
        hide_index=True,
        column_config={"Fit (s)": st.column_config.Column(help=FIT_SECONDS)},
        alt=f"Each calibrator's numbers, and its change of {metric.word}",
    )
    tests = (
        f"Arrows in parentheses: not significant (5 %; resampled pairs, Holm over {len(changes)})."
        if changes
        else "No change is tested."
    )
    caption(
        f"{prepared.recipe.with_(calibrator=results[-1].spec).caption()}. {prepared.pairs.size}; "
        f"{prepared.cut_remark}. {metric.header}: {metric.title} {metric.meaning}. "
        f"Change: against {results[0].spec}. {tests} "
        f"Random cosine: {RANDOM_COSINE}. {prepared.seen_remark} {prepared.departs_remark}".rstrip()
    )
    say_notes((*fit_notes(results), *lexical_notes(lexical)[:1]), said=said)
    if not said:
        say_how_scored(results[0])


def say_how_scored(result: Space) -> None:
    """Say why there is no score, or that it comes from few pairs, where that is so."""
    pairs = result.prepared.pairs
    if pairs.judged is None:
        st.write(why_unscored(pairs))
    elif doubt := result.doubt:
        st.write(doubt)


def grey_where_unproven(text: object) -> str:
    """Return the style of a cell whose arrow, in parentheses where it is unproven, is its end."""
    return GREY if any(mark in str(text) for mark in ("(▲)", "(▼)")) else ""


def score_finding(results: Sequence[Space], tested: Differences) -> str:
    """Say in one sentence which calibrator agrees best with people, by how much, and which as well.

    Args:
        results: The baseline first.
        tested: Their differences.
    """
    base, *_ = results
    best = _best(results)
    if base.score is None or best is None:
        return ""
    gain = change_text(base.score, best.score or 0.0)
    numbers = f"{base.metric.header} {percent(base.score)} to {percent(best.score)}, {gain}"
    change = tested.changes.get(best.spec)
    if not _is_better(best, base):
        numbers += " at best"
    if change is not None and not change.significant:
        numbers += ", which is not significant"
    if not _is_better(best, base):
        return f"Nothing here agrees better with people than the plain vectors do: {numbers}."
    level = [f"`{spec}`" for spec in tested.level_with(best.spec) if spec != base.spec]
    others = f" (not significantly better than {' and '.join(level)})" if level else ""
    return (
        f"`{best.spec}` agrees best with people{others}: {numbers}; two random sentences have a "
        f"cosine of {best.random_cosine:.2f} in place of {base.random_cosine:.2f}."
    )


def too_little_data(results: Sequence[Space]) -> tuple[str, ...]:
    """Say what makes `score_finding` doubtful: few pairs, and fits on too few sentences.

    Of the fits those that the finding speaks of: the best one, or all where none is better.

    Args:
        results: The baseline first.
    """
    base, *others = results
    best = _best(results)
    if base.score is None or best is None:
        return ()
    meant = [best] if _is_better(best, base) else others
    noted = with_remedy(fit_notes(meant, TooFew), how_to_fit_on_more())
    return (*filter(None, [base.doubt]), *noted)


def _is_better(best: Space, base: Space) -> bool:
    """Tell whether a score is above another, by the digits that are shown."""
    return (shown_change(base.score, best.score) or 0.0) > 0


def _best(results: Sequence[Space]) -> Space | None:
    """Return the result with the highest score except the first; None where none has one."""
    scored = [each for each in results[1:] if each.score is not None]
    return max(scored, key=lambda each: each.score or 0.0, default=None)


def stored_scores(tracked: Sequence[TrackedResult], early: Space | None) -> None:
    """Show stored results while the same numbers are computed here.

    Args:
        tracked: What the package ships, the baseline first.
        early: The baseline computed here, once its sentences are embedded.
    """
    rhos = {each.spec: each.rho for each in tracked}
    st.plotly_chart(score_figure(rhos), key="stored", alt="Stored rho of each calibrator as a bar")
    here = {} if early is None else {early.spec: percent(early.rho)}
    st.dataframe(
        [
            {
                "Calibrator": each.spec,
                "rho x 100, stored": percent(each.rho),
                "rho x 100, this machine": here.get(each.spec, "being computed"),
                "Random cosine, stored": f"{each.random_cosine:.3f}",
                "In words": plain_name(each.spec),
            }
            for each in tracked
        ],
        hide_index=True,
        alt="Stored rho of each calibrator, and what this machine has computed of it",
    )
    recipe = tracked[0].recipe.without("calibrator")
    caption(f"Stored results: {recipe.caption()}. {tracked[0].n_pairs:,} pairs.")


def _arrow(change: float | None, tested: "Difference | None") -> str:
    """Say with a sign and a shape, not with a colour alone, which way rho went.

    The arrow of a change that is not significant stands in parentheses.
    """
    if change is None:
        return ""
    if change == 0:
        return "= 0.00"
    mark = "▲" if change > 0 else "▼"
    is_proven = tested is None or tested.significant
    return f"{mark if is_proven else f'({mark})'} {100 * change:+.2f}"


def _p_value(tested: "Difference | None") -> str:
    return "" if tested is None else p_text(tested.p_adjusted)
