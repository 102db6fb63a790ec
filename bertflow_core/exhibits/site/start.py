"""The start page of the site: the spheres of stored results, and the ways to all pages."""

import json

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import load_dataset
from bertflow_core.datasets.pairs import need_pairs
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.figures.cone import spheres_payload
from bertflow_core.figures.pages import Page, picture_page
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies.space.cone import stored_cone
from bertflow_core.wording import percent

START = ("index.html", "Sentence embeddings, their cone, and a flow that opens it")
"""The page's file and title."""

_SPHERES = {
    ("language-model-cone", PLAIN_LAYERS, BASELINE): "a raw language model",
    ("language-model-cone", PLAIN_LAYERS, "flow"): "the same, calibrated",
    ("cone", PLAIN_LAYERS, BASELINE): "an encoder trained on pairs",
}


def start_page(ways: str) -> Page:
    """Return the start page; `ways` is HTML that links the pages of the site."""
    rows = {
        title: stored_cone(name).row(layers=layers, calibrator=calibrator)
        for (name, layers, calibrator), title in _SPHERES.items()
    }
    raw, calibrated, _ = rows.values()
    cone = stored_cone()  # all reports show the same pairs
    assert isinstance(cone.params, Recipe)
    pairs = cone.facts["pairs"]
    scale = need_pairs(load_dataset(cone.params.dataset), "the start page").scale
    summary = (
        f"Two random sentences have a cosine of {raw['random_cosine']:.2f} in the output of a raw "
        "language model: all vectors lie in a narrow cone. A calibrator, fitted on sentences "
        "without labels, opens it, and Spearman's rho with gold scores (x 100) rises from "
        f"{percent(raw['rho'])} to {percent(calibrated['rho'])}."
    )
    note = (
        f"{2 * len(pairs)} captions as points on a sphere; the arrow is their mean. Point at one, "
        "or press the arrow keys, to mark its pair on every sphere."
    )
    payload = json.dumps(spheres_payload(rows, pairs, scale), allow_nan=False)
    return picture_page(
        (*START, summary),
        ("cone", "cone.js", "cone.css"),
        payload=payload.encode(),
        notes=[note],
        ways=ways,
    )
