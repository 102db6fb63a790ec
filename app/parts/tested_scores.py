"""The differences between the rows of the table of scores: the job that tests them."""

from collections.abc import Sequence

from bertflow_app.parts.components import is_under_way, result_of, show_failure
from bertflow_app.parts.scores import UNTESTED, Differences, scores_table
from bertflow_app.shared_jobs import run

from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.lexical_baselines import LexicalResult
from bertflow_core.recipe import Recipe
from bertflow_core.space import Space


def tested_scores(
    recipe: Recipe,
    specs: tuple[str, ...],
    results: Sequence[Space],
    lexical: Sequence[LexicalResult],
) -> Differences:
    """Return the tests; until then show the table without them and end the page.

    Args:
        recipe: What was evaluated.
        specs: The calibrators that were evaluated.
        results: What the evaluation returned, the baseline first.
        lexical: Rows without vectors, to be shown meanwhile.

    Raises:
        Busy: Too many jobs are waiting.
    """
    first = results[0]
    if first.prepared.pairs.judged is None:
        return UNTESTED

    job = run(_tested, recipe, specs, given=[results])
    assert job is not None
    if not is_under_way(job):  # stopped, or it failed: the table says that nothing was tested
        show_failure(job)
        return UNTESTED
    tested: Differences = result_of(job, meanwhile=lambda _: scores_table(results, {}, lexical))
    return tested


def _tested(
    recipe: Recipe, lab: Lab, specs: Sequence[str], results: Sequence[Space]
) -> Differences:
    from bertflow_core.space import changes_of_rho

    first = results[0]
    similarities = {result.spec: result.similarity for result in results}
    try:
        found = changes_of_rho(similarities, first.prepared.pairs, recipe, baseline=first.spec)
    except InputError:  # too few pairs for a test: the table says so
        return UNTESTED
    return Differences({each.name: each for each in found.to_baseline}, found.letters)
