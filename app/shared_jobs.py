"""Jobs that visitors share: one for each function and what it is called with."""

import hashlib
import json
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from bertflow_app import services, state
from bertflow_app.jobs import Job

from bertflow_core.lab import Lab
from bertflow_core.params import Params
from bertflow_core.recipe import Recipe

Function = str | Callable[..., Any]


def run(
    function: Function,
    *args: object,
    start: bool | None = None,
    given: Sequence[object] = (),
    live: object = None,
    **named: object,
) -> Job | None:
    """Return the job of a call; equal arguments are one job.

    Args:
        function: Or `module:name` below `bertflow_core`, which the job imports.
        *args: What names the job and is passed on: parameters, what JSON can hold, and finished
            jobs, which stand for their results. Parameters that come first are passed as people
            read them, followed by the lab that holds the upload they name.
        start: True starts it, again where it failed or was stopped; False only looks for it; None
            starts it where nobody did before, since pages run often.
        given: More arguments, which follow from the others.
        live: What the function fills while it runs, passed last; pages find it as the result.
        **named: As `args`.

    Raises:
        InputError: A recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    passed = [*_with_lab(args[0]), *map(_result, args[1:]), *given]
    passed += [] if live is None else [live]
    key = key_of(function, *args, **named)
    found = services.registry().get(key)
    if start is False or (start is None and found is not None):
        return found

    def work() -> Any:  # noqa: ANN401 - what the function returns
        return _imported(function)(*passed, **named)

    return services.registry().submit(key, work, state.visitor(), live=live)


def key_of(function: Function, *args: object, **named: object) -> str:
    """Return the name of the job of a call; it tells nobody what was typed."""
    text = json.dumps([_name(function), *args, named], default=_name, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _name(value: Any) -> object:  # noqa: ANN401 - what a job is called with
    """Return what stands for a value in the name of a job."""
    if isinstance(value, Job):
        return value.key
    if isinstance(value, Recipe):
        return value.fingerprint()
    if hasattr(value, "to_dict"):
        return [type(value).__name__, value.to_dict()]
    return value if isinstance(value, str) else f"{value.__module__}:{value.__qualname__}"


def _with_lab(first: object) -> tuple[object, ...]:
    if isinstance(first, Recipe):
        return services.at_hand(first)
    return (first, Lab()) if isinstance(first, Params) else (_result(first),)


def _result(value: object) -> object:
    return value.result if isinstance(value, Job) else value


def _imported(function: Function) -> Callable[..., Any]:
    if not isinstance(function, str):
        return function
    module, name = function.split(":")
    found: Callable[..., Any] = getattr(import_module(f"bertflow_core.{module}"), name)
    return found
