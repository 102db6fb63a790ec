"""The studies. Each answers one question by measurements; `STUDIES` lists them by name.

The other modules serve the studies. `pairs` makes the rows of `lexical` and `ledger`,
`random_pairs` those of `thresholds`; `lexical_baselines` scores pairs without vectors, and
`published` reads numbers that ship with the package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bertflow_core.report.study import Study

__all__ = ["STUDIES", "study_of"]

STUDIES = {  # name: module and the study's name in it, help text in the list of commands
    "evaluate": (
        "evaluate.study:evaluate",
        "Score models, layers and calibrators on data sets, with tests; --out resumes a run.",
    ),
    "thresholds": (
        "thresholds:thresholds",
        "Compare a cosine with those of random pairs; find a threshold for a false-positive rate.",
    ),
    "retrieval": (
        "retrieval:retrieval",
        "Score how well a collection is searched, by layer and calibrator.",
    ),
    "size": (
        "size:size",
        "Score truncated, quantised and binary vectors, with a calibrator before or after.",
    ),
    "words": (
        "words.study:words",
        "Measure norms and neighbours of a model's word embeddings by word frequency.",
    ),
    "cone": (
        "space.cone:cone",
        "Measure how narrow the cone of sentences is, also after each layer of a flow.",
    ),
    "tune": (
        "tune:tune",
        "Score the values of a calibrator's parameter, choose one on dev, and compare it.",
    ),
    "reproduce": (
        "reproduce.study:reproduce",
        "Reproduce tables and figures of the paper and compare them with the published numbers.",
    ),
    "fit-size": (
        "fit_size:fit_size",
        "Score calibrators that are fitted on growing parts of the corpus.",
    ),
    "layers": (
        "layers.study:layers",
        "Score and measure every layer by template, pooling and calibrator; dev chooses.",
    ),
    "depth": (
        "depth.study:depth",
        "Find what makes the cone at each layer: first token, coordinates or mean.",
    ),
    "advice": (
        "advice.study:advice",
        "Answer how good a model is, A or B, whether to calibrate and which threshold to use.",
    ),
    "lexical": (
        "lexical.study:lexical",
        "Correlate cosine with edit distance and gold scores, before and after calibration.",
    ),
    "ledger": (
        "ledger:ledger",
        "List the pairs that a calibrator moves towards their gold rank or away from it.",
    ),
    "sentences": (
        "space.measure:sentences",
        "Measure isotropy, spectrum, dimension, hubs and holes; layer:4 by default.",
    ),
}


def study_of(name: str) -> "Study[Any]":
    """Return a study by its name in `STUDIES`."""
    module, _, attribute = STUDIES[name][0].partition(":")
    found: Study[Any] = getattr(import_module(f"{__name__}.{module}"), attribute)
    return found
