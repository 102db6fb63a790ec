"""Train a small language model, record it, calibrate its space, and check Eq. 3 of the paper."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.analysis.contexts import decompose, find_contexts, within
from bertflow_core.analysis.frequency import coordinate_rhos
from bertflow_core.analysis.isotropy import mean_cosine
from bertflow_core.arrays.sampling import sample_rows
from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets import Pairs
from bertflow_core.datasets.pairs import need_pairs
from bertflow_core.datasets.texts import need_targets
from bertflow_core.evaluation import RANDOM_COSINE, pairwise_cosine, random_pair_cosine, score_pairs
from bertflow_core.figures import Figure, equation_cloud, measures_by_layer, word_places
from bertflow_core.figures.words import PARTS
from bertflow_core.lab.evaluation import Embedded, Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, study
from bertflow_core.runtime import context
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.newborn.recording import (
    NORMS,
    LiveRecording,
    NewbornRecipe,
    bins_of,
    places,
    shown_ranks,
)
from bertflow_core.studies.space.cone import SPECS, cone_figure, openings

if TYPE_CHECKING:
    from bertflow_core.studies.newborn.model import Ids, NewbornModel

STORED = "results/newborn.json"
_SHOWN_POINTS = 200

_COLUMNS = (
    Column("step", format=","),
    Column("loss", format=".2f", help="mean of -log p(x|c) since the previous row, in nats"),
    Column("mean_cosine", "mean cos", ".2f", help="mean cosine of all pairs of word vectors"),
    Column(
        *("frequency_rho", "|rho freq|", ".2f"),
        help="|Spearman's rho| of word vectors' first singular coordinate with log frequency",
    ),
    Column("norm_to_50", "norm, 50 most frequent", ".2f"),
    Column("norm_to_1000", "norm, ranks to 1,000", ".2f"),
    Column("norm_rarer", "norm, rarer", ".2f"),
    Column("unused_norm", "norm, never occur", ".2f"),
    Column(
        *("rho", "rho x 100", ".2f"),
        times=100,
        help="Spearman's rho of sentences' cosines with gold scores",
    ),
    Column("random_cosine", "random cos", ".2f", help=RANDOM_COSINE),
)
_OF_SPACES = (
    Column("calibrator"),
    Column("rho_untrained", "rho x 100, untrained", ".2f", times=100),
    Column("rho", "rho x 100, trained", ".2f", times=100),
    Column("random_cosine_untrained", "random cos, untrained", ".2f"),
    Column("random_cosine", "random cos, trained", ".2f"),
)
_OF_EQUATION = (
    Column("model"),
    Column("pmi", "PMI", ".2f"),
    Column("log_p", "log p", ".2f"),
    Column("r2", "R2", ".2f"),
    Column("r2_pmi", "R2 of PMI alone", ".2f"),
    Column("r2_log_p", "R2 of log p alone", ".2f"),
    Column("n_pairs", "pairs", ","),
    Column("n_contexts", "contexts", ","),
)


def _pictures(report: Report) -> Pictures:
    return {
        "newborn-words": partial(_words_figure, report),
        "newborn-training": partial(_training_figure, report),
        "newborn-equation": partial(_equation_figure, report),
        "newborn-sentences": lambda: cone_figure(report, report.tables[0].rows),
    }


@study(
    "newborn",
    NewbornRecipe,
    _COLUMNS,
    title="How does a cone form?",
    figures=_pictures,
    calibrators=SPECS,
)
def newborn(recipe: NewbornRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Train a model from scratch, calibrate its sentence embeddings, and check Eq. 3."""
    return _measured(recipe, lab, calibrators, LiveRecording(recipe))


def train_newborn(recipe: NewbornRecipe, lab: Lab, live: LiveRecording) -> Report:
    """Run the study with the default calibrators, and record the training while it runs."""
    return newborn.report(_measured(recipe, lab, newborn.specs(()), live), recipe)


