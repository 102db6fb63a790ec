"""Reproduce the paper's tables and figures by presets of the studies.

Each item has a function that returns its rows (see `paper_latex`), remarks on our numbers and on
missing data or weights, and functions that draw its figures.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from bertflow_core.calibrators.spec import BASELINE, Spec
from bertflow_core.datasets.locations import data_root
from bertflow_core.datasets.word_counts import FOLDER, VOCABULARY
from bertflow_core.encoders.catalog import folder_here
from bertflow_core.errors import InputError
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import Value
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Row
from bertflow_core.report.result import Result
from bertflow_core.report.study import study
from bertflow_core.studies.lexical.bias import DISTANCE, GOLD, LexicalRecipe, texts_of
from bertflow_core.studies.lexical.study import lexical, panels
from bertflow_core.studies.published import printed_table
from bertflow_core.studies.reproduce.correlations import on_sts, table4, table5, table8
from bertflow_core.studies.reproduce.headlines import headline
from bertflow_core.studies.reproduce.items import (
    FIRST_LAST,
    FLOW,
    PUBLISHED,
    PaperParams,
    times_100,
)
from bertflow_core.studies.reproduce.latex import paper_latex
from bertflow_core.studies.space.cone import cone, cone_figure
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.studies.words.study import words


def _columns(params: PaperParams) -> tuple[Column, ...]:
    headings = (Column(each, format=".2f", ends=True) for each in params.about.columns)
    return (Column("by"), Column("encoder"), Column("row"), *headings)


@study(
    "reproduce",
    PaperParams,
    _columns,
    title="What did the paper measure, and what do we?",
    figures=lambda report: {key.replace("/", "-"): draw for key, draw in report.objects.items()},
    command="bertflow-lab reproduce",
)
def reproduce(params: PaperParams, lab: Lab) -> Result:
    """Reproduce a table or figure of the paper, and list the published rows with ours.

    Remarks report missing data or weights; the rest is measured.
    """
    encoder, note = params.about.encoder or Recipe.model, ""
    if not params.models and folder_here(encoder) is None:
        note = (
            f"The weights of {encoder} are not on this machine, so the built-in model "
            f"{Recipe.model} is measured instead. --model {encoder} fetches them."
        )
        encoder = Recipe.model
    found = _MAKERS[params.item](params.with_(models=params.models or (encoder,)), lab)
    short = remarks_of(Kind.HEADLINE, headline(params.item, found.rows))
    remarks = [*short, *remarks_of(Kind.MISSING, note), *found.remarks]
    remarks.sort(key=lambda each: each.kind is Kind.MISSING)
    remarks += remarks_of(Kind.METHOD, *params.about.differences)
    return replace(found, remarks=remarks, latex=paper_latex)


def _table1(params: PaperParams, lab: Lab) -> Result:
    counts, remarks = VOCABULARY, list[Remark]()
    with suppress(InputError):  # no data folder
        root = data_root(lab.data_dir)
        files = sorted((root / FOLDER).glob("*.txt")) if root else []
        counts = str(files[0]) if files else VOCABULARY
    if counts == VOCABULARY:
        remarks += remarks_of(
            Kind.MISSING,
            f"The data folder has no {FOLDER}/*.txt, so ranks are positions in the model's "
            "vocabulary, which lists words by frequency.",
        )
    reports = {
        model: words(WordRecipe(model=model, counts=counts, seed=params.seed), lab)
        for model in params.models
    }
    rows: list[Row] = []
    for printed in printed_table(1)["rows"]:
        measure, label = printed["measure"], printed["label"]
        rows.append(params.row("BERT", label, *printed["values"], by=PUBLISHED))
        for model, report in reports.items():
            rows.append(params.row(model, label, *(row[measure] for row in report.rows)))
    remarks += remarks_of(Kind.METHOD, *(each.text(Kind.METHOD) for each in reports.values()))
    return Result(rows, remarks)


def _table7(params: PaperParams, lab: Lab) -> Result:
    (step,) = Spec(FLOW).steps
    preset = {name: _as_text(value) for name, value in step.resolved().items()}
    adam = (f"{name} {preset[name]}" for name in ("bias_correction", "weight_decay", "clip_norm"))
    # The only coupling here is additive.
    others = {"Adam": f"Adam, {', '.join(adam)}", "additive": "additive"}
    rows: list[Row] = []
    for row in (*printed_table(7)["rows"], *printed_table(7)["text"]):
        rows.append(params.row("BERT", row["label"], row["value"], by=PUBLISHED))
        linear = others.get(row["value"], "3 linear layers, added to the second half")
        rows.append(params.row(FLOW, row["label"], preset.get(row["parameter"], linear)))
    return Result(rows, remarks_of(Kind.METHOD, f"Our values are the parameters of {FLOW}."))


def _as_text(value: Value) -> str:
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _figure2(params: PaperParams, lab: Lab) -> Result:
    """Correlate similarity with edit distance and gold, for Table 6 and Figure 2."""
    protocol = LexicalRecipe(dataset="stsb", split="dev", layers=FIRST_LAST, seed=params.seed)
    paper = printed_table(6)
    rows: list[Row] = [
        params.row("BERT", row["label"], row[DISTANCE], row[GOLD], by=PUBLISHED)
        for row in paper["rows"]
    ]
    about = f"The rho of gold with edit distance is {' and '.join(texts_of(paper))}."
    remarks, drawn = remarks_of(Kind.METHOD, about), dict[str, Any]()
    for model in params.models:
        try:
            report = lexical(protocol.with_(model=model), lab, (BASELINE, FLOW))
        except InputError as error:
            remarks.append(Remark(Kind.MISSING, f"{model} is not measured: {error}."))
            continue
        remarks += remarks_of(
            Kind.METHOD,
            f"Spearman's rho x 100 of {report.facts['n_pairs']:,} pairs; "
            f"{report.params.caption()}; edit distance in {protocol.unit} units; pairs at most "
            f"{protocol.threshold} apart are green.",
        )
        induced = {GOLD: "Gold", BASELINE: f"{model}-induced", FLOW: "Flow-induced"}
        for name, label in induced.items():
            found = report.row(similarity=name)
            ours = params.row(model, f"{label} similarity", None, 100.0)  # gold agrees with itself
            for heading, key in zip(params.about.columns, (DISTANCE, GOLD), strict=True):
                for end in ("", "_low", "_high") if key in found else ():
                    ours[heading + end] = times_100(found[key + end])
            rows.append(ours)
        if params.item == "figure2":
            drawn[f"figure2_{model}_similarity"] = partial(panels, report.objects["bias"])
    return Result(rows, remarks, objects=drawn)


def _figure1(params: PaperParams, lab: Lab) -> Result:
    recipe = Recipe(dataset="stsb", layers=FIRST_LAST, seed=params.seed)
    rows, remarks, drawn = list[Row](), list[Remark](), dict[str, Any]()
    try:
        lab.data(recipe)
    except InputError as error:
        recipe = recipe.with_(dataset=Recipe.dataset)
        text = f"{Recipe.dataset} is used instead of STS-B: {error}."
        remarks.append(Remark(Kind.MISSING, text))
    for model in params.models:
        found = cone(recipe.with_(model=model), lab, (BASELINE, FLOW), (FIRST_LAST,))
        for row in found.rows:
            numbers = row["mean_length"], row["random_cosine"], times_100(row["rho"])
            rows.append(params.row(model, row["calibrator"], *numbers))
        about = f"{found.facts['n_pairs']:,} pairs; {FIRST_LAST}; {found.params.caption()}."
        if not drawn:  # of the first model
            remarks += remarks_of(Kind.HEADLINE, found.text(Kind.HEADLINE))
        remarks.append(Remark(Kind.METHOD, about))
        drawn[f"figure1_{model}_sentences"] = partial(cone_figure, found.facts["pairs"], found.rows)
    return Result(rows, remarks, objects=drawn)


_MAKERS: dict[str, Callable[[PaperParams, Lab], Result]] = {
    "table1": _table1,
    "table2": on_sts,
    "table3": on_sts,
    "table4": table4,
    "table5": table5,
    "table6": _figure2,
    "table7": _table7,
    "table8": table8,
    "figure1": _figure1,
    "figure2": _figure2,
}
