"""Retrieval against trec_eval, sentence-transformers, numpy and by hand; refused collections."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
import pytrec_eval
import torch
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import cosine_similarity
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows

from bertflow_core.datasets import load_dataset
from bertflow_core.errors import InputError
from bertflow_core.evaluation.retrieval import measured, own_rows, ranking
from bertflow_core.lab.lab import Lab
from bertflow_core.report.remark import Kind
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.evaluate.study import evaluate
from bertflow_core.studies.retrieval import RetrievalRecipe, retrieval
from bertflow_core.studies.size import size

HEADER = "query-id\tcorpus-id\tscore"


@pytest.mark.parametrize("name", ["cosine", "dot"])
def test_documents_are_ranked_by_similarity_and_equal_ones_as_they_come(name):
    rng = np.random.default_rng(0)
    queries, documents = (rng.choice([-1.0, 1.0], (n, 16)) for n in (40, 260))
    documents *= rng.choice([1.0, 2.0], (260, 1))  # with ties, and lengths that a cosine ignores
    similar = queries @ documents.T if name == "dot" else cosine_similarity(queries, documents)
    expected = np.argsort(-similar.round(9), axis=1, kind="stable")[:, :100]
    np.testing.assert_array_equal(ranking(queries, documents, name), expected)


@pytest.mark.parametrize(("name", "score"), [("cosine", "cos_sim"), ("dot", "dot_score")])
def test_as_sentence_transformers_on_data_with_ties(name, score):
    from sentence_transformers import util  # late: every worker reads this file
    from sentence_transformers.sentence_transformer import evaluation

    rng = np.random.default_rng(0)
    n, n_queries, most = 260, 40, 130
    ids = [f"d{i}" for i in rng.permutation(n)]  # not in the order of their numbers
    documents = dict(zip(sorted(ids), rng.choice([-1.0, 1.0], (n, 16)), strict=True))
    queries = {f"q{i:02}": rng.choice([-1.0, 1.0], 16) for i in range(n_queries)}  # with ties
    relevant = {
        query: set(rng.choice(sorted(ids), size=most if i == 0 else 1 + i % 9, replace=False))
        for i, query in enumerate(queries)
    }

    def encode(texts, **_):
        known = {**documents, **queries}
        return torch.tensor(np.array([known[text] for text in texts]), dtype=torch.float32)

    theirs = evaluation.InformationRetrievalEvaluator(
        *({each: each for each in side} for side in (queries, documents)),
        relevant,
        precision_recall_at_k=[1, 10, 100],
        score_functions={name: getattr(util, score)},
        corpus_chunk_size=77,
    ).compute_all_metrics(SimpleNamespace(encode_query=encode, encode_document=encode))[name]
    grades = {query: dict.fromkeys(each, 1) for query, each in relevant.items()}
    ranked = ranking(np.array([*queries.values()]), np.array([*documents.values()]), name)
    ours = measured(ranked, [*documents], grades)
    names = {"ndcg": ("ndcg", 10), "mrr": ("mrr", 10)}
    names |= {f"recall_{k}": ("recall", k) for k in (1, 10, 100)}
    for key, (other, k) in names.items():
        assert ours[key].mean() == pytest.approx(theirs[f"{other}@k"][k], abs=1e-6), key
    n_relevant = np.array([len(each) for each in relevant.values()])
    assert n_relevant[0] > 100  # sentence-transformers divides by 100 there, trec_eval by all
    by_100 = ours["map"] * n_relevant / np.minimum(n_relevant, 100)
    assert by_100.mean() == pytest.approx(theirs["map@k"][100], abs=1e-6)


@pytest.mark.parametrize("n", [4, 60, 300])
def test_as_trec_eval_with_grades_of_every_kind_and_unjudged_documents(n):
    rng = np.random.default_rng(n)
    ids, n_queries = [f"d{i}" for i in range(n)], 30
    similar = rng.integers(0, 9, size=(n_queries, n)).astype(float)  # with ties
    k = min(100, n)
    ranked = np.argsort(-similar, axis=1, kind="stable")[:, :k]
    grades = {}
    for query in range(n_queries):
        judged = rng.choice(n, size=rng.integers(1, n), replace=False)
        grades[f"q{query}"] = {ids[i]: int(rng.choice([-2, -1, 0, 1, 3, 1000])) for i in judged}
        grades[f"q{query}"][ids[judged[0]]] = 1
    run = {
        query: {ids[place]: float(k - rank) for rank, place in enumerate(rows)}
        for query, rows in zip(grades, ranked, strict=True)
    }
    asked = {"ndcg_cut.10", "recip_rank", "recall.1,10,100", "map"}
    theirs = pytrec_eval.RelevanceEvaluator(grades, asked).evaluate(run)
    ours = measured(ranked, ids, grades)
    names = {key: key for key in ours} | {"ndcg": "ndcg_cut_10", "mrr": "recip_rank"}
    for key, name in names.items():
        expected = np.array([theirs[query][name] for query in grades])
        expected[(key == "mrr") & (expected < 0.1)] = 0
        np.testing.assert_allclose(ours[key], expected, rtol=0, atol=1e-12, err_msg=key)


def test_the_reciprocal_rank_ends_after_the_tenth_document():
    ids = [f"d{i:02}" for i in range(12)]
    grades = {f"q{i:02}": {name: 1} for i, name in enumerate(ids)}
    ranks = measured(np.tile(np.arange(12), (12, 1)), ids, grades)["mrr"]
    np.testing.assert_allclose(ranks, [*(1 / k for k in range(1, 11)), 0, 0], atol=1e-6)


def test_csls_is_its_formula_and_names_the_hub_less_often():
    rng = np.random.default_rng(1)
    queries, documents = rng.normal(size=(25, 5)), rng.normal(size=(60, 5))
    documents[7] = queries.mean(0)  # close to every query
    cosine = cosine_similarity(queries, documents)
    near = np.sort(cosine, axis=1)[:, -10:].mean(axis=1, keepdims=True)
    of = np.sort(cosine, axis=0)[-10:].mean(axis=0)
    expected = np.argsort(-(2 * cosine - near - of), axis=1)[:, :10]
    found = ranking(queries, documents, "csls", 10)
    np.testing.assert_array_equal(found, expected)
    assert (found == 7).sum() < (ranking(queries, documents, "cosine", 10) == 7).sum()


def collection(folder, **changes):
    tables = {
        "corpus.jsonl": [
            {"_id": "b", "title": "Cats", "text": "A cat sleeps.", "metadata": {}},
            {"_id": "a", "title": "", "text": "A dog runs."},
            {"_id": "c", "text": "Rain falls."},
        ],
        "queries.jsonl": [
            {"_id": "1", "text": "Which animal sleeps?"},
            {"_id": "2", "text": "What falls?"},
            {"_id": "3", "text": "Nobody judged this."},
        ],
        "qrels/test.tsv": [HEADER, "1\tb\t1", "2\tc\t2", "2\ta\t0"],
    }
    for name, rows in {**tables, **changes}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = rows if name.endswith("tsv") else map(json.dumps, rows)
        file.write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_a_folder_is_read_and_searched(tmp_path):
    questions = load_dataset("questions")
    assert (len(questions.queries), len(questions.documents)) == (700, 956)
    folder = collection(tmp_path)
    found = load_dataset(str(folder))
    assert found.documents == {"a": "A dog runs.", "b": "Cats A cat sleeps.", "c": "Rain falls."}
    assert (found.n_unjudged, [*found.queries]) == (1, ["1", "2"])
    assert found.grades == {"1": {"b": 1}, "2": {"c": 2, "a": 0}}
    recipe = RetrievalRecipe(dataset=str(folder), layers="model")
    report = retrieval(recipe, Lab(device="cpu"), ["identity"], ["model"])
    (row,) = report.rows
    assert (row["vectors"], row["ndcg"], row["recall_1"]) == ("plain output", 1.0, 1.0)
    assert "1 without a relevant document" in report.text()


def test_changes_are_differences_over_the_same_queries(tiny_bert, tmp_path):
    n, lab, specs = 60, Lab(device="cpu"), ["identity", "null-top-k:k=6", "standardize"]
    queries, others, *_ = zip(*pair_rows(n), strict=True)
    documents = [f"{query} {other}" for query, other in zip(queries, others, strict=True)]
    tables = {
        "corpus.jsonl": [{"_id": f"d{i}", "text": text} for i, text in enumerate(documents)],
        "queries.jsonl": [{"_id": f"q{i}", "text": text} for i, text in enumerate(queries)],
        "qrels/test.tsv": [HEADER, *(f"q{i}\td{i}\t1" for i in range(n))],
    }
    folder, model = str(collection(tmp_path, **tables)), str(tiny_bert)
    recipe = RetrievalRecipe(model=model, dataset=folder, layers="layer:2", max_length=MAX_TOKENS)
    report = retrieval(recipe, lab, specs, ["layer:2"])
    plain, raw, row, other = report.rows
    assert (plain["vectors"], raw["calibrator"]) == ("plain output", "identity")
    assert row["change"] == pytest.approx(row["ndcg"] - raw["ndcg"])
    assert row["to_plain"] == pytest.approx(row["ndcg"] - plain["ndcg"])
    for name in ("ndcg", "change", "to_plain"):
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]
    first, last = sorted((row, other), key=lambda each: each["change_p"])
    assert first["change_p_holm"] == min(1, 2 * first["change_p"])
    assert last["change_p_holm"] == max(first["change_p_holm"], last["change_p"])
    x = next(lab.vectors([recipe], (*documents, *queries))).x
    cosine = cosine_similarity(x[n:], x[:n])
    places = (cosine > cosine.diagonal()[:, None]).sum(axis=1)  # only document i is relevant
    gains = np.where(places < 10, 1 / np.log2(places + 2), 0)
    assert raw["ndcg"] == pytest.approx(gains.mean(), abs=1e-4)
    of_evaluate = evaluate(EvaluateRecipe.of(recipe.base()), lab, specs, ["layer:2"])
    assert report.text(Kind.ANSWER) == of_evaluate.text(Kind.ANSWER)
    told_gap, gap = report.tables[0].rows
    assert told_gap["vectors"] == "plain output"
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    q, d = unit[n:], unit[:n]
    assert gap["squared"] == pytest.approx(((q.mean(0) - d.mean(0)) ** 2).sum(), rel=1e-5)
    assert gap["share"] == pytest.approx(gap["squared"] / cdist(q, d, "sqeuclidean").mean())
    cosine = cosine_similarity(q - q.mean(0), d - d.mean(0))
    places = (cosine > cosine.diagonal()[:, None]).sum(axis=1)
    centred = np.where(places < 10, 1 / np.log2(places + 2), 0).mean()
    assert gap["ndcg"] == pytest.approx(centred, abs=1e-4)
    assert gap["change"] == pytest.approx(gap["ndcg"] - raw["ndcg"])
    assert gap["change_low"] < gap["change"] < gap["change_high"]
    said = f"the gap between queries and documents is {100 * told_gap['share']:.1f} %"
    assert said in report.text()
    asked = recipe.base().with_(dataset=folder)
    pairs, corpus = lab.load(asked)
    assert (len(pairs), pairs.n_units) == (2 * n, n)
    assert sorted(corpus.sentences) == sorted(documents), "fitted on documents alone"
    for metric, key in {"ndcg": "ndcg", "mrr": "mrr", "recall": "recall_10", "map": "map"}.items():
        (scored,) = lab.evaluate([asked.with_(metric=metric)])
        assert (scored.metric.name, scored.score) == (metric, pytest.approx(raw[key]))
    told = evaluate(EvaluateRecipe.of(asked), lab, specs, ["layer:2"]).rows[2]
    assert told["change_low"] == pytest.approx(row["change_low"])  # from the same resamples
    error = gains.std() / n**0.5
    assert raw["ndcg_high"] - raw["ndcg_low"] == pytest.approx(2 * 1.96 * error, rel=0.05)


def test_a_document_with_the_querys_id_neither_takes_a_place_nor_counts():
    x = np.random.default_rng(2).normal(size=(9, 4))
    cosine = cosine_similarity(x)
    np.fill_diagonal(cosine, -1)
    cosine[0, 0] = 1  # the first query is no document
    found = ranking(x, x, k=3, own=own_rows(["other", *"bcdefghi"], [*"abcdefghi"]))
    np.testing.assert_array_equal(found, np.argsort(-cosine, axis=1)[:, :3])
    both = measured(np.array([[1, 0]]), ["a", "q"], {"q": {"q": 1, "a": 1}})
    assert (both["mrr"][0], both["recall_10"][0]) == (1, 0.5)


def test_a_query_does_not_find_itself(tmp_path):
    """By BEIR's rule the partner comes first; ranked with itself it would come second."""
    pairs = {
        "A dog runs.": "A dog is running.",
        "Rain falls.": "It rains.",
        "I eat.": "I am eating.",
    }
    texts = [text for pair in pairs.items() for text in pair]
    rows = [{"_id": str(i), "text": text} for i, text in enumerate(texts)]
    judged = [HEADER, *(f"{i}\t{i ^ 1}\t1" for i in range(6))]
    tables = {"corpus.jsonl": rows, "queries.jsonl": rows, "qrels/test.tsv": judged}
    recipe = RetrievalRecipe(dataset=str(collection(tmp_path, **tables)), layers="model")
    lab = Lab(device="cpu")
    report = retrieval(recipe, lab, ["identity", "whiten"], ["model"])
    assert (report.rows[0]["mrr"], report.rows[0]["recall_1"]) == (1, 1)
    assert (report.rows[1]["mrr"], report.rows[1].get("won")) == (None, None)  # a simplex
    assert "6 queries have the id of a document" in report.text()
    (scored,) = lab.evaluate([recipe.base().with_(metric="mrr")])
    assert scored.score == 1
    sized = size(recipe.base().with_(metric="mrr"), lab, ["identity"], ["model"])
    assert sized.rows[0]["score"] == 1


