"""Figure 1: sentence embeddings before and after the flow, measured."""

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.report import Report, Row
from bertflow_core.studies.cone import cone, cone_figure
from bertflow_core.studies.reproduce.items import ITEMS
from bertflow_core.studies.reproduce.request import FLOW, Request, encoders_of
from bertflow_core.studies.reproduce.result import Cell, Line, Origin, Reproduction, number

__all__ = ["figure1"]

LAYERS = "first-last"


def figure1(request: Request) -> Reproduction:
    """Draw the sentences of STS-B, or of the captions, before and after the flow."""
    models, missing = encoders_of(ITEMS["figure1"], request)
    recipe = Recipe(dataset="stsb", layers=LAYERS, seed=request.seed)
    try:
        request.lab.pairs(recipe)
    except InputError as error:
        recipe = recipe.with_(dataset=Recipe.dataset)
        missing += (f"{Recipe.dataset} stands in for STS-B: {error}.",)
    cones = {
        model: cone(recipe.with_(model=model), request.lab, ("identity", FLOW), (LAYERS,))
        for model in models
    }
    return Reproduction(
        columns=("mean length", "random cosine", "rho x 100"),
        lines=tuple(
            Line(Origin.OURS, model, row["calibrator"], _cells(row))
            for model, found in cones.items()
            for row in found.rows
        ),
        recipe=tuple(f"{_caption(found)}." for found in cones.values()),
        missing=missing,
        figures=lambda: {
            f"{model}_sentences": cone_figure(found, found.rows) for model, found in cones.items()
        },
    )


def _caption(found: Report) -> str:
    return f"{found.facts['n_pairs']:,} pairs; {LAYERS}; {found.params.caption()}"


def _cells(row: Row) -> tuple[Cell, ...]:
    rho = None if row["rho"] is None else 100 * row["rho"]
    return number(row["mean_length"]), number(row["random_cosine"]), number(rho)