def stored_newborn() -> Report:
    """Return the result that ships with the package: captions under the default recipe."""
    document = json.loads(resource(STORED).read_text(encoding="utf-8"))
    return replace(newborn.read(document), tables=_tables(*document["tables"].values()))


def _measured(recipe: NewbornRecipe, lab: Lab, specs: Specs, live: LiveRecording) -> Result:
    """Train the model and return its measures.

    Training runs on the CPU, flows on the lab's device.
    """
    import torch

    from bertflow_core.studies.newborn.model import NewbornModel, learn_words, train

    asked = recipe.data()
    data, corpus = lab.load(asked)
    pairs = need_pairs(data, "the measures of training", gold=True)
    counts = learn_words(corpus.sentences, recipe.n_words)
    words, ranks = [*counts], shown_ranks(len(counts))
    live.facts = {
        "n_words": len(words),
        "words": [*(words[i] for i in ranks), *(f"[unused{i}]" for i in range(recipe.n_unused))],
        "counts": [*(counts[words[i]] for i in ranks), *[0] * recipe.n_unused],
    }
    model, untrained = NewbornModel(counts, recipe), NewbornModel(counts, recipe)
    every = [model.encode(each) for each in (corpus.sentences, pairs.first, pairs.second)]
    with context.renamed("steps of training"):
        for step, loss in train(model, torch.from_numpy(every[0]), recipe):
            table = model.rows()[-len(words) - recipe.n_unused :]
            row = {"step": step, "loss": round(loss, 4), **_of_words(table, model.counts)}
            row |= _of_sentences(pairs, *map(model.sentence_vectors, every[1:]))
            shown = [*ranks, *range(len(words), len(table))]
            live.frames.append((row, table[shown]))
    rows, facts = live.seen()

    def evaluations(of: NewbornModel) -> list[Evaluation]:
        x_fit, *sides = map(of.sentence_vectors, every)
        embedded = Embedded(
            recipe=asked.with_(model="newborn", layers="last"),
            data=pairs,
            corpus=corpus,
            x_fit=x_fit,
            x_texts=np.concatenate(sides),
            n_cut=0,
            n_sentences=len({*corpus.sentences, *pairs.texts}),
            encoder={"model": "newborn", "recipe": recipe.to_dict()},
            seconds=0.0,
        )
        return [embedded.under(spec, device=lab.device) for spec in specs]

    after, before = evaluations(model), evaluations(untrained)
    opened = openings(after)
    calibrated = [
        {**row, "rho_untrained": each.rho, "random_cosine_untrained": each.random_cosine}
        for row, each in zip(opened.rows, before, strict=True)
    ]
    found, points = _equation(model, every[0], recipe)
    control, _ = _equation(untrained, every[0], recipe)
    equation = [{"model": "untrained", **control}, {"model": "trained", **found}]
    return Result(
        rows,
        remarks_of(Kind.METHOD, f"{len(pairs):,} scored pairs."),
        tables=_tables(calibrated, equation),
        facts={**facts, **opened.facts, "points": points},
    )


def _tables(spaces: Sequence[Row], equation: Sequence[Row]) -> tuple[Table, Table]:
    of_spaces = (
        "Sentence embeddings are means of context embeddings; calibrators are fitted on all of "
        "them. The control is the untrained network with its random initial weights."
    )
    of_equation = (
        "Least squares fit of Eq. 3 of Li et al. (2020), h_c . w_x = a PMI(x, c) + b log p(x) + "
        "lambda_c. A model that reproduces all counts has a = b = 1. Only contexts (the words "
        "around a gap) with at least 30 occurrences are used, and words with at least 3 in a "
        "context. R2 is within contexts."
    )
    return (
        Table(_OF_SPACES, spaces, "spaces", remarks_of(Kind.METHOD, of_spaces)),
        Table(_OF_EQUATION, equation, "equation", remarks_of(Kind.METHOD, of_equation)),
    )


