"""Figure 1: sentence embeddings before and after the flow, measured."""

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.studies.cone.measure import Cone, Opening, measure_cone
from bertflow_core.studies.cone.report import cone_figure
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
        model: measure_cone(
            recipe.with_(model=model),
            request.lab,
            layers=(LAYERS,),
            specs=("identity", FLOW),
        )
        for model in models
    }
    return Reproduction(
        columns=("mean length", "random cosine", "rho x 100"),
        lines=tuple(
            Line(Origin.OURS, model, opening.spec, _cells(opening))
            for model, cone in cones.items()
            for opening in cone.openings
        ),
        recipe=tuple(f"{_caption(cone)}." for cone in cones.values()),
        missing=missing,
        figures=lambda: {
            f"{model}_sentences": cone_figure(cone, cone.openings) for model, cone in cones.items()
        },
    )


def _caption(cone: Cone) -> str:
    return f"{cone.n_pairs:,} pairs; {cone.recipe.without('calibrator').caption()}"


def _cells(opening: Opening) -> tuple[Cell, ...]:
    rho = None if opening.rho is None else 100 * opening.rho
    return number(opening.mean_length), number(opening.random_cosine), number(rho)
