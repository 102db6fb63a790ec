"""Jobs that visitors share: their names, finding one or starting it, and those of the studies."""

import hashlib
import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

from bertflow_app import services, state
from bertflow_app.jobs import Job

from bertflow_core.recipe import Recipe


def job_key(kind: str, recipe: Recipe, **choices: object) -> str:
    """Return the name of what these choices compute: equal choices are one job."""
    text = json.dumps([kind, recipe.fingerprint(), choices], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def run(study: str, recipe: Recipe, *choices: object, start: bool, **named: object) -> Job | None:
    """Return the job of a function of the studies, called with the recipe, its lab and choices.

    Args:
        study: `module:function`; the job imports it, so that the page need not.
        recipe: The choices of data and model; an upload that it names is in the lab.
        *choices: What the function takes after the lab; JSON can hold it.
        start: Whether to start it.
        **named: What the function takes by name.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    shown, lab = services.at_hand(recipe)

    def work() -> Any:  # noqa: ANN401 - what the study returns
        module, function = study.split(":")
        compute = getattr(import_module(f"bertflow_core.studies.{module}"), function)
        return compute(shown, lab, *choices, **named)

    key = job_key(study, recipe, choices=choices, named=named)
    return find_or_start(key, work, start=start)


def find_or_start(
    key: str,
    work: Callable[[], Any],
    *,
    start: bool,
    first: Callable[[], Any] | None = None,
) -> Job | None:
    """Return the job of that name; if there is none and `start` is true, start it.

    A live or finished job is shared. One that failed or was stopped is started again by `start`.

    Args:
        key: The name.
        work: Computes the result.
        start: Whether to start it.
        first: Computes what can be shown before the result is there.

    Raises:
        Busy: Too many jobs are waiting.
    """
    if not start:
        return services.registry().get(key)
    return services.registry().submit(key, work, state.visitor(), first=first)


def once(key: str, work: Callable[[], Any], *, again: bool = False) -> Job:
    """Return the job of that name; start it if there is none.

    A job that failed or was stopped is started again only with `again`: pages rerun often.

    Raises:
        Busy: Too many jobs are waiting.
    """
    job = services.registry().get(key)
    if job is None or again:
        return services.registry().submit(key, work, state.visitor())
    return job
