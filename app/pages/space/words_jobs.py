"""What the page Words asks of the core, as a job that visitors share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.calibrators.registry import takes_seed
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.words.recipe import WordRecipe

if TYPE_CHECKING:
    from bertflow_core.report import Report


def words(recipe: WordRecipe, specs: Sequence[str], *, start: bool) -> Job | None:
    """Return the job that measures a model's words, as they are and after these calibrators.

    Raises:
        InputError: A calibrator that cannot be.
        Busy: Too many jobs are waiting.
    """
    if not any(map(takes_seed, (recipe.calibrator, *specs))):
        recipe = recipe.with_(seed=WordRecipe.seed)  # nothing draws: every seed gives this result

    def work() -> "Report":
        from bertflow_core.studies.words.study import words as measured

        return measured(recipe, Lab(), specs)

    key = job_key("words", Recipe(), words=recipe.to_dict(), specs=list(specs))
    return find_or_start(key, work, start=start)
