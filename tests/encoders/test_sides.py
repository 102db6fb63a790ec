"""Queries and documents are embedded as sentence-transformers embeds them, each with its prompt."""

import csv
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from declared_models import Makers
from tiny_pairs import pair_rows

from bertflow_core.datasets import Pairs, TableColumns, read_table
from bertflow_core.encoders import declared, resolve_model, transformer
from bertflow_core.encoders.declared_folder import open_declared
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.errors import InputError
from bertflow_core.lab.embedding import sides_read
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
ROUTES = "a Router of two tables"


@pytest.fixture(scope="module")
def folders(saved, tiny_folder, tmp_path_factory) -> dict[str, Path]:
    """Folders that tell queries and documents apart in different ways, or do not."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Router

    found = {
        name: saved(tmp_path_factory.mktemp("sided"), "mean", **settings)
        for name, settings in SETTINGS.items()
    }
    makers = Makers(tiny_folder)
    routes = Router.for_query_document([makers.static()], [makers.static()])
    found[ROUTES] = tmp_path_factory.mktemp("routes") / "model"
    SentenceTransformer(modules=[routes], device="cpu").save_pretrained(str(found[ROUTES]))
    return found


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


@pytest.mark.parametrize("name", [*SETTINGS, ROUTES])
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
    sides = [re.findall("the prompt '(.*?)'", each.embedded.sides_remark) for each in (own, other)]
    assert sides == [[*PROMPTS.values()], [*PROMPTS.values()][::-1]]
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


@pytest.mark.parametrize("name", ["both", ROUTES])
def test_both_sides_of_a_search_are_run_by_one_network(name, folders, searched, monkeypatch):
    loaded: list[str] = []
    for module, load in ((transformer, "load_network"), (declared, "loading")):
        monkeypatch.setattr(module, load, _noted(getattr(module, load), loaded))
    dataset, _, queries, _ = searched
    recipe = Recipe(model=str(folders[name]), dataset=dataset, layers="model")
    lab = Lab(Unstored(), device="cpu")
    first, second = (next(lab.embedded([recipe])).x_first for _ in range(2))
    assert loaded == [str(folders[name])]
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
        Recipe(model=str(folders[ROUTES]), layers="model"),
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
        rows = (row[:3] for row in pair_rows(30))
        csv.writer(stream).writerows([("question", "answer", "score"), *rows])
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
    assert not is_assumed or read_table(file).data.roles == (QUERY, DOCUMENT)  # none is named
    assert any("by the names of the columns" in each for each in pairs.provenance.assumed) == (
        is_assumed
    )
    alike = read_table(file, TableColumns(*names, "score", roles="symmetric")).data
    assert (pairs.fingerprint == alike.fingerprint) == (not roles)


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


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"query_prompt": "question"}, "no prompt 'question': it declares 'document', 'query'"),
        ({"document_prompt": "a word"}, "no prompt 'a word'"),
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


def changed(folder: Path, into: Path, **changes: Any) -> Path:
    """Copy a model's folder with another configuration of its Router."""
    shutil.copytree(folder, into)
    config = json.loads((folder / "router_config.json").read_text())
    (into / "router_config.json").write_text(json.dumps({**config, **changes}))
    return into


STATIC = "sentence_transformers.models.StaticEmbedding"


def test_a_router_is_read_as_sentence_transformers_reads_it(folders, tmp_path):
    from sentence_transformers import SentenceTransformer

    names = ["query_0_StaticEmbedding", "document_0_StaticEmbedding"]
    options = {"default_route": None, "allow_empty_key": True, "route_mappings": {}}
    structures = {
        "no default": ({"query": names[:1], "document": names[1:]}, {}),
        "texts": ({"text": names[:1], "document": names[1:]}, {"default_route": "document"}),
        "sides alone": ({"query": names[:1], "document": names[1:]}, {"allow_empty_key": False}),
    }
    for name, (structure, changes) in structures.items():
        parameters = {**options, **changes}
        folder = changed(
            folders[ROUTES], tmp_path / name, structure=structure, parameters=parameters
        )
        model = SentenceTransformer(str(folder), device="cpu")
        recipe, lab = Recipe(model=str(folder), layers="model"), Lab(device="cpu")
        for side, encode in (
            *[("", model.encode)] * (name != "sides alone"),
            (QUERY, model.encode_query),
            (DOCUMENT, model.encode_document),
        ):
            x = next(lab.vectors([recipe], ["a cat sat", "the dog"], sides=[side] * 2)).x
            np.testing.assert_allclose(x, encode(["a cat sat", "the dog"]), atol=1e-6)
        alike = {QUERY: QUERY} if name == "sides alone" else {"": "", QUERY: ""}  # of one route
        assert sides_read(recipe, [*alike, DOCUMENT]) == {**alike, DOCUMENT: DOCUMENT}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"types": {"../x": STATIC}, "structure": {"query": ["../x"]}}, "in its own subfolder"),
        ({"types": {"x": "os.path.join"}, "structure": {"query": ["x"]}}, "Code of other"),
        ({"types": {"0": STATIC}, "structure": {"query": ["1"]}}, "cannot be used here"),
        ({"types": {"0": STATIC}, "structure": {"query": ["0"] * 65}}, "at most 64 modules"),
        ({"types": {}, "structure": {}}, "cannot be used here"),
        ({"types": 3, "structure": [3]}, "cannot be used here"),
        ({"parameters": {"route_mappings": {"(None, None)": "query"}}}, "no route_mappings"),
        (
            {
                "types": {"0": "sentence_transformers.models.Transformer"},
                "structure": {"query": ["0"]},
            },
            "routes that begin with a table of words",
        ),
        ({"parameters": {"allow_empty_key": False}}, "no route for texts of neither side"),
    ],
)
def test_a_router_that_cannot_be_used_is_refused(changes, said, folders, tmp_path):
    folder = changed(folders[ROUTES], tmp_path / "model", **changes)
    with pytest.raises(InputError, match=re.escape(said)):
        open_declared(resolve_model(str(folder)))


def test_sides_of_different_width_are_refused(folders, searched, tmp_path):
    from safetensors.numpy import load_file, save_file

    folder = changed(folders[ROUTES], tmp_path / "model")
    file = folder / "query_0_StaticEmbedding" / "model.safetensors"
    narrow = {name: np.ascontiguousarray(x[:, :4]) for name, x in load_file(file).items()}
    save_file(narrow, file)
    with pytest.raises(InputError, match="4 and 7 features for queries and for documents"):
        next(
            Lab(device="cpu").embedded(
                [Recipe(model=str(folder), dataset=searched[0], layers="model")]
            )
        )
