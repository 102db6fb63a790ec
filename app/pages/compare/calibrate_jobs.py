"""The job of the page Calibrate beside its fits: the baselines without vectors."""

from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.parts.components import result_of
from bertflow_app.shared_jobs import job_key, once

from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.lexical_baselines import LexicalResult
    from bertflow_core.space import Space


def lexical_rows(recipe: Recipe, results: "list[Space]") -> "tuple[LexicalResult, ...]":
    """Return the rows that count shared word pieces, for pairs with labels; else none.

    Raises:
        Busy: Too many jobs are waiting.
    """
    pairs = results[0].prepared.pairs
    if pairs.labels is None or not recipe.source.has_layers:  # which has no tokenizer
        return ()
    shown, lab = services.at_hand(recipe)

    def work() -> "tuple[LexicalResult, ...]":
        from bertflow_core.lexical_baselines import lexical_results

        return lexical_results(shown, lab)

    found: tuple[LexicalResult, ...] = result_of(once(job_key("lexical rows", recipe), work))
    return found
