"""The jobs of the page Turn the knobs, which visitors share."""

from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key

from bertflow_core.calibrators.registry import BASELINE
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.space import Space


def embedded(recipe: Recipe, *, start: bool) -> Job | None:
    """Return the job that embeds a recipe's sentences; it gives the plain vectors' result.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    shown, lab = services.at_hand(recipe)

    def work() -> "Space":
        return lab.evaluate(shown, (BASELINE,))[0]

    return find_or_start(job_key("embedded", recipe), work, start=start)


def turned_flow(recipe: Recipe, plain: "Space", spec: str, *, start: bool) -> Job | None:
    """Return the job that fits a flow on what is embedded, and scores it.

    Args:
        recipe: The choices.
        plain: What `embedded` gave.
        spec: The flow.
        start: Whether to start it.

    Raises:
        Busy: Too many jobs are waiting.
    """
    _, lab = services.at_hand(recipe)

    def work() -> "Space":

        return plain.prepared.under(spec, device=lab.device)

    return find_or_start(turned_key(recipe, spec), work, start=start)


def turned_key(recipe: Recipe, spec: str) -> str:
    """Return the name of the job that `turned_flow` returns."""
    return job_key("turned flow", recipe, spec=spec)
