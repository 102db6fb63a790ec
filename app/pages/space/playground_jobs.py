"""The jobs of the Playground, shared by visitors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import run

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


def spaces(recipe: Recipe, specs: Sequence[str], *, start: bool | None) -> Job | None:
    """Return the job that embeds the fit corpus and fits each calibrator on it."""
    from bertflow_core.studies.playground.spaces import checked_specs

    build = "studies.playground.spaces:build_playground"
    shared = recipe.without("aggregation")  # which decides none of these numbers
    return run(build, shared, checked_specs(specs), start=start)


def compared(playground: "Playground", sentences: tuple[str, ...], unit: str) -> Compared:
    """Embed typed sentences and compare them with each other and real ones."""
    from bertflow_core.studies.playground.pairs import compare_typed, pairs_report
    from bertflow_core.studies.playground.typed import corpus_neighbours, embed_typed, map_typed

    typed = embed_typed(playground, Lab(), sentences)
    context.report(0, 1, "comparison")
    pairs = compare_typed(typed, unit=unit)
    context.report(0, 1, "neighbours")
    neighbours = corpus_neighbours(playground, typed)
    report = pairs_report(playground, pairs)
    return Compared(pairs, report, map_typed(playground, typed), neighbours)
