"""The studies. Each answers one question by measurements; `STUDIES` lists them by name.

The other modules serve the studies. `grid` holds the recipes and scores of `compare`, and
`between_models` compares the models of a grid. `pairs` makes the rows of `lexical` and `ledger`,
`lexical_baselines` scores pairs without vectors, and `published` reads numbers that ship with the
package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bertflow_core.report.study import Study

__all__ = ["STUDIES", "study_of"]

_HELP = {
    "evaluate": "Score the plain output and calibrators on sentence pairs (rho or AUC).",
    "thresholds": "Find a cosine threshold for a false-positive rate; explain a given cosine.",
    "retrieval": "Score search in a collection per layer and calibrator.",
    "compare": "Score many recipes under one protocol; with --out a stopped run can be resumed.",
    "size": "Score truncated, quantised and binary vectors, with a calibrator before or after.",
    "words": "Measure norms and neighbours of a model's word embeddings by word frequency.",
    "cone": "Measure how narrow the cone of sentences is, and how well cosine agrees with people.",
    "flow-layers": "Measure mean cosine and norms of sentences after each layer of a fitted flow.",
    "sweep": "Score values of a calibrator's parameter, such as k, and choose one on dev.",
    "reproduce": "Reproduce the paper's tables and figures, and list the published numbers.",
    "fit-size": "Score calibrators that are fitted on growing parts of the corpus.",
    "newborn": "Train a small masked language model and record how its word vectors form a cone.",
    "layer-map": "Measure rho and isotropy of every layer, token pooling and calibrator.",
    "reading": "Score every template, pooling, layer and calibrator, and choose the best on dev.",
    "advice": "Check whether to calibrate, and measure the gain on pairs with gold scores.",
    "tasks": "Measure the effect of calibration on similarity, search and labelled texts.",
    "tuned": "Compare the flow with calibrators that have one parameter tuned on dev.",
    "lexical": "Correlate cosine with edit distance and gold scores, with and without calibration.",
    "ledger": "List the pairs that a calibrator moves towards their gold rank or away from it.",
    "sentences": "Measure isotropy, spectrum, dimension, hubs, Gaussianity and holes.",
    "spectrum": "Measure the singular spectrum; JSON holds every singular value.",
    "layers": "Measure every layer or the layers in --layers; CSV and JSON hold every measure.",
}
_MODULES = {  # those that do not have the name of their study
    **{"evaluate": "scores", "words": "words.study", "reproduce": "reproduce.study"},
    **{"newborn": "newborn.study", "advice": "advice.study", "lexical": "lexical.study"},
    **{name: f"space.{name}" for name in ("cone", "flow_layers", "layer_map")},
    **dict.fromkeys(("sentences", "spectrum", "layers"), "space.measure"),
}


def _entry(name: str, help: str) -> tuple[str, str]:
    attribute = name.replace("-", "_")
    return f"{_MODULES.get(attribute, attribute)}:{attribute}", help


STUDIES = {name: _entry(name, help) for name, help in _HELP.items()}
"""By name: the module and the study's name in it, and the help text in the list of commands."""


def study_of(name: str) -> "Study[Any]":
    """Return a study by its name in `STUDIES`."""
    module, _, attribute = STUDIES[name][0].partition(":")
    found: Study[Any] = getattr(import_module(f"{__name__}.{module}"), attribute)
    return found
