"""Table 5: standard normalization, removed directions and the flow on STS-B."""

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison.paper_layouts import PAPER_LAYOUTS
from bertflow_core.studies.reproduce.intervals import intervals_of, percent_of
from bertflow_core.studies.reproduce.items import ITEMS
from bertflow_core.studies.reproduce.published import printed_lines
from bertflow_core.studies.reproduce.request import FLOW, Request, encoders_of
from bertflow_core.studies.reproduce.result import Line, Origin, Reproduction, number
from bertflow_core.studies.sweeps import Splits, prepare_splits, sweep_null_top_k, sweep_spec

__all__ = ["table5"]

KS = tuple(range(1, 21))
"""Among which the paper chooses k on the validation set."""


def table5(request: Request) -> Reproduction:
    """Make Table 5 again; k is chosen on dev."""
    models, missing = encoders_of(ITEMS["table5"], request)
    layout = PAPER_LAYOUTS["5"]
    lines = printed_lines(layout)
    recipe = Recipe(dataset="stsb", layers="last", seed=request.seed)
    for model in models:
        try:
            splits = prepare_splits(recipe.with_(model=model), request.lab)
        except InputError as error:
            missing += (f"{model} is not measured: {error}.",)
            continue
        missing += () if splits.note is None else (splits.note,)
        lines += _lines(model, splits, request)
    shared = recipe.with_(model=models[0]).without("calibrator")
    return Reproduction(
        columns=("Correlation",),
        lines=tuple(lines),
        recipe=(
            f"Spearman's rho x 100 of cosine with gold, {shared.caption()}; k "
            "of the highest rho on dev, among 1 to 20.",
        ),
        missing=missing,
        is_best_bold=True,
    )


def _lines(model: str, splits: Splits, request: Request) -> list[Line]:
    """Measure the rows of one encoder."""
    methods = {
        model: "identity",
        "+ SN": "standardize",
        **_removals("+ NATSV", "null-top-k", splits),
        **_removals("+ SN + NATSV", "standardize+null-top-k", splits),
        f"{model}-flow (target)": FLOW,
    }
    results = {
        label: splits.scored.under(spec, device=request.lab.device)
        for label, spec in methods.items()
    }
    ends = intervals_of(
        {label: result.similarity for label, result in results.items()},
        splits.scored.pairs,
        splits.scored.recipe,
        request,
    )
    return [
        Line(
            Origin.OURS,
            model,
            label,
            (number(percent_of(result.rho), interval=ends[label]),),
        )
        for label, result in results.items()
    ]


def _removals(label: str, spec: str, splits: Splits) -> dict[str, str]:
    """Return the removal of one direction, and of as many as dev chooses."""
    ks = [k for k in KS if k < splits.scored.x_fit.shape[1]]
    if spec == "null-top-k":
        sweep = sweep_null_top_k(splits, ks)
    else:
        sweep = sweep_spec(splits, spec, "k", ks)
    shown = (1,) if sweep.chosen is None else (1, ks[sweep.chosen])
    return {f"{label} (k = {k})": f"{spec}:k={k}" for k in shown}
