"""Does calibration help my task? Similarity, search, classification and clustering side by side.

Every calibrator is compared with the model's plain output on the same pairs, queries or texts. The
tests are Holm-adjusted within a task.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from bertflow_core.calibrators.spec import DEFAULT_SPECS
from bertflow_core.datasets import LabelledTexts, Texts
from bertflow_core.datasets.collection import BUILT_IN
from bertflow_core.datasets.texts import ACCURACY, AUC, OF_QUERIES, OF_TEXTS, RHO, V_MEASURE
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, Comparison, metric_of
from bertflow_core.evaluation.comparison import compare_to
from bertflow_core.figures import Figure, changes_by_task
from bertflow_core.lab.comparable_scores import score_columns, scores_of
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import doubt_of_score
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Report, Row
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.studies.advice.places import verdict_of
from bertflow_core.studies.advice.rules import Advice
from bertflow_core.studies.scores import notes_of
from bertflow_core.wording import percent


class Task(NamedTuple):
    """A use of vectors, and the data that are needed to score it."""

    title: str
    metrics: tuple[str, ...]
    needs: str
    built_in: str = ""  # its data set that ships with the package


TASKS = (
    Task("Similarity", (RHO, AUC), "pairs with gold scores or labels", Recipe.dataset),
    Task("Search", OF_QUERIES, "queries and the documents that answer them", BUILT_IN),
    Task("Classification", (ACCURACY,), "a table of texts with labels"),
    Task("Clustering", (V_MEASURE,), "a table of texts with labels"),
)
RAW = "uncalibrated vectors"  # the baseline of a model without plain output
_OF_METRIC = {metric: task.title for task in TASKS for metric in task.metrics}


@dataclass(frozen=True, kw_only=True)
class TasksRecipe(Recipe):
    """The choices that decide what calibration changes in each task."""

    layers: str = param(
        PLAIN_LAYERS, "The vectors that are calibrated: model (the plain output), last or layer:k."
    )
    also: tuple[str, ...] = param(
        (),
        "Further data set, repeatable; by default captions and questions for the tasks that "
        "the first data set does not have.",
    )


def _figure(report: Report) -> Figure:
    found = groupby(report.rows, itemgetter("task", "metric", "dataset"))
    columns = {
        f"{task}\n{metric} x 100\n{dataset}": [*rows][1:] for (task, metric, dataset), rows in found
    }
    lacking = report.facts["missing"]
    change = itemgetter("change", "change_low", "change_high", "change_significant")
    return changes_by_task(
        {title: [*map(change, rows)] for title, rows in columns.items()},
        [row["row"] for row in next(iter(columns.values()))],
        missing={
            f"{task.title}\n{metric_of(task.metrics[0]).header}": lacking[task.title]
            for task in TASKS
            if task.title in lacking
        },
        against=report.rows[0]["row"],
    )


@study(
    "tasks",
    TasksRecipe,
    (
        Column("task"),
        Column("dataset", "data set"),
        Column("metric"),
        Column("vectors"),
        Column("calibrator"),
        Column("score", "score x 100", ".2f", times=100, ends=True),
        Column("change", "", "+z.2f", "difference from the first row of the task", 100, True),
        Column("change_p_holm", "p", "p", "of the change, Holm-adjusted within the task"),
    ),
    title="Does calibration help my task?",
    figures=lambda report: {"tasks": lambda: _figure(report)} if report.rows else {},
    calibrators=DEFAULT_SPECS,
    baseline=True,
)
def tasks(recipe: TasksRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Compare calibrators with the plain output on data of each task."""
    first = recipe.base()
    if len(calibrators) == 1 and first.plain in (None, first):
        raise InputError("name at least one calibrator to try, other than identity")
    found = recipe.with_(revision=lab.encoder(first).model.revision)
    rows, remarks, answers = list[Row](), list[Remark](), list[str]()
    for asked in [_on(first, name) for name in dict.fromkeys((first.dataset, *recipe.also))]:
        pairs = lab.pairs(asked)
        if pairs.targets is None:
            answers.append(f"{pairs.name} has {pairs.content}, so no task can use it.")
        else:
            measured = _measured(asked, lab, calibrators)
            rows, remarks = rows + measured[0], remarks + measured[1]
    missing: dict[str, str] = {}
    for task in TASKS:
        if any(row["task"] == task.title for row in rows):
            continue
        missing[task.title] = f"Needs {task.needs}."
        if task.built_in and not recipe.also and recipe.source.has_words:
            try:
                measured = _measured(_on(first, task.built_in), lab, calibrators)
                rows, remarks = rows + measured[0], remarks + measured[1]
                del missing[task.title]
            except InputError as error:  # such as a library that is not installed
                missing[task.title] = str(error)
    order = [task.title for task in TASKS]
    rows.sort(key=lambda row: order.index(row["task"]))
    answers += [row["answer"] for row in rows if "answer" in row]
    about = (
        f"Changes are tested by a paired bootstrap ({N_DRAWS:,} resamples of the pairs, queries or "
        "texts), Holm-adjusted within the task."
    )
    return Result(
        rows,
        [*remarks_of(Kind.ANSWER, *answers), *remarks, Remark(Kind.METHOD, about)],
        recipes=[found],
        facts={"missing": missing},
    )


