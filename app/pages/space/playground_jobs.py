"""The jobs of the Playground, shared by visitors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bertflow_app import services
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import find_or_start, job_key, once

from bertflow_core import context
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.report import Report

if TYPE_CHECKING:
    from bertflow_core.studies.playground.pairs import TypedPairs
    from bertflow_core.studies.playground.spaces import Playground
    from bertflow_core.studies.playground.typed import SentenceMap, Typed
    from bertflow_core.studies.wall.nearest import PaneNeighbours


@dataclass(frozen=True, eq=False)
class Compared:
    """Typed sentences in every space; never on disk.

    Attributes:
        pairs: Every two of them.
        report: Of the pairs.
        map: Where they fall among real sentences.
        neighbours: Of each, under each calibrator.
    """

    pairs: "TypedPairs"
    report: Report
    map: "SentenceMap"
    neighbours: "list[tuple[PaneNeighbours, ...]]"

    @property
    def typed(self) -> "Typed":
        """The sentences."""
        return self.pairs.typed


def spaces(recipe: Recipe, specs: Sequence[str], *, start: bool) -> Job | None:
    """Return the job that embeds the fit corpus and fits each calibrator on it.

    Raises:
        InputError: Calibrators that cannot be, or an upload that cannot be read.
        Busy: Too many jobs are waiting.
    """
    from bertflow_core.studies.playground.spaces import checked_specs

    chosen = checked_specs(specs)
    shared = recipe.with_(aggregation=Recipe.aggregation)  # which decides none of these numbers
    named, lab = services.at_hand(shared)

    def work() -> "Playground":
        from bertflow_core.studies.playground.spaces import build_playground

        return build_playground(named, lab, chosen)

    return find_or_start(job_key("playground", shared, specs=list(chosen)), work, start=start)


def compared(built: Job, sentences: tuple[str, ...], unit: str, *, again: bool) -> Job:
    """Return the job that embeds typed sentences and compares them with each other and real ones.

    Args:
        built: The job that built the spaces; its name stands for all data.
        sentences: The typed ones; the job's name holds only a hash of them.
        unit: What an edit changes.
        again: Whether to try again what failed or was stopped.

    Raises:
        Busy: Too many jobs are waiting.
    """
    playground = built.result

    def work() -> Compared:
        from bertflow_core.studies.playground.pairs import compare_typed, pairs_report
        from bertflow_core.studies.playground.typed import corpus_neighbours, embed_typed, map_typed

        typed = embed_typed(playground, Lab(), sentences)
        context.report(0, 1, "comparison")
        pairs = compare_typed(typed, unit=unit)
        context.report(0, 1, "neighbours")
        neighbours = corpus_neighbours(playground, typed)
        report = pairs_report(playground, pairs)
        return Compared(pairs, report, map_typed(playground, typed), neighbours)

    key = job_key("typed", Recipe(), of=built.key, sentences=sentences, unit=unit)
    return once(key, work, again=again)
