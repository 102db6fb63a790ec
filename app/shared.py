"""Computations that visitors share, named by function and arguments; short ones start at once."""

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from bertflow_app import state, uploads
from bertflow_app.work.jobs import Busy, Job, State
from bertflow_app.work.registry import registry

from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import Params

Function = str | Callable[..., Any]


class Shared:
    """A call whose result visitors share: equal calls are one job.

    Args:
        function: The function, or `module:name` below `bertflow_core`, which the job imports.
        *args: Parameters, JSON values, or finished calls, which stand for their results. They
            are the job's key. After a first argument that is a `Params`, such as a recipe, the
            function receives a lab, which holds the upload that the parameters name.
        given: More arguments, which follow from the others and are not in the job's key.
        live: An object that the function fills while it runs, passed last. Pages read it as the
            result until the function returns.
        **named: Keyword arguments, treated like `args`.
    """

    def __init__(
        self,
        function: Function,
        *args: object,
        given: Sequence[object] = (),
        live: object = None,
        **named: object,
    ) -> None:
        self._function, self._args, self._named, self._live = function, args, named, live
        self._given = [*given] if live is None else [*given, live]
        text = json.dumps([_name(function), *args, named], default=_name, sort_keys=True)
        self.key = hashlib.sha256(text.encode()).hexdigest()  # hides what was typed
        self.job: Job | None = None  # as `find` saw it last
        self.pressed = False  # whether its button was pressed in this run of the page

    @property
    def result(self) -> Any:  # noqa: ANN401 - what the function returns
        """The job's result, or the object that it fills; None if there is no job."""
        return None if self.job is None else self.job.result

    def find(self, *, start: bool | None) -> Job | None:
        """Return the job; None if there is none.

        With `start` True it is started unless it runs or has a result, with None unless there is
        one, with False never.
        """
        first, *others = self._args
        passed = [*_with_lab(first), *map(_passed, others), *self._given]
        function, named = self._function, self._named
        self.job = registry().get(self.key)
        if start or (start is None and self.job is None):
            self.job = registry().submit(
                self.key,
                lambda: _imported(function)(*passed, **named),
                state.visitor(),
                live=self._live,
            )
        return self.job

    def find_or_begin(self, *, pressed: bool, wanted: bool | None = None) -> Job | None:
        """Return the job, which starts without a press of the button if it is short.

        A job is short if there is little data; `wanted` overrides this. After a failure or a stop,
        it starts only if the button is pressed.
        """
        self.pressed = pressed
        found = self.find(start=pressed)
        if pressed:
            state.visit().stopped_jobs.discard(self.key)
        is_over = found is not None and (found.gives_result or found.state is State.FAILED)
        if pressed or is_over or self.key in state.visit().stopped_jobs:
            return found
        if wanted is None:
            wanted = uploads.is_small(state.current_recipe())
        if wanted:
            with suppress(Busy):  # the button is still there
                found = self.find(start=True)
                state.visit().begun_jobs.add(self.key)
        return found


def leave_behind() -> None:
    """Give up jobs that no page shows any longer, unless a button started them."""
    for key in state.visit().begun_jobs - {*state.visit().seen_jobs}:
        leave(key)


def leave(key: str) -> None:
    """End this visitor's wait for a running job that started without a click."""
    job = registry().get(key)
    if job is not None and job.is_live:
        job.leave(state.visitor())
    state.visit().begun_jobs.discard(key)


def _name(value: Any) -> object:  # noqa: ANN401 - what a job is called with
    """Return an argument for use in a job's key."""
    if isinstance(value, Shared):
        return value.key
    if isinstance(value, Recipe):
        return value.fingerprint()
    if hasattr(value, "to_dict"):
        return [type(value).__name__, value.to_dict()]
    return value if isinstance(value, str) else f"{value.__module__}:{value.__qualname__}"


def _with_lab(first: object) -> tuple[object, ...]:
    if isinstance(first, Recipe):
        return uploads.at_hand(first)
    return (first, Lab()) if isinstance(first, Params) else (_passed(first),)


def _passed(value: object) -> object:
    return value.result if isinstance(value, Shared) else value


def _imported(function: Function) -> Callable[..., Any]:
    if not isinstance(function, str):
        return function
    module, name = function.split(":")
    found: Callable[..., Any] = getattr(import_module(f"bertflow_core.{module}"), name)
    return found
