"""A newborn model as a report, as figures, and as the result that ships with the package."""

import json
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np

from bertflow_core.evaluation import RANDOM_COSINE
from bertflow_core.figures import Figure
from bertflow_core.figures.words import equation_cloud, measures_by_step, word_places
from bertflow_core.files import resource
from bertflow_core.lab import Lab
from bertflow_core.report import Column, Pictures, Report, Table
from bertflow_core.studies.cone import SPECS, cone_figure
from bertflow_core.studies.newborn.equation import Equation
from bertflow_core.studies.newborn.recipe import NewbornRecipe
from bertflow_core.studies.newborn.recording import UNIT, Recording
from bertflow_core.studies.newborn.result import Newborn
from bertflow_core.study import Facts, Live, Part, Specs, study

__all__ = [
    "decomposition_table",
    "equation_figure",
    "newborn",
    "report_of",
    "spaces_table",
    "stored_newborn",
    "training_figure",
]

STORED = "results/newborn.json"


def stored_newborn() -> Newborn:
    """Return the result that ships with the package: the captions, under the default recipe."""
    return Newborn.from_dict(json.loads(resource(STORED).read_text(encoding="utf-8")))


def _numbers(*names: tuple[str, str]) -> list[Column]:
    return [Column(key, label, ".2f") for key, label in names]


def _columns(norms: list[tuple[str, str]]) -> tuple[Column, ...]:
    return (
        Column("step", format=","),
        *_numbers(("loss", ""), ("mean_cosine", "mean cos"), ("frequency_rho", "|rho freq|")),
        *_numbers(*norms, ("unused_norm", "norm, never occur")),
        Column("rho", "rho x 100", ".2f", times=100),
        *_numbers(("random_cosine", "random cos")),
    )


def _pictures(report: Report) -> Pictures:
    newborn: Newborn = report.live["newborn"]
    return {
        "newborn-words": partial(_words_figure, newborn.recording),
        "newborn-training": partial(training_figure, newborn.recording),
        "newborn-equation": partial(equation_figure, newborn.equation),
        "newborn-sentences": partial(cone_figure, newborn.cone, newborn.cone.rows),
    }


@study(
    "newborn",
    NewbornRecipe,
    _columns([]),
    title="How does a cone form?",
    figures=_pictures,
    calibrators=SPECS,
)
def newborn(recipe: NewbornRecipe, lab: Lab, calibrators: Specs) -> Iterator[Part]:
    """Train a model from nothing, then calibrate its sentences and check Eq. 3 in it."""
    from bertflow_core.studies.newborn.measure import measure_newborn

    yield from parts(measure_newborn(recipe, lab, specs=calibrators))


def report_of(found: Newborn) -> Report:
    """Return the report of a training that was measured already."""
    specs = [row["calibrator"] for row in found.cone.rows]
    return newborn.collect(parts(found), found.recording.recipe, specs)


def parts(found: Newborn) -> Iterator[Part]:
    """Yield the measures by step, Eq. 3, and what calibrators make of the space."""
    recording = found.recording
    keys = [
        f"norm_{low + 1}_{high}" for low, high in pairwise(recording.edges)
    ]  # of the words that were found
    yield _columns([(key, f"norm, {name}") for key, name in zip(keys, recording.bins, strict=True)])
    yield (
        "mean cos: of all pairs of word vectors. |rho freq|: Spearman's rho of their first "
        "singular coordinate with log frequency. norms: mean norm of the word vectors."
    )
    yield (
        f"rho: Spearman's rho x 100 of sentences' cosines with gold on "
        f"{found.cone.facts['n_pairs']} pairs; random cos: {RANDOM_COSINE}."
    )
    for moment in recording.moments:
        row = {key: value for key, value in vars(moment).items() if key != "norms"}
        yield row | dict(zip(keys, moment.norms, strict=True))
    yield spaces_table(found)
    yield decomposition_table(found)
    yield Facts(found.to_dict())
    yield Live(newborn=found)


def spaces_table(found: Newborn) -> Table:
    """Return one row per calibrator: rho and random cosine, untrained and trained."""
    columns = (
        Column("calibrator"),
        Column("rho_untrained", "rho x 100, untrained", ".2f", times=100),
        Column("rho_trained", "rho x 100, trained", ".2f", times=100),
        *_numbers(("cosine_untrained", "random cos, untrained")),
        *_numbers(("cosine_trained", "random cos, trained")),
    )
    rows = [
        {
            "calibrator": after["calibrator"],
            "rho_untrained": before.rho,
            "rho_trained": after["rho"],
            "cosine_untrained": before.random_cosine,
            "cosine_trained": after["random_cosine"],
        }
        for before, after in zip(found.untrained, found.cone.rows, strict=True)
    ]
    about = (
        "Mean context embeddings of sentences; calibrators fitted on all of them, without gold. "
        "Untrained: the same network with its random first weights, the control."
    )
    return Table(columns, rows, "sentences", (about,))


def decomposition_table(found: Newborn) -> Table:
    """Return one row per model: the coefficients of Eq. 3 and the shares that they explain."""
    models = {
        "untrained": found.decomposition_untrained,
        "trained": found.equation.decomposition,
    }
    columns = (
        Column("model"),
        *_numbers(("pmi", "PMI"), ("log_p", "log p"), ("r2", "R2")),
        *_numbers(("r2_pmi", "R2 of PMI alone"), ("r2_log_p", "R2 of log p alone")),
        Column("n_pairs", "pairs", ","),
        Column("n_contexts", "contexts", ","),
    )
    rows = [{"model": name, **each.to_dict()} for name, each in models.items()]
    about = (
        "h_c . w_x = a PMI(x, c) + b log p(x) + lambda_c, Eq. 3 of Li et al. (2020), by least "
        "squares with a constant for each context; a = b = 1 in a model that has learnt all "
        "counts. A context is the pair of words around a gap, counted where it occurs 30 times, "
        "with words that occur in it 3 times; R2 is of the variance within contexts."
    )
    return Table(columns, rows, "equation", (about,))


def _words_figure(recording: Recording) -> Figure:
    return word_places(
        np.reshape(recording.places[-1], (-1, 2)) / UNIT,
        recording.counts,
        recording.words,
        step=recording.moments[-1].step,
    )


def training_figure(recording: Recording) -> Figure:
    """Draw every measure over the steps."""
    moments = recording.moments
    norms: dict[str, list[float | None]] = {
        name: [moment.norms[i] for moment in moments] for i, name in enumerate(recording.bins)
    }
    if recording.recipe.n_unused:
        norms["never occur"] = [moment.unused_norm for moment in moments]
    return measures_by_step(
        [moment.step for moment in moments],
        {
            "mean cosine of words": {"cosine": [each.mean_cosine for each in moments]},
            "mean norm of word vectors": norms,
            "loss, nats": {"loss": [each.loss for each in moments]},
            "|Spearman| of the first direction with frequency": {
                "rho": [each.frequency_rho for each in moments]
            },
            "rho of sentences with gold": {"rho": [each.rho for each in moments]},
            "mean cosine of random sentences": {"cosine": [each.random_cosine for each in moments]},
        },
    )


def equation_figure(equation: Equation) -> Figure:
    """Draw h . w against a PMI + b log p(x)."""
    return equation_cloud(
        [point.expected for point in equation.points],
        [point.score for point in equation.points],
        [point.text for point in equation.points],
        r2=equation.decomposition.r2,
    )
