"""Calibrators side by side on one data set: the job that scores them, and its table."""

from collections.abc import Sequence
from typing import Protocol

import streamlit as st
from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.parts.components import caption
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.calibrators.catalog import plain_name
from bertflow_core.evaluation import RANDOM_COSINE
from bertflow_core.figures import Figure, rho_bars
from bertflow_core.recipe import Recipe
from bertflow_core.results import FEW_PAIRS, Result, cut_of, few_pairs, why_unscored
from bertflow_core.studies.scores import fit_notes, score_rows
from bertflow_core.text_table import percent

NOT_AVAILABLE = "not available"


def evaluation(recipe: Recipe, specs: tuple[str, ...], *, start: bool) -> Job | None:
    """Return the job that scores these calibrators.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    shown, lab = services.at_hand(recipe)
    return find_or_start(
        job_key("evaluate", recipe, specs=specs),
        lambda progress: lab.evaluate(shown, specs, progress=progress),
        start=start,
    )


class Scored(Protocol):
    """A calibrator and its rho, as every kind of result has them."""

    @property
    def spec(self) -> str: ...  # noqa: D102
    @property
    def rho(self) -> float | None: ...  # noqa: D102


def rho_figure(scored: Sequence[Scored]) -> Figure:
    """Draw rho of each calibrator as a bar, its plain name under the pointer."""
    specs = [each.spec for each in scored]
    return rho_bars(specs, [each.rho for each in scored], names=[*map(plain_name, specs)])


def scores_table(results: Sequence[Result]) -> None:
    """Show calibrators side by side, arrows against the first, with the recipe as the caption."""
    prepared = results[0].prepared
    is_scored = prepared.pairs.gold is not None
    rows = [
        {
            "Calibrator": row.calibrator,
            "In words": plain_name(row.calibrator),
            "rho x 100": percent(row.rho) if is_scored else NOT_AVAILABLE,
            "Change": _arrow(row.change),
            "Pearson x 100": percent(row.pearson) if is_scored else NOT_AVAILABLE,
            "Random cosine": f"{row.random_cosine:.3f}",
            "Fit (s)": f"{row.fit_seconds:.2f}",
        }
        for row in score_rows(results)
    ]
    st.dataframe(rows, hide_index=True, alt="Each calibrator's numbers, and its change of rho")
    caption(
        f"{prepared.recipe.with_(calibrator=results[-1].spec).caption()}. {prepared.pairs.size}; "
        f"{cut_of(prepared)}. Change: against {results[0].spec}. "
        f"Random cosine: {RANDOM_COSINE}."
    )
    if notes := fit_notes(results):
        caption(" ".join(notes))
    if not is_scored:
        st.write(why_unscored(prepared.pairs))
    elif len(prepared.pairs) < FEW_PAIRS:
        st.write(few_pairs(len(prepared.pairs)))


def _arrow(change: float | None) -> str:
    """Say with a sign and a shape, not with a colour alone, which way rho went."""
    if change is None:
        return ""
    if abs(change) < 5e-5:
        return "= 0.00"
    return f"{'▲' if change > 0 else '▼'} {100 * change:+.2f}"
