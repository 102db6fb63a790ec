"""Scored pairs as a task of MTEB, from this machine alone: nothing is fetched."""

from typing import TYPE_CHECKING

from bertflow_core.errors import InputError
from bertflow_core.experiment import Lab
from bertflow_core.mteb.wrapper import no_mteb
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.mteb.task import PairsTask

__all__ = ["pairs_task"]


def pairs_task(
    dataset: str = "captions",
    *,
    split: str = "test",
    language: str = "eng-Latn",
    lab: Lab | None = None,
) -> "PairsTask":
    """Return scored pairs as a task for `mteb.evaluate`.

    Args:
        dataset: Name of a data set, or path of a table of pairs with scores.
        split: What of a data set is scored.
        language: Of the sentences, as MTEB names it: ISO 639-3 and the script.
        lab: Where data lies; None takes `Lab()`.

    Example:
        >>> from bertflow_core.mteb import pairs_task
        >>> task = pairs_task("captions")  # doctest: +SKIP

    Raises:
        InputError: mteb is not installed, or the pairs have no graded scores.
    """
    try:
        from bertflow_core.mteb.task import task_of
    except ImportError as error:
        raise no_mteb() from error
    pairs = (lab or Lab()).pairs(Recipe(dataset=dataset, split=split))
    if pairs.gold is None:
        raise InputError(
            f"{quoted(dataset)} has no graded scores, which a task of MTEB's kind STS needs: give "
            "pairs with scores"
        )
    return task_of(pairs, language)
