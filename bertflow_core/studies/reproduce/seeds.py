"""Table 8: how much rho on STS-B depends on the seed."""

import json
from functools import cache
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.evaluation.inference import SeedSummary, summarize_seeds
from bertflow_core.files import resource
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison import Comparison, Grid, Row, compare
from bertflow_core.studies.reproduce.items import ITEMS
from bertflow_core.studies.reproduce.request import FLOW, Request, encoders_of
from bertflow_core.studies.reproduce.result import Cell, Line, Origin, Reproduction
from bertflow_core.wording import counted

__all__ = ["table8"]

N_SEEDS = 5
"""Of the paper, and ours where fewer are asked for."""

_FLOW = "-last2avg + flow-target"


def table8(request: Request) -> Reproduction:
    """Make Table 8 again: over models where several are named, else over seeds of the flow."""
    models, missing = encoders_of(ITEMS["table8"], request)
    n_seeds = 1 if len(models) > 1 else max(request.n_seeds, N_SEEDS)
    printed = _table()
    lines = [
        Line(Origin.PUBLISHED, "BERT-NLI-large", row["label"], (_cell(row),))
        for row in printed["rows"]
    ]
    n_fits = counted(n_seeds, "seed")
    varied = f"{len(models)} models" if len(models) > 1 else f"{n_fits} of the flow"
    group = "ours" if len(models) > 1 else models[0]
    try:
        rhos = _rhos(models, n_seeds, request)
    except InputError as error:
        missing += (f"{group} is not measured: {error}.",)
    else:
        lines += [
            Line(Origin.OURS, group, f"{group}{suffix}", (_cell(_summary(values)),))
            for suffix, values in rhos.items()
        ]
    return Reproduction(
        columns=("Spearman's rho",),
        lines=tuple(lines),
        recipe=(
            "Spearman's rho x 100 on STS-B's test pairs, mean and standard deviation over "
            f"{varied} (published: {printed['n_seeds']} seeds of the fine-tuning).",
        ),
        missing=missing,
    )


def _rhos(models: tuple[str, ...], n_seeds: int, request: Request) -> dict[str, list[float]]:
    """Return rho x 100 of each model and seed, by method."""
    found = {}
    for layers, suffixes in (("last", ("",)), ("first-last", ("-last2avg", _FLOW))):
        comparison = compare(
            Grid(
                protocol=Recipe(dataset="stsb", seed=request.seed),
                models=models,
                layers=(layers,),
                calibrators=(FLOW,) if _FLOW in suffixes else ("identity",),
                datasets=("stsb",),
                n_seeds=n_seeds,
            ),
            request.lab,
        )
        for suffix in suffixes:
            spec = FLOW if suffix == _FLOW else "identity"
            found[suffix] = _of(comparison, models, layers, spec)
    return found


def _of(comparison: Comparison, models: tuple[str, ...], layers: str, spec: str) -> list[float]:
    rows = [Row(model, layers, Recipe.tokens, spec) for model in models]
    rhos = [rho for row in rows for rho in comparison.scores(row, "stsb")]
    return [100 * rho for rho in rhos if rho is not None]


def _summary(rhos: list[float]) -> dict[str, Any]:
    found: SeedSummary = summarize_seeds(rhos)
    return {"mean": found.mean, "sd": found.sd, "median": found.median}


def _cell(values: dict[str, Any]) -> Cell:
    """Write mean, standard deviation and median as printed; a single number has no spread."""
    mean, sd, median = values["mean"], values["sd"], values["median"]
    if sd is None:
        return Cell(f"{mean:.2f}", mean)
    return Cell(f"{mean:.2f} ± {sd:.2f} (median: {median:.2f})", mean)


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(resource("published_table8.json").read_text("utf-8"))
    return table
