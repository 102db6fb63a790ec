"""A newborn model as a report, as figures, and as the result that ships with the package."""

import json
from collections.abc import Mapping

import numpy as np

from bertflow_core.analysis.contexts import Decomposition
from bertflow_core.evaluation import RANDOM_COSINE
from bertflow_core.figures import Figure
from bertflow_core.figures.words import equation_cloud, measures_by_step, word_places
from bertflow_core.files import resource
from bertflow_core.old_report import Record, Report
from bertflow_core.studies.cone import cone_figure
from bertflow_core.studies.newborn.equation import Equation
from bertflow_core.studies.newborn.recording import UNIT, Moment, Recording
from bertflow_core.studies.newborn.result import Newborn
from bertflow_core.text_table import TextTable, percent

__all__ = [
    "decomposition_table",
    "equation_figure",
    "newborn_report",
    "spaces_table",
    "stored_newborn",
    "training_figure",
]

STORED = "results/newborn.json"
_SHOWN_ROWS = 9


def stored_newborn() -> Newborn:
    """Return the result that ships with the package: the captions, under the default recipe."""
    return Newborn.from_dict(json.loads(resource(STORED).read_text(encoding="utf-8")))


def newborn_report(newborn: Newborn) -> Report:
    """Report the measures by step, Eq. 3, and what calibrators make of the space."""
    recording = newborn.recording
    remarks = (
        f"{recording.recipe.caption()}.",
        "mean cos: of all pairs of word vectors. |rho freq|: Spearman's rho of their first "
        "singular coordinate with log frequency. norms: mean norm of the word vectors.",
        f"rho: Spearman's rho x 100 of sentences' cosines with gold on "
        f"{newborn.cone.facts['n_pairs']} pairs; random cos: {RANDOM_COSINE}.",
    )
    return Report(
        name="newborn",
        tables=lambda: (
            _steps_table(recording, remarks),
            spaces_table(newborn),
            decomposition_table(
                {
                    "untrained": newborn.decomposition_untrained,
                    "trained": newborn.equation.decomposition,
                }
            ),
        ),
        records=lambda: [_record(recording, moment) for moment in recording.moments],
        shared={f"recipe_{name}": value for name, value in recording.recipe.to_dict().items()},
        document=newborn.to_dict,
        remarks=remarks,
        command=recording.recipe.to_command([row["calibrator"] for row in newborn.cone.rows]),
        figures=lambda: {
            "newborn-words": _words_figure(recording),
            "newborn-training": training_figure(recording),
            "newborn-equation": equation_figure(newborn.equation),
            "newborn-sentences": cone_figure(newborn.cone, newborn.cone.rows),
        },
    )


def _record(recording: Recording, moment: Moment) -> Record:
    norms = {
        f"norm_{low + 1}_{high}": norm
        for low, high, norm in zip(recording.edges, recording.edges[1:], moment.norms, strict=False)
    }
    names = ("step", "loss", "mean_cosine", "frequency_rho")
    more = ("unused_norm", "rho", "random_cosine")
    return {
        **{name: getattr(moment, name) for name in names},
        **norms,
        **{name: getattr(moment, name) for name in more},
    }


def _steps_table(recording: Recording, remarks: tuple[str, ...]) -> TextTable:
    moments = recording.moments
    shown = np.unique(np.linspace(0, len(moments) - 1, _SHOWN_ROWS).astype(int))
    header = (
        *("step", "loss", "mean cos", "|rho freq|"),
        *(f"norm, {name}" for name in recording.bins),
        *("norm, never occur", "rho x 100", "random cos"),
    )
    rows = tuple(
        (
            f"{moment.step:,}",
            *map(_number, (moment.loss, moment.mean_cosine, moment.frequency_rho)),
            *map(_number, (*moment.norms, moment.unused_norm)),
            percent(moment.rho),
            _number(moment.random_cosine),
        )
        for moment in (moments[i] for i in shown)
    )
    return TextTable(header, rows, remarks)


def spaces_table(newborn: Newborn) -> TextTable:
    """Return one row per calibrator: rho and random cosine, untrained and trained."""
    rows = tuple(
        (
            after["calibrator"],
            percent(before.rho),
            percent(after["rho"]),
            _number(before.random_cosine),
            _number(after["random_cosine"]),
        )
        for before, after in zip(newborn.untrained, newborn.cone.rows, strict=True)
    )
    header = (
        "calibrator",
        *("rho x 100, untrained", "rho x 100, trained"),
        *("random cos, untrained", "random cos, trained"),
    )
    remarks = (
        "Mean context embeddings of sentences; calibrators fitted on all of them, without gold. "
        "Untrained: the same network with its random first weights, the control.",
    )
    return TextTable(header, rows, remarks)


def decomposition_table(models: Mapping[str, Decomposition]) -> TextTable:
    """Return one row per model: the coefficients of Eq. 3 and the shares that they explain."""
    rows = tuple(
        (
            name,
            *map(_number, (found.pmi, found.log_p, found.r2, found.r2_pmi, found.r2_log_p)),
            f"{found.n_pairs:,}",
            f"{found.n_contexts:,}",
        )
        for name, found in models.items()
    )
    header = (
        *("model", "PMI", "log p", "R2", "R2 of PMI alone", "R2 of log p alone"),
        *("pairs", "contexts"),
    )
    remarks = (
        "h_c . w_x = a PMI(x, c) + b log p(x) + lambda_c, Eq. 3 of Li et al. (2020), by least "
        "squares with a constant for each context; a = b = 1 in a model that has learnt all "
        "counts. A context is the pair of words around a gap, counted where it occurs 30 times, "
        "with words that occur in it 3 times; R2 is of the variance within contexts.",
    )
    return TextTable(header, rows, remarks)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


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
