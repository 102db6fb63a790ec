"""Does calibration help retrieval? Rank documents for queries, by layer and calibrator."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.analysis.isotropy import hubness
from bertflow_core.analysis.sides import gap_of_sides
from bertflow_core.arrays.linalg import centred, unit_rows
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.spec import BASELINE, DEFAULT_SPECS
from bertflow_core.datasets.collection import BUILT_IN, Collection
from bertflow_core.datasets.corpus import TARGET
from bertflow_core.encoders.given import WORDS
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, compare, mean_scores
from bertflow_core.evaluation.retrieval import (
    DEEP,
    MEASURES,
    SIMILARITIES,
    TOP,
    measured,
    own_rows,
    ranking,
)
from bertflow_core.figures import Figure, score_by_dataset
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.runtime import context
from bertflow_core.wording import percent, quoted

_NAMED = 5
"""Largest number of queries that are listed as won, and as lost."""


@dataclass(frozen=True, kw_only=True)
class RetrievalRecipe(Recipe):
    """The choices that decide how well documents are found."""

    dataset: str = param(
        BUILT_IN,
        "The built-in questions, or a folder or .zip in BEIR's layout (corpus, queries, "
        "qrels/SPLIT).",
        title="Data",
    )
    similarity: str = param(
        "cosine", "cosine, dot product, or CSLS (cosine corrected for hubs).", choices=SIMILARITIES
    )


def _figure(report: Report) -> Figure:
    names = [*report.by("vectors")]
    specs = [*report.by("calibrator")]
    found = {(row["calibrator"], row["vectors"]): row["ndcg"] for row in report.rows}
    scores = {spec: [found.get((spec, name)) for name in names] for spec in specs}
    figure = score_by_dataset(scores, names, specs, title="nDCG@10 x 100")
    return figure.update_xaxes(title="vectors")


_COLUMNS = (
    Column("vectors"),
    Column("calibrator"),
    Column("ndcg", "nDCG@10", ".2f", times=100, ends=True),
    *(Column(key, label, ".1f", times=100) for key, label in [*MEASURES.items()][1:]),
    Column("change", "", "+.2f", "difference of nDCG@10 from the uncalibrated vectors", 100, True),
    Column("to_plain", f"to {PLAIN}", "+.2f", f"difference of nDCG@10 from the {PLAIN}", 100, True),
    Column("won", help=f"queries whose nDCG@10 is above (won) or below (lost) the {PLAIN}'s"),
    Column("lost"),
    Column(
        "hubness", "hubs", ".1f", "skewness of how often a document is in a top 10 (0: no hubs)"
    ),
    Column("hub", help="the document that is in the largest number of top 10s, and this number"),
)


_OF_SIDES = (
    Column("vectors"),
    Column(
        "squared",
        "gap",
        ".4f",
        "squared distance between the mean query and the mean document, of vectors of length 1 "
        "unless ranked by dot product",
    ),
    Column(
        "share",
        "share %",
        ".1f",
        "the gap's share of the mean squared distance between a query and a document",
        100,
    ),
    Column(
        "ndcg",
        "nDCG@10 under centre-sides",
        ".2f",
        "after subtracting the mean of all queries from each query, and the mean of all documents "
        "from each document",
        times=100,
    ),
    Column("change", "", "+.2f", "difference from the uncalibrated vectors", 100, True),
)


@study(
    "retrieval",
    RetrievalRecipe,
    _COLUMNS,
    title="Does it help retrieval?",
    figures=lambda report: {"retrieval": lambda: _figure(report)},
    calibrators=DEFAULT_SPECS,
    baseline=True,
    layers=True,
    every_layer=True,
    plain=True,
    needs=WORDS,
    without=("metric", "aggregation", "sentence1", "sentence2", "score", "subset", "scale"),
)
def retrieval(
    recipe: RetrievalRecipe, lab: Lab, calibrators: Specs, layers: Sequence[str]
) -> Result:
    """Rank documents by similarity to each query; calibrators are fitted on documents alone."""
    collection = lab.pairs(recipe)
    if not isinstance(collection, Collection):
        raise InputError(
            f"{quoted(recipe.dataset)} is not a collection to search: choose questions, or a "
            "folder or .zip in BEIR's layout"
        )
    n, n_queries = len(collection.documents), len(collection.queries)
    asked = recipe.each(layers=layers, calibrators=[BASELINE])
    recipes, why_no_plain = lab.with_plain(asked)
    rows: list[dict[str, Any]] = []
    values: list[dict[str, FloatArray]] = []
    gaps: list[dict[str, Any]] = []
    embedded_as: list[Recipe] = []
    remarks = remarks_of(Kind.MISSING, why_no_plain)
    ids = [*collection.documents]
    own_documents = own_rows(collection.queries, ids)

    def searched(queries: FloatArray, documents: FloatArray) -> np.ndarray:
        return ranking(queries, documents, recipe.similarity, own=own_documents)

    every = lab.embedded([each.base() for each in recipes])
    for each, found in zip(recipes, every, strict=True):
        embedded_as.append(own := each.with_(revision=found.recipe.revision))
        remarks += remarks_of(Kind.METHOD, found.sides_remark)
        for spec in calibrators if each in asked else (BASELINE,):
            context.check_cancelled()
            evaluation = found.under(spec, device=lab.device)
            z = evaluation.calibrator.transform(found.x_texts)
            ranked = searched(*collection.compared(z))
            values.append(measured(ranked, ids, collection.grades))
            if evaluation.ranks_nothing:
                values[-1] = {key: np.full(n_queries, np.nan) for key in values[-1]}
            rows.append({"vectors": own.vectors, "layers": own.layers, "calibrator": spec})
            rows[-1] |= {key: _mean(found) for key, found in values[-1].items()}
            rows[-1] |= _hubs(ranked[:, :TOP], ids)
            if spec == BASELINE and n_queries > 1 and not evaluation.ranks_nothing:
                exact = z.astype(np.float64) if recipe.similarity == "dot" else unit_rows(z)
                q, d = collection.compared(exact)
                apart = measured(searched(centred(q), centred(d)), ids, collection.grades)["ndcg"]
                scores = mean_scores({"": values[-1]["ndcg"], "apart": apart}, seed=recipe.seed)
                change = compare({"": (scores[""], scores["apart"])}, N_DRAWS)[""]
                gaps.append({"vectors": own.vectors, **gap_of_sides(q, d)._asdict()})
                gaps[-1] |= {"ndcg": change.after, **change.exact_columns("change")}
            notes = [f"{own.layers} {spec}: {note}." for note in evaluation.notes]
            remarks += fit_remarks(notes, own)
    ndcg = [found["ndcg"] for found in values]
    _compare(rows, ndcg, recipe.seed)
    of_sides = Table(_OF_SIDES, gaps, "The gap between queries and documents")
    facts = {"n_queries": n_queries, "n_documents": n, "n_unjudged": collection.n_unjudged}
    return Result(
        rows,
        [
            *remarks,
            *_about(recipe, collection, len(own_documents), gaps),
            Remark(Kind.ANSWER, _answer(rows)),
        ],
        recipes=embedded_as,
        tables=[each for each in (of_sides, _named(rows, ndcg, collection)) if each.rows],
        facts=facts,
    )


def _about(
    recipe: RetrievalRecipe, collection: Collection, n_own: int, gaps: Sequence[Row]
) -> list[Remark]:
    """Say what was ranked and how; `n_own` queries have the id of a document."""
    n_unjudged = collection.n_unjudged
    left = f" ({n_unjudged:,} without a relevant document are left out)" if n_unjudged else ""
    own = (
        f"{n_own:,} queries have the id of a document, which is left out of their ranking, as in "
        "BEIR and MTEB."
    )
    return remarks_of(
        Kind.METHOD,
        f"For {len(collection.queries):,} queries{left}, {len(collection.documents):,} documents "
        f"are ranked by {recipe.similarity}. Ties are broken by id.",
        own if n_own else "",
        *map(_of_gap, gaps[:1]),
        f"The 95 % intervals use {N_DRAWS:,} resamples of the queries. MAP is computed on the top "
        f"{DEEP}.",
        "Calibrators are fitted on the documents alone." if recipe.fit_on == TARGET else "",
    )


def _mean(values: FloatArray) -> float | None:
    return None if np.isnan(values).any() else float(values.mean())


def _answer(rows: Sequence[Row]) -> str:
    """Compare the best row with the plain output."""
    best = max(rows, key=lambda row: row["ndcg"] or 0.0)
    if best["ndcg"] is None:
        return "No choice has a score, since cosines differ only by rounding error."
    name = f"{best['vectors']} under {best['calibrator']}"
    name = name.replace(f"{PLAIN} under {BASELINE}", f"the {PLAIN}")
    if best.get("to_plain") is None:
        return f"The best nDCG@10 is that of {name}: {percent(best['ndcg'])}."
    ends = f"{100 * best['to_plain_low']:+.2f} to {100 * best['to_plain_high']:+.2f}"
    return (
        f"The best nDCG@10 of {len(rows)} choices is that of {name}: {percent(best['ndcg'])}, "
        f"against {percent(best['ndcg'] - best['to_plain'])} for the {PLAIN} (95 % interval of "
        f"the difference {ends}, not adjusted for choosing the best)."
    )


def _of_gap(gap: Row) -> str:
    """Say how far apart the sides are, and what centring them does."""
    low, high = (100 * gap[f"change_{end}"] for end in ("low", "high"))
    return (
        f"In {gap['vectors'].replace(PLAIN, f'the {PLAIN}')}, the gap between queries and "
        f"documents is {100 * gap['share']:.1f} % of their mean squared distance. Subtracting the "
        f"mean of each side (centre-sides) changes nDCG@10 by {100 * gap['change']:+.2f} (95 % "
        f"interval {low:+.2f} to {high:+.2f})."
    )


def _hubs(firsts: np.ndarray, names: Sequence[str]) -> dict[str, Any]:
    """Return the hubness of the top 10s, and the document that is in most of them."""
    counts = np.bincount(firsts.ravel(), minlength=len(names))
    skewness = hubness(firsts, len(names))
    return {"hubness": skewness, "hub": f"{names[int(counts.argmax())]} ({counts.max()})"}


def _compare(rows: list[dict[str, Any]], ndcg: Sequence[FloatArray], seed: int) -> None:
    """Add intervals and changes to the rows, by a paired bootstrap of the queries."""
    plain = next((i for i, row in enumerate(rows) if row["vectors"] == PLAIN), None)
    raw = {
        row["layers"]: i for i, row in reversed([*enumerate(rows)]) if row["calibrator"] == BASELINE
    }
    scores = mean_scores(dict(enumerate(ndcg)), seed=seed)
    against = {"change": {i: raw[row["layers"]] for i, row in enumerate(rows)}}
    against["to_plain"] = {} if plain is None else dict.fromkeys(range(len(rows)), plain)
    for i, row in enumerate(rows):
        row["ndcg_low"], row["ndcg_high"] = scores[i].interval()
        if plain not in (None, i) and row["ndcg"] is not None:
            gains = ndcg[i] - ndcg[plain]
            row["won"], row["lost"] = (int((side * gains > 0).sum()) for side in (1, -1))
    for name, befores in against.items():
        family = {i: (scores[before], scores[i]) for i, before in befores.items() if before != i}
        for i, each in compare(family, N_DRAWS).items():
            rows[i] |= each.exact_columns(name)


def _named(
    rows: Sequence[Mapping[str, Any]], ndcg: Sequence[FloatArray], collection: Collection
) -> Table:
    """Return the queries that gain most and lose most from the first row to the best row."""
    best = max(range(len(rows)), key=lambda i: (rows[i]["ndcg"] or 0.0, -i))
    difference = ndcg[best] - ndcg[0]
    order, ids = np.argsort(-difference, kind="stable"), [*collection.queries]
    chosen = dict.fromkeys([*order[:_NAMED], *order[-_NAMED:]])
    titles = [f"{row['vectors']} {row['calibrator']}" for row in (rows[0], rows[best])]
    columns = (
        Column("query"),
        Column("text", format=".60"),
        Column("before", "", ".2f"),
        Column("after", "", ".2f"),
    )
    return Table(
        columns,
        [
            {"query": ids[i], "text": collection.queries[ids[i]]}
            | {"before": float(ndcg[0][i]), "after": float(ndcg[best][i])}
            for i in chosen
            if abs(difference[i]) > 0  # not NaN
        ],
        f"Queries won and lost, nDCG@10: {titles[0]} to {titles[1]}",
    )
