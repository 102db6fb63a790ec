"""Table 6 and Figure 2: does cosine follow words or meaning on STS-B's development pairs?"""

from dataclasses import replace

from bertflow_core.datasets import Split
from bertflow_core.errors import InputError
from bertflow_core.evaluation.rank_matrix import Estimate
from bertflow_core.studies.lexical.bias import DISTANCE, GOLD, LexicalBias, LexicalRecipe
from bertflow_core.studies.lexical.published import printed_rows
from bertflow_core.studies.lexical.study import length_conclusions, lexical, panels
from bertflow_core.studies.reproduce.items import ITEMS, Item
from bertflow_core.studies.reproduce.request import FLOW, Request, encoders_of
from bertflow_core.studies.reproduce.result import Cell, Line, Origin, Reproduction, number

__all__ = ["figure2", "table6"]

COLUMNS = ("Edit distance", "Gold similarity")
_LABELS = {
    GOLD: "Gold similarity",
    "identity": "{}-induced similarity",
    FLOW: "Flow-induced similarity",
}


def table6(request: Request) -> Reproduction:
    """Make Table 6 again."""
    return replace(_measured(ITEMS["table6"], request), figures=dict)


def figure2(request: Request) -> Reproduction:
    """Make Figure 2 again, with the correlations of its panels."""
    return _measured(ITEMS["figure2"], request)


def _measured(item: Item, request: Request) -> Reproduction:
    models, missing = encoders_of(item, request)
    protocol = LexicalRecipe(
        dataset="stsb",
        split=str(Split.DEV),
        layers="first-last",
        seed=request.seed,
        n_draws=request.n_draws,
    )
    printed = printed_rows(protocol)
    lines = [
        Line(Origin.PUBLISHED, "BERT", row.label, (number(row.edit_distance), number(row.gold)))
        for row in printed
    ]
    texts = " and ".join(printed[0].texts)
    found: dict[str, LexicalBias] = {}
    for model in models:
        try:
            report = lexical(protocol.with_(model=model), request.lab, ("identity", FLOW))
            found[model] = report.live["bias"]
        except InputError as error:
            missing += (f"{model} is not measured: {error}.",)
    for model, bias in found.items():
        lines += _lines(model, bias)
    return Reproduction(
        columns=COLUMNS,
        lines=tuple(lines),
        recipe=(
            *(
                f"Spearman's rho x 100 of {len(bias.words.pairs):,} pairs; "
                f"{bias.recipe.without('calibrator', 'aggregation').caption()}; edit distance in "
                f"{bias.recipe.unit} units, green at most {bias.recipe.threshold}."
                for bias in found.values()
            ),
            f"Gold with edit distance is {texts}.",
            *(said for bias in found.values() for said in length_conclusions(bias)),
        ),
        missing=missing,
        figures=lambda: {f"{model}_similarity": panels(bias) for model, bias in found.items()},
    )


def _lines(model: str, bias: LexicalBias) -> list[Line]:
    return [
        Line(
            Origin.OURS,
            model,
            label.format(model),
            (
                _cell(bias.every.rho(name, DISTANCE)),
                number(100.0) if name == GOLD else _cell(bias.every.rho(name, GOLD)),
            ),
        )
        for name, label in _LABELS.items()
    ]


def _cell(estimate: Estimate) -> Cell:
    if estimate.value is None:
        return number(None)
    ends = estimate.low, estimate.high
    known = None if None in ends else (100 * (ends[0] or 0.0), 100 * (ends[1] or 0.0))
    return number(100 * estimate.value, interval=known)