def _of_words(table: FloatArray, counts: "Ids") -> Row:
    """Measure the word vectors, sorted by frequency; words that never occur come last."""
    x, unused = np.split(table, [len(counts)])
    norms = np.linalg.norm(x, axis=1)
    bins = [norms[low:high].mean() for low, high in bins_of(len(x))]
    return _rounded(
        mean_cosine=mean_cosine(x),
        frequency_rho=coordinate_rhos(x, np.log10(counts / counts.sum()), n_coordinates=1)[0],
        **dict(zip_longest(NORMS, bins)),
        unused_norm=np.linalg.norm(unused, axis=1).mean() if len(unused) else None,
    )


def _of_sentences(pairs: Pairs, first: FloatArray, second: FloatArray) -> Row:
    scores = score_pairs(pairwise_cosine(first, second), need_targets(pairs), pairs.subsets)
    random = random_pair_cosine(np.concatenate([first, second]))
    return _rounded(rho=scores.spearman.all, random_cosine=random)


def _rounded(**found: float | None) -> dict[str, float | None]:
    return {k: None if value is None else round(float(value), 4) for k, value in found.items()}


def _equation(
    model: "NewbornModel", ids: "Ids", recipe: NewbornRecipe
) -> tuple[dict[str, Any], list[Row]]:
    """Check Eq. 3; return the regression and some of its points.

    A point is a word x in a context c, the two neighbours of x. A neighbour is a word, [UNK] or an
    end of the sentence. `expected` is a * PMI(x, c) + b * log p(x) and `score` is h_c . w_x. Both
    are in nats, minus their mean over the context. h_c is the mean of h over the occurrences of c;
    the score is linear in h.
    """
    from bertflow_core.studies.newborn.model import PAD, SPECIAL

    end = -1
    contexts = find_contexts([[end, *row[row != PAD].tolist(), end] for row in ids])
    means = contexts.mean_states(model.masked_states(ids[contexts.rows], contexts.places - 1))
    score = np.einsum("pd,pd->p", means[contexts.pairs], model.rows()[contexts.words])
    found = decompose(score, contexts)
    expected = found.pmi * contexts.pmi + found.log_p * contexts.log_p
    across, up = within(expected, contexts.pairs), within(score, contexts.pairs)
    tokens = (*SPECIAL, *model.words, "|")  # index -1 is an end of the sentence
    points: list[Row] = []
    for i in sample_rows(len(score), _SHOWN_POINTS, seed=recipe.seed):
        left, right = contexts.names[contexts.pairs[i]]
        text = f"{tokens[left]} [{tokens[contexts.words[i]]}] {tokens[right]}"
        both = {"expected": round(float(across[i]), 3), "score": round(float(up[i]), 3)}
        points.append({"text": text, **both})
    return asdict(found), points


def _words_figure(report: Report) -> Figure:
    facts, step = report.facts, report.rows[-1]["step"]
    return word_places(places(facts, -1), facts["counts"], facts["words"], step=step)


def _training_figure(report: Report) -> Figure:
    last = report.rows[-1]
    course = {each.key: [row[each.key] for row in report.rows] for each in report.columns}
    labels = {each.key: each.header.removeprefix("norm, ") for each in report.columns}
    norms = [name for name in (*NORMS, "unused_norm") if last[name] is not None]
    parts = {
        "mean cosine of words": {"cosine": course["mean_cosine"]},
        "mean norm of word vectors": {labels[name]: course[name] for name in norms},
        "loss, nats": {"loss": course["loss"]},
        "|Spearman| of the first direction with frequency": {"rho": course["frequency_rho"]},
        "rho of cosines with gold scores": {"rho": course["rho"]},
        "mean cosine of random sentence pairs": {"cosine": course["random_cosine"]},
    }
    axis = "step of training"
    return measures_by_layer(parts, course["step"], axis=axis, colours=PARTS, across=2)


def _equation_figure(report: Report) -> Figure:
    """Draw h . w against a * PMI(x, c) + b * log p(x)."""
    points = report.facts["points"]
    expected, score, texts = ([each[k] for each in points] for k in ("expected", "score", "text"))
    return equation_cloud(expected, score, texts, r2=report.tables[1].rows[1]["r2"])