def test_a_search_among_equal_texts_has_no_score_and_no_gap(tmp_path):
    tables = {
        "corpus.jsonl": [{"_id": name, "text": "A dog runs."} for name in "ab"],
        "queries.jsonl": [{"_id": name, "text": "Who runs?"} for name in "12"],
        "qrels/test.tsv": [HEADER, "1\tb\t1", "2\ta\t1"],
    }
    recipe = RetrievalRecipe(dataset=str(collection(tmp_path, **tables)), layers="model")
    report = retrieval(recipe, Lab(device="cpu"), ["identity"], ["model"])
    assert [row["ndcg"] for row in report.rows] == [None]
    assert "nDCG@10 x 100" not in report.text(Kind.ANSWER)  # nothing is compared
    assert "same vector" in report.text(Kind.FIT)
    assert "gap between" not in report.write("table")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"corpus.jsonl": [{"_id": "a", "text": "A dog."}] * 2}, "row 2: id 'a' occurs twice"),
        ({"qrels/test.tsv": [HEADER, "9\ta\t1"]}, "row 2: there is no query '9'"),
        ({"qrels/test.tsv": [HEADER, "1\ta\t1", "1\ta\t1"]}, "row 3: 'a' is judged twice for '1'"),
        *(
            ({"qrels/test.tsv": [HEADER, f"1\ta\t{grade}"]}, "row 2: score is .* from -2 to 1,000")
            for grade in (0.5, -3, 1001, 2**31, 2**62, 1e300)
        ),
        *(
            ({"corpus.jsonl": [{"_id": f"a{sign}", "text": "A dog."}]}, "row 1: id holds a control")
            for sign in "\0\n\x1b\x9b"
        ),
        ({"qrels/test.tsv": [HEADER, "1\ta\t0"]}, "no relevant document for any query"),
    ],
)
def test_what_cannot_be_read(tmp_path, changes, said):
    folder = collection(tmp_path, **changes)
    with pytest.raises(InputError, match=said):
        load_dataset(str(folder))
