"""The fits of the page Inside the flow, which visitors share and watch while they run."""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from bertflow_app import services, state
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import job_key

from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.flows.plane import PlaneState
    from bertflow_core.studies.training.history import LiveFit


LONGEST_PAUSE = 120.0
"""Seconds after which a paused fit continues, since other visitors' work waits behind it."""

BOUNDS = {"depth": (1, 12), "width": (4, 64), "lr": (0.0005, 0.02), "n_steps": (250, 5_000)}
"""Least and most of each choice, as a browser can send anything."""

MAX_STATES = 200
BREATH = 0.002
"""Seconds of sleep per report; without it the fit's small steps hold the interpreter's lock."""

Seen = TypeVar("Seen")


@dataclass(frozen=True, eq=False)
class Live(Generic[Seen]):
    """A job with what it has recorded so far.

    Attributes:
        job: The fit.
        seen: Its record; pages read copies.
        paused: Set while the fit waits.
    """

    job: Job
    seen: Seen
    paused: threading.Event


@dataclass(frozen=True, eq=False)
class ToyChoice:
    """What decides a fit on the plane.

    Attributes:
        points: Shape (N, 2), float32.
        coupling: `additive` or `affine`.
        depth: Steps of the flow.
        width: Hidden units of a coupling's network.
        lr: Learning rate.
        n_steps: Steps of the fit.
        seed: Random seed.

    Raises:
        InputError: A number outside the range of its slider.
    """

    points: FloatArray = field(repr=False)
    coupling: str
    depth: int
    width: int
    lr: float
    n_steps: int
    seed: int

    def __post_init__(self) -> None:
        for name, (least, most) in BOUNDS.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise InputError(f"{name} must be from {least} to {most}, got {value}: change it")


@dataclass(eq=False)
class PlaneFit:
    """The states of a fit on the plane so far.

    Attributes:
        choice: What decides the fit.
        states: In order.
        run: Name of this run; a fit that is stopped and restarted is another run.
    """

    choice: ToyChoice
    states: "list[PlaneState]" = field(default_factory=list)
    run: str = field(default_factory=lambda: secrets.token_hex(8))


_pauses: "WeakKeyDictionary[Job, threading.Event]" = WeakKeyDictionary()
_lock = threading.Lock()


def toy_fit(choice: ToyChoice, *, start: bool) -> "Live[PlaneFit] | None":
    """Return the fit of a flow to points of the plane, if anybody started it.

    Raises:
        InputError: The flow cannot be built.
        Busy: Too many jobs are waiting.
    """
    from bertflow_core.flows import GlowConfig
    from bertflow_core.flows.plane import fit_plane

    names: dict[str, Any] = {"coupling": choice.coupling}  # the configuration checks the name
    glow = GlowConfig(n_levels=1, depth=choice.depth, coupling_width=choice.width, **names)
    fit = PlaneFit(choice)

    def work(progress: Progress) -> PlaneFit:
        fit_plane(
            choice.points,
            glow,
            n_steps=choice.n_steps,
            learning_rate=choice.lr,
            seed=choice.seed,
            show=fit.states.append,
            n_states=MAX_STATES,
            progress=progress,
        )
        return fit

    digest = hashlib.sha256(np.ascontiguousarray(choice.points, "<f4").tobytes()).hexdigest()
    key = job_key(
        "plane",
        Recipe(),
        points=digest,
        glow=[choice.coupling, choice.depth, choice.width],
        training=[choice.lr, choice.n_steps, choice.seed],
    )
    return _live(key, fit, work, start=start)


def real_fit(recipe: Recipe, epochs: float, *, start: bool) -> "Live[LiveFit] | None":
    """Return the fit of the paper's flow on a recipe's corpus, if anybody started it.

    Raises:
        InputError: The recipe names an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    from bertflow_core.studies.training.history import LiveFit

    named, lab = services.at_hand(recipe)
    fit = LiveFit(epochs)

    def work(progress: Progress) -> "LiveFit":
        from bertflow_core.studies.training.watched_fit import watch_fit

        return watch_fit(named, lab, fit, progress=progress)

    return _live(job_key("watched", recipe, epochs=epochs), fit, work, start=start)


def _live(
    key: str, seen: Seen, work: Callable[[Progress], Seen], *, start: bool
) -> Live[Seen] | None:
    """Return the job of that name with its record; where there is none, start one if asked."""
    paused = threading.Event()
    with _lock:  # a job is never seen without what belongs to it
        if start:
            job = services.registry().submit(
                key, lambda progress: work(_gate(progress, paused)), state.visitor()
            )
            if job not in _pauses:
                # From the start: stopped and failed fits are kept, and counted, with it too.
                job.result, _pauses[job] = seen, paused
        found = services.registry().get(key)
        return None if found is None else Live(found, found.result, _pauses[found])


def _gate(progress: Progress, paused: threading.Event) -> Progress:
    """Return a callback that waits while `paused` is set, and keeps reporting meanwhile."""

    def report(done: int, total: int, unit: str) -> None:
        progress(done, total, unit)
        time.sleep(BREATH)
        end = time.monotonic() + LONGEST_PAUSE
        while paused.is_set() and time.monotonic() < end:
            progress(done, total, unit)
            time.sleep(0.05)
        paused.clear()

    return report
