"""Queries and documents are embedded as sentence-transformers embeds them, each with its prompt."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_pairs import pair_rows

from bertflow_core.datasets import Pairs, TableColumns, load_corpus, load_dataset, read_table
from bertflow_core.encoders import declared, transformer
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.errors import InputError
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.store import Unstored
from bertflow_core.wording import DOCUMENT, QUERY

PROMPTS = {"query": "the cat: ", "document": "a big dog on "}
SETTINGS: dict[str, dict[str, Any]] = {
    "no prompts": {},
    "both": {"prompts": PROMPTS},
    "only a default": {"prompts": {"x": "the cat: "}, "default_prompt_name": "x"},
    "a default and one": {"prompts": PROMPTS, "default_prompt_name": "query"},
    "a passage": {"prompts": {"query": "the cat: ", "passage": "a big dog on "}},
}


@pytest.fixture(scope="module")
def folders(saved, tmp_path_factory) -> dict[str, Path]:
    """Folders that tell queries and documents apart in different ways, or do not."""
    return {
        name: saved(tmp_path_factory.mktemp("sided"), "mean", **settings)
        for name, settings in SETTINGS.items()
    }


@pytest.fixture(scope="module")
def searched(tmp_path_factory) -> tuple[str, dict[str, str], dict[str, str], dict[str, set[str]]]:
    """A collection of random words: its folder, documents, queries and relevant documents."""
    rows = pair_rows(60)
    documents = {f"d{i:02}": f"{first} {second}" for i, (first, second, *_) in enumerate(rows)}
    queries = {f"q{i:02}": second for i, (_, second, *_) in enumerate(rows)}
    relevant = {f"q{i:02}": {f"d{i:02}", f"d{i // 2:02}"} for i in range(60)}
    folder = tmp_path_factory.mktemp("searched")
    judged = [(query, each, 1) for query, of in relevant.items() for each in sorted(of)]
    tables = {
        "corpus.csv": [("_id", "text"), *documents.items()],
        "queries.csv": [("_id", "text"), *queries.items()],
        "qrels/test.csv": [("query-id", "corpus-id", "score"), *judged],
    }
    for name, lines in tables.items():
        (folder / name).parent.mkdir(exist_ok=True)
        with (folder / name).open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows(lines)
    return str(folder), documents, queries, relevant


@pytest.mark.parametrize("name", SETTINGS)
def test_a_search_scores_as_sentence_transformers_scores_it(name, folders, searched):
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import evaluation

    dataset, documents, queries, relevant = searched
    model = SentenceTransformer(str(folders[name]), device="cpu")
    theirs = evaluation.InformationRetrievalEvaluator(
        queries, documents, relevant, write_csv=False
    )(model)
    recipe = Recipe(model=str(folders[name]), dataset=dataset, layers="model")
    lab, expected = Lab(device="cpu"), {"ndcg": "ndcg@10", "mrr": "mrr@10", "map": "map@100"}
    for metric, other in expected.items():
        (ours,) = lab.evaluate([recipe.with_(metric=metric)])
        assert ours.score == pytest.approx(theirs[f"cosine_{other}"], abs=1e-6), metric
    x = ours.embedded.x_first
    for rows, encode, texts in (
        (slice(0, 60), model.encode_document, documents),
        (slice(60, None), model.encode_query, queries),
    ):
        np.testing.assert_allclose(x[rows], encode([*texts.values()]), atol=1e-5)
    assert bool(ours.embedded.sides_remark) == (name not in ("no prompts", "only a default"))


def test_swapped_sides_are_another_score(folders, searched):
    recipe = Recipe(model=str(folders["both"]), dataset=searched[0], layers="model")
    swapped = recipe.with_(query_prompt=PROMPTS["document"], document_prompt="query")
    own, other = Lab(device="cpu").evaluate([recipe, swapped])
    assert abs(own.score - other.score) > 0.01
    assert "with the prompt 'the cat: ', documents with the prompt 'a big dog on '" in (
        own.embedded.sides_remark
    )
    assert "with the prompt 'a big dog on ', documents with the prompt 'the cat: '" in (
        other.embedded.sides_remark
    )
    assert "query prompt 'a big dog on ', document prompt 'query'" in swapped.caption()
    assert swapped.fingerprint() != recipe.fingerprint()
    assert Recipe.from_dict(swapped.to_dict()) == swapped


def test_one_text_on_both_sides_has_two_vectors_and_alike_sides_share_what_is_stored(
    folders, own_cache
):
    lab, texts, sides = Lab(device="cpu"), ["a cat sat"] * 3, [QUERY, DOCUMENT, QUERY]
    for name, n_encoders in {"both": 2, "no prompts": 1, "only a default": 1}.items():
        lab.store.clear()
        for folder in own_cache.glob("*"):
            folder.rename(own_cache.parent / f"{folder.name}-{name}")
        x = next(
            lab.vectors([Recipe(model=str(folders[name]), layers="model")], texts, sides=sides)
        ).x
        assert np.array_equal(x[0], x[2])
        assert np.array_equal(x[0], x[1]) == (n_encoders == 1), name
        assert len(lab.store.entries()) == n_encoders, name


def test_both_sides_of_a_search_are_run_by_one_network(folders, searched, monkeypatch):
    loaded: list[str] = []
    for module, load in ((transformer, "load_network"), (declared, "loading")):
        monkeypatch.setattr(module, load, _noted(getattr(module, load), loaded))
    dataset, _, queries, _ = searched
    recipe = Recipe(model=str(folders["both"]), dataset=dataset, layers="model")
    lab = Lab(Unstored(), device="cpu")
    first, second = (next(lab.embedded([recipe])).x_first for _ in range(2))
    assert loaded == [str(folders["both"])]
    np.testing.assert_array_equal(first, second)
    alone = Lab(Unstored(), device="cpu")
    texts = [*queries.values()]
    np.testing.assert_array_equal(
        first[60:], next(alone.vectors([recipe], texts, sides=[QUERY] * 60)).x
    )


def test_no_other_model_or_precision_is_run_by_that_network(folders, tiny_folder):
    recipes = [
        Recipe(model=str(folders["both"]), layers="model"),
        Recipe(model=str(folders["both"]), layers="model", precision="bfloat16"),
        Recipe(model=str(tiny_folder("roberta")), layers="model"),
    ]
    shared = Lab(Unstored(), device="cpu")
    for recipe in recipes:
        alone = next(Lab(Unstored(), device="cpu").vectors([recipe], ["a cat sat"])).x
        np.testing.assert_array_equal(next(shared.vectors([recipe], ["a cat sat"])).x, alone)


def _noted(load: Callable[..., Any], loaded: list[str]) -> Callable[..., Any]:
    def noted(model: ModelFolder, *options: Any) -> Any:
        loaded.append(str(model.path))
        return load(model, *options)

    return noted


def test_a_fit_corpus_keeps_its_sides_and_foreign_texts_are_documents(folders, searched, tmp_path):
    lab, recipe = Lab(device="cpu"), Recipe(model=str(folders["both"]), layers="model")
    lines = [first for first, *_ in pair_rows(30)]
    (tmp_path / "own.txt").write_text("\n".join(lines), encoding="utf-8")
    table = tmp_path / "asked.csv"
    with table.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("question", "answer", "score"), *_scored(30)])
    columns = {"sentence1": "question", "sentence2": "answer", "score": "score"}
    for choices, sides in (
        ({"dataset": searched[0]}, [DOCUMENT] * 60),
        ({"dataset": searched[0], "fit_on": str(tmp_path / "own.txt")}, [DOCUMENT] * 30),
        ({"dataset": str(table), **columns}, [QUERY, DOCUMENT] * 30),
        ({"dataset": str(table), **columns, "roles": "document,query"}, [DOCUMENT, QUERY] * 30),
        ({"dataset": str(table), **columns, "roles": "symmetric"}, []),
    ):
        asked = recipe.with_(**choices, calibrator="standardize")
        texts = lab.corpus(asked).sentences
        expected = next(lab.vectors([recipe], texts, sides=sides)).x
        embedded = next(lab.embedded([asked]))
        np.testing.assert_array_equal(embedded.x_fit, expected)
        if isinstance(embedded.data, Pairs):
            np.testing.assert_array_equal(embedded.x_first, expected[0::2])
            np.testing.assert_array_equal(embedded.x_second, expected[1::2])
        (zero,) = lab.fit(asked).calibrator.transform(np.zeros((1, 16), np.float32))
        mean, deviation = expected.mean(axis=0), expected.std(axis=0)
        np.testing.assert_allclose(-zero * deviation, mean, atol=1e-5)


def _scored(n: int) -> list[tuple[object, ...]]:
    return [row[:3] for row in pair_rows(n)]


@pytest.mark.parametrize(
    ("names", "chosen", "roles", "is_assumed"),
    [
        (("question", "answer"), None, (QUERY, DOCUMENT), True),
        (("Passage", "Query"), None, (DOCUMENT, QUERY), True),
        (("question", "answer"), "symmetric", (), False),
        (("sentence1", "sentence2"), None, (), False),
        (("question1", "question2"), None, (), False),
        (("sentence1", "sentence2"), "query,document", (QUERY, DOCUMENT), False),
    ],
)
def test_the_roles_of_a_table_are_given_or_assumed_by_the_names_of_columns(
    names, chosen, roles, is_assumed, tmp_path
):
    file = tmp_path / "own.csv"
    file.write_text(f"{names[0]},{names[1]},score\na,b,1\nc,d,2\n", encoding="utf-8")
    pairs = read_table(file, TableColumns(*names, "score", roles=chosen)).data
    assert pairs.roles == roles
    assert pairs.sides == tuple(role for role in roles for _ in range(2))
    assert any("by the names of the columns" in each for each in pairs.provenance.assumed) == (
        is_assumed
    )
    alike = read_table(file, TableColumns(*names, "score", roles="symmetric")).data
    assert (pairs.fingerprint == alike.fingerprint) == (not roles)


@pytest.mark.parametrize("header", ["question,answer,score", "Passage,Query,score"])
def test_queries_and_documents_are_found_without_naming_their_columns(header, tmp_path):
    file = tmp_path / "own.csv"
    file.write_text(f"{header}\na,b,1\nc,d,2\n", encoding="utf-8")
    pairs = read_table(file).data
    assert (pairs.roles, len(pairs.second)) == ((QUERY, DOCUMENT), 2)


def test_a_question_of_qnli_is_a_query_and_its_sentence_a_document(tmp_path):
    (tmp_path / "glue" / "QNLI").mkdir(parents=True)
    rows = ["index\tquestion\tsentence\tlabel", "0\tWho?\tA dog.\tentailment"]
    rows.append("1\tWhen?\tA cat.\tnot_entailment")
    (tmp_path / "glue" / "QNLI" / "dev.tsv").write_text("\n".join(rows), encoding="utf-8")
    pairs = load_dataset("qnli", split="dev", data_dir=tmp_path)
    corpus = load_corpus("qnli", "target", data_dir=tmp_path)
    assert pairs.sides == (QUERY, QUERY, DOCUMENT, DOCUMENT)
    assert corpus.sides_beside(pairs) == (QUERY, DOCUMENT) * 2
    assert corpus.sides_beside(load_dataset("teaching")) == ()


def test_layers_read_a_template_of_each_side(tiny_bert, searched, own_cache):
    lab, (dataset, documents, queries, _) = Lab(device="cpu"), searched
    recipe = Recipe(model=str(tiny_bert), dataset=dataset, layers="layer:2", max_length=40)
    asked = recipe.with_(template="a dog: {text}", query_template="the cat: {text}")
    x = next(lab.embedded([asked])).x_first
    for rows, before, texts in (
        (slice(0, 60), "a dog: ", documents),
        (slice(60, None), "the cat: ", queries),
    ):
        filled = [f"{before}{text}" for text in texts.values()]
        np.testing.assert_allclose(x[rows], next(lab.vectors([recipe], filled)).x, atol=1e-6)
    assert "template 'a dog: {text}', query template 'the cat: {text}'" in asked.caption()


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"query_prompt": "question"}, "no prompt 'question': it declares 'document', 'query'"),
        ({"document_prompt": "a word"}, "no prompt 'a word'"),
        ({"prompt": "a", "query_template": "b {text}"}, "prompt and template cannot be combined"),
        ({"query_prompt": "a: ", "template": "{text}"}, "prompt and template cannot be combined"),
        ({"query_template": "b"}, "needs {text} exactly once"),
        ({"query_prompt": "a: ", "layers": "last"}, "takes no query_prompt with layers last"),
        ({"roles": "query"}, "roles must be one of query,document, document,query, symmetric"),
        ({"query_prompt": "a: ", "dataset": "teaching"}, "'teaching' has no queries and documents"),
        ({"roles": "symmetric", "dataset": "teaching"}, "roles has no meaning for teaching"),
    ],
)
def test_choices_that_mean_nothing_are_refused(choices, said, folders, searched):
    options = {"model": str(folders["both"]), "dataset": searched[0], "layers": "model"}
    with pytest.raises(InputError, match=re.escape(said)):
        Lab(device="cpu").fit(Recipe(**{**options, **choices}))
    if "has no queries" in said:  # studies that embed parts of the data themselves
        with pytest.raises(InputError, match=re.escape(said)):
            Lab(device="cpu").load(Recipe(**{**options, **choices}))
