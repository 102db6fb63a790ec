"""Studies, each a question that is measured: `STUDIES` has the name and the module of each.

The other modules serve them or a page that is more than a study: `grid`, the recipes and scores of
`compare`; `pairs`, the rows of `lexical` and `ledger`; `lexical_baselines`, rows without vectors;
`published`, numbers that ship with the package; `playground`, typed sentences; `training`, a fit
that is watched; `wall`, `tour` and `site`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bertflow_core.report.study import Study

__all__ = ["STUDIES", "study_of"]

STUDIES = {  # name: module and name in it | what the list of commands says
    "evaluate": (
        "scores:evaluate",
        "Score calibrators on pairs of sentences, beside the model's plain output: rho or AUC.",
    ),
    "thresholds": (
        "thresholds:thresholds",
        "Read a cosine among those of random pairs; find the threshold of a false-positive rate.",
    ),
    "retrieval": (
        "retrieval:retrieval",
        "Find documents for queries, 700 built-in ones by default, per layer and calibrator.",
    ),
    "compare": (
        "compare:compare",
        "Score many recipes under one protocol; with --out a stopped run is resumed.",
    ),
    "size": (
        "size:size",
        "Score vectors cut, rounded or in bits, alone and with a calibrator before or after.",
    ),
    "words": (
        "words.study:words",
        "Measure norm and neighbours of a model's word embeddings by how frequent the words are.",
    ),
    "cone": (
        "space.cone:cone",
        "Measure how narrow the cone of sentences is, and how well cosine agrees with people.",
    ),
    "flow-layers": (
        "space.flow_layers:flow_layers",
        "Measure mean cosine and norms of sentences after each layer of a fitted flow.",
    ),
    "sweep": (
        "sweep:sweep",
        "Score the values of a calibrator's parameter, such as k, on dev and test; dev chooses.",
    ),
    "reproduce": (
        "reproduce.study:reproduce",
        "Make tables and figures of the paper again, and set ours beside the published numbers.",
    ),
    "fit-size": (
        "fit_size:fit_size",
        "Score calibrators that are fitted on few sentences, more, and all.",
    ),
    "newborn": (
        "newborn.study:newborn",
        "Train a small masked language model and record how its word vectors become a cone.",
    ),
    "layer-map": (
        "space.layer_map:layer_map",
        "Measure every layer under every token pooling and calibrator: rho and isotropy.",
    ),
    "reading": (
        "reading:reading",
        "Score every template, pooling, layer and calibrator of a model; dev chooses the best.",
    ),
    "advice": (
        "advice.study:advice",
        "Check by four rules whether calibrating is worth it, and measure it on gold scores.",
    ),
    "tuned": (
        "tuned:tuned",
        "Score calibrators as they are and with one parameter tuned on dev, beside the flow.",
    ),
    "lexical": (
        "lexical.study:lexical",
        "Correlate cosine with edit distance and with gold, before and after calibration.",
    ),
    "ledger": (
        "ledger:ledger",
        "List the pairs that a calibrator moves closer to their gold rank, or away from it.",
    ),
    "sentences": (
        "space.measure:sentences",
        "Measure isotropy, spectrum, dimension, hubs, Gaussianity and holes; layer:4 by default.",
    ),
    "spectrum": (
        "space.measure:spectrum",
        "Measure the singular spectrum; json holds every singular value.",
    ),
    "layers": (
        "space.measure:layers",
        "Measure every layer, or those that --layers names; csv and json hold every measure.",
    ),
}


def study_of(name: str) -> "Study[Any]":
    """Return a declared study by its name in `STUDIES`."""
    module, _, attribute = STUDIES[name][0].partition(":")
    found: Study[Any] = getattr(import_module(f"{__name__}.{module}"), attribute)
    return found