def _on(recipe: Recipe, dataset: str) -> Recipe:
    return recipe if dataset == recipe.dataset else recipe.on(dataset).with_(split=Recipe.split)


def _measured(recipe: Recipe, lab: Lab, specs: Specs) -> tuple[list[Row], list[Remark]]:
    """Score a data set under each of its metrics: the plain output, then each calibrator."""
    asked = recipe.each(calibrators=specs)
    recipes, why_no_plain = lab.with_plain(asked)
    found = [*lab.evaluations(recipes)]
    evaluations = found[len(recipes) - len(asked) :]
    embedded = evaluations[0].embedded
    pairs = embedded.pairs
    plain = next((each for each in found if each.recipe == each.recipe.plain), None)
    name, base = (RAW, evaluations[0]) if plain is None else (PLAIN, plain)
    label = "" if evaluations[0].recipe.vectors == base.recipe.vectors else f"{recipe.vectors} "
    others = (each for each in evaluations if each is not base)
    every = {name: base, **{f"{label}{each.spec}": each for each in others}}
    rows, remarks = list[Row](), list[Remark]()
    for metric in OF_TEXTS if isinstance(pairs, LabelledTexts) else [pairs.metric]:
        own = pairs.scored_by(metric)
        rows += _compared(every, own)
        seen = replace(embedded, pairs=own).seen_remark
        about = f"{metric_of(metric).title} x 100 {metric_of(metric).meaning}. {seen}"
        remarks.append(Remark(Kind.METHOD, about))
    about = f"{pairs.title}: {pairs.size}, fitted on {embedded.corpus.description}"
    return rows, [
        *remarks,
        Remark(Kind.METHOD, about),
        *remarks_of(Kind.MISSING, why_no_plain),
        *fit_remarks((f"{pairs.name}: {note}" for note in notes_of(evaluations)), recipe),
    ]


def _compared(every: Mapping[str, Evaluation], pairs: Texts) -> Iterator[Row]:
    """Yield the rows of one metric. The first, of the plain output, has the task's summary."""
    (keep, base), metric = next(iter(every.items())), metric_of(pairs.metric)
    units = {  # a different metric needs no new fit
        name: replace(each, embedded=replace(each.embedded, pairs=pairs)).unit_values
        for name, each in every.items()
    }
    scores = scores_of(units, pairs, base.recipe)
    changes = compare_to(keep, scores, N_DRAWS)
    task = _OF_METRIC[metric.name]
    doubt = doubt_of_score(scores[keep].value, pairs, metric)
    said = f"{task} ({metric.header} on {pairs.name}): {doubt or _verdict(changes, keep)}"
    for name, each in every.items():
        yield {
            "task": task,
            "dataset": pairs.name,
            "metric": metric.word,
            "vectors": each.recipe.vectors if each.recipe.source.has_layers else "as given",
            "calibrator": each.spec,
            "row": name,
            **score_columns(scores[name], changes.get(name)),
            **({"answer": said} if name == keep else {}),
        }


def _verdict(changes: Mapping[str, Comparison], keep: str) -> str:
    """Recommend the calibrator of the largest significant gain, or none."""
    known = {name: each.difference for name, each in changes.items() if each.difference is not None}
    if not known:
        return f"no calibrator has a score; keep the {keep}."
    gains = [name for name in known if verdict_of(changes[name]) is Advice.GO]
    best = max(gains or known, key=lambda name: known[name])
    change = changes[best]
    ends = f"{change.text(times=100)}, 95 % interval {change.interval_text(times=100)}"
    within = f"from {percent(change.before)} to {percent(change.after)} ({ends})"
    return {
        Advice.GO: f"{best} raises it {within}; calibrate.",
        Advice.STOP: f"even the best, {best}, lowers it {within}; keep the {keep}.",
        Advice.CAUTION: f"no calibrator raises {percent(change.before)} significantly; the best, "
        f"{best}, gives {percent(change.after)} ({ends}), so keep the {keep}.",
    }[verdict_of(change)]
