"""The choices of a wall, and its rows and spaces against separately fitted calibrators."""

import numpy as np
import pytest
from safetensors.numpy import load_file
from tiny_models import MAX_TOKENS, save_tiny_model
from tiny_pairs import pair_rows

from bertflow_core.calibrators import build_calibrator
from bertflow_core.datasets import Texts
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.exhibits.wall.nearest import neighbours_of
from bertflow_core.exhibits.wall.recipe import Picture, WallRecipe, wall_command
from bertflow_core.exhibits.wall.rows import build_wall
from bertflow_core.exhibits.wall.spaces import category_column, column_of
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.words.prepared import prepare_words
from bertflow_core.studies.words.recipe import WordRecipe


def test_names_show_the_model_only_where_several_are_shown_and_no_pane_comes_twice():
    one = WallRecipe(layers=("layer:4",), calibrators=("identity", "flow", "identity"))
    assert one.names == ("layer:4, identity", "layer:4, flow")
    both = WallRecipe(models=("minilm", "bert-base"), layers=("last",), calibrators=("whiten",))
    assert both.names == ("minilm", "bert-base")
    models = ("org/base", "/runs/base", "minilm")  # two end alike
    alike = WallRecipe(models=models, layers=("last",), calibrators=("whiten",))
    assert alike.names == models
    several = WallRecipe(models=models[1:], layers=("last", "model"), calibrators=("whiten",))
    assert several.names[:2] == ("base, last, whiten", "base, model, whiten")
    words = WallRecipe(base=WordRecipe(), layers=("layer-norm",), calibrators=("identity",))
    assert words.names == ("layer-norm, identity",)


def test_a_pane_is_the_base_with_its_own_choices():
    base = Recipe(model="bert-base", revision="abc", dataset="stsb", seed=3, calibrator="flow")
    choices = {"layers": ("last",), "calibrators": ("identity", "whiten")}
    wall = WallRecipe(base=base, models=("minilm", "bert-base"), **choices)
    assert wall.panes == (
        base.with_(model="minilm", revision=None, layers="last", calibrator="identity"),
        base.with_(model="minilm", revision=None, layers="last", calibrator="whiten"),
        base.with_(layers="last", calibrator="identity"),
        base.with_(layers="last", calibrator="whiten"),
    )
    words = WallRecipe(base=WordRecipe(seed=5), layers=("layer-norm",), calibrators=("whiten",))
    assert words.panes == (WordRecipe(table="layer-norm", calibrator="whiten", seed=5),)


def test_the_command_names_what_differs_from_the_command_of_nothing():
    start = "bertflow-lab analyse wall --out wall.html"
    spaces = "--layers layer:4 --layers last --calibrator identity --calibrator flow"
    layers = ("layer:4", "last")
    assert wall_command(WallRecipe(layers=layers), Picture()) == f"{start} {spaces}"
    base = Recipe(dataset="teaching", layers="first-last", aggregation="mean", seed=3)
    full = WallRecipe(base=base, layers=layers, max_rows=500, counts="vocabulary")
    assert wall_command(full, Picture(method="umap", metric="l2", min_dist=0.3)) == (
        f"{start} --dataset teaching --seed 3 --layers layer:4 --layers last --max-rows 500 "
        "--counts vocabulary --method umap --metric l2 --min-dist 0.3 --calibrator identity "
        "--calibrator flow"
    )


def test_the_command_of_several_models_repeats_the_model_with_the_revision_of_the_first():
    base = Recipe(model="org/a", revision="abc", dataset="teaching")
    choices = {"layers": ("model",), "calibrators": ("identity",)}
    assert wall_command(WallRecipe(base=base, models=("org/a", "b"), **choices), Picture()) == (
        "bertflow-lab analyse wall --out wall.html --revision abc --dataset teaching "
        "--model org/a --model b --layers model --calibrator identity"
    )
    assert wall_command(WallRecipe(base=base, models=("b", "org/a"), **choices), Picture()) == ""


def test_a_column_is_of_numbers_if_all_its_cells_are_and_else_of_labels_as_they_first_appear():
    found = column_of("year", ["20231115", "", None, " 1999.5 ", 7, "3.8"])
    assert found.labels == ()
    assert found.cells(range(6)) == [20231115, None, None, 1999.5, 7, 3.8]
    named = column_of("source", ["news", "2001", None, "1e39", "inf"])
    assert named.cells(range(5)) == ["news", "2001", None, "1e39", "inf"]
    for text in ("1e39", "-inf"):  # which float32 does not hold
        assert column_of("size", ["1", text]).labels == ("1", text)
    assert column_of("notes", ["", None]) is None
    assert column_of("notes", [f"text {i}" for i in range(201)]) is None
    column = category_column("subset", ["b", "a", "", "b", "c"])
    assert column.labels == ("b", "a", "c")
    np.testing.assert_array_equal(column.values, [0, 1, np.nan, 0, 2])


# Built.

ROWS = pair_rows(30)
ROWS[4] = (ROWS[1][1], ROWS[1][1], 2.5, "even")  # one sentence in three places
ROWS[7] = (ROWS[9][0], "CAT 7 dogs!", 1.5, "odd")
CORPUS = [s for a, b, _, _ in ROWS for s in (a, b)]
SENTENCES = list(dict.fromkeys(CORPUS))
SPECS = ("identity", "standardize", "null-top-k:k=2")


@pytest.fixture(scope="module")
def base(recipe_of):
    return recipe_of(ROWS)


@pytest.fixture(scope="module")
def wall(base):
    return build(base, calibrators=SPECS)


def build(base, lab=None, calibrators=("identity",), **choices):
    return build_wall(WallRecipe(base=base, calibrators=calibrators, **choices), lab or Lab())


def column(wall, name):
    return next(each for each in wall.columns if each.name == name)


def test_rows_are_the_different_sentences_with_what_their_first_pair_has(wall):
    assert list(wall.texts) == SENTENCES
    assert wall.ids.tolist() == list(range(len(SENTENCES)))
    assert wall.description == f"all {len(SENTENCES)} different sentences of pairs"
    gold, subset, side, length = (
        column(wall, name) for name in ("gold score of its first pair", "subset", "side", "length")
    )
    for row, sentence in enumerate(SENTENCES):
        pair, where = divmod(CORPUS.index(sentence), 2)
        assert gold.values[row] == pytest.approx(ROWS[pair][2])
        assert subset.cells([row]) == [ROWS[pair][3]]
        assert side.cells([row]) == [("first", "second")[where]]
    low, high = (float(end) for end in gold.unit.split(" to "))
    assert low <= gold.values.min() < gold.values.max() <= high
    assert length.values[SENTENCES.index("CAT 7 dogs!")] == 3


def test_a_sample_is_drawn_by_the_seed_from_everywhere_and_keeps_its_ids(base):
    rows, again, other = (build(base.with_(seed=seed), max_rows=20) for seed in (3, 3, 4))
    assert len(rows.texts) == 20
    assert (np.diff(rows.ids) > 0).all() and rows.ids.max() > 30
    assert list(rows.texts) == [SENTENCES[i] for i in rows.ids]
    assert again.ids.tolist() == rows.ids.tolist() != other.ids.tolist()
    assert rows.description.startswith(f"a sample of 20 of {len(SENTENCES)} different sentences")


def test_frequency_is_the_mean_of_the_words_that_the_list_knows(base, tmp_path):
    path = tmp_path / "counts.txt"
    path.write_text("cat 1000\ndogs 10\n", encoding="utf-8")
    found = column(build(base, counts=str(path)), "mean frequency of its words").values
    assert found[SENTENCES.index("CAT 7 dogs!")] == pytest.approx(2)  # of 3 and 1
    unknown = [i for i, s in enumerate(SENTENCES) if "cat" not in s.lower().split()]
    assert len(unknown) > 9 and np.isnan(found[unknown]).all()
    ordered = build(base, counts="vocabulary")
    assert np.nanmax(column(ordered, "mean frequency of its words").values) <= 0
    assert "log-density" not in [each.name for each in ordered.columns]  # no pane has a density


def test_spaces_are_what_each_calibrator_makes_of_the_rows(wall, encode):
    corpus, rows = encode(CORPUS), encode(SENTENCES)
    norms, densities = column(wall, "norm"), column(wall, "log-density")
    for pane, (space, spec) in enumerate(zip(wall.spaces, SPECS, strict=True)):
        calibrator = build_calibrator(spec).fit(corpus)
        expected = calibrator.transform(rows)
        np.testing.assert_allclose(space.z, expected, rtol=0, atol=2e-3)
        assert space.z.dtype == np.float32
        np.testing.assert_allclose(norms.values[pane], np.linalg.norm(space.z, axis=1), rtol=1e-5)
        if spec == "standardize":
            scores = calibrator.score_samples(rows)
            np.testing.assert_allclose(densities.values[pane], scores, rtol=0, atol=0.1)
        else:
            assert np.isnan(densities.values[pane]).all()
    assert wall.spaces[0].badge("cosine") == "layer:2, identity (16 dims), cosine"


def test_each_layer_set_is_embedded_once(base, monkeypatch):
    read, embed = [], EmbeddingStore.embed

    def note(store, encoder, sentences, wanted):
        read.append(wanted)
        return embed(store, encoder, sentences, wanted)

    monkeypatch.setattr(EmbeddingStore, "embed", note)
    layers, specs = ("layer:2", "layer:1"), ("whiten", "identity")
    wall = build(base, layers=layers, calibrators=specs)
    assert read == [[(name, base.tokens) for name in layers]]
    names = [f"{name}, {spec}" for name in layers for spec in specs]
    assert [space.name for space in wall.spaces] == names
    assert not np.allclose(wall.spaces[1].z, wall.spaces[3].z)


def test_models_may_differ(base, tmp_path):
    other = save_tiny_model(tmp_path / "roberta", "roberta")
    wall = build(base, models=(base.model, str(other)))
    encoder = TransformerEncoder(resolve_model(str(other)), max_length=MAX_TOKENS, device="cpu")
    expected = encoder.encode(list(wall.texts)).vectors[2, 0]
    np.testing.assert_allclose(wall.spaces[1].z, expected, rtol=0, atol=1e-5)
    assert not np.allclose(wall.spaces[0].z, wall.spaces[1].z)


def test_single_sentences_are_rows_too(base, encode):
    pairs, corpus = Lab().load(base)
    texts = ("a dog", "the cat", "a dog")
    single = Texts(name="p", texts=texts, subsets=("u", "v", "w"), provenance=pairs.provenance)
    wall = build(base, Lab(tables={base.dataset: (single, corpus)}))
    assert wall.texts == ("a dog", "the cat")
    assert [each.name for each in wall.shared] == ["subset", "length"]
    assert column(wall, "subset").cells([0, 1]) == ["u", "v"]
    np.testing.assert_allclose(wall.spaces[0].z, encode(["a dog", "the cat"]), rtol=0, atol=1e-5)


# Of words.

COVERED = ["the", "cat", "a", "dog", "mat", "red", "blue"]


@pytest.fixture
def words(tiny_bert, counts):
    return WordRecipe(model=str(tiny_bert), counts=counts, bins=(0, 2, 7))


def test_words_are_rows_of_tables_with_columns_of_the_list(words, tiny_bert):
    wall = build(words, calibrators=("identity", "whiten"))
    assert list(wall.texts) == COVERED
    assert wall.description == "all 7 words in the bins"
    table = load_file(tiny_bert / "model.safetensors")["embeddings.word_embeddings.weight"]
    at = prepare_words(words).rows
    assert (wall.spaces[0].z == table[at]).all()
    expected = build_calibrator("whiten").fit(table).transform(table)[at]
    np.testing.assert_allclose(wall.spaces[1].z, expected, rtol=0, atol=1e-4)
    columns = {each.name: each for each in wall.shared}
    assert list(columns) == ["rank", "frequency", "bin", "length", "token"]
    assert columns["rank"].values.tolist() == list(range(1, 8))
    np.testing.assert_allclose(columns["frequency"].values[:2], np.log10([90, 70]), rtol=1e-6)
    assert columns["bin"].cells([0, 1, 2, 6]) == ["1 to 2"] * 2 + ["3 to 7"] * 2
    assert columns["length"].values.tolist() == [3, 3, 1, 3, 3, 3, 4]
    few = build(words, max_rows=3, layers=("raw", "layer-norm"))
    assert list(few.texts) == [COVERED[i] for i in few.ids] != COVERED[:3]
    scaled = prepare_words(words.with_(table="layer-norm"))
    np.testing.assert_allclose(few.spaces[1].z, scaled.x[scaled.rows][few.ids], atol=1e-6)
    assert not np.allclose(few.spaces[0].z, few.spaces[1].z)


def test_of_several_models_the_words_of_all_are_shown(words, tmp_path, monkeypatch):
    monkeypatch.setattr("tiny_models.WORDS", ("mat", "the", "dog", "a", "owl"))
    other = save_tiny_model(tmp_path / "other", "bert")
    wall = build(words, models=(words.model, str(other)))
    assert list(wall.texts) == ["the", "a", "dog", "mat"]
    theirs = prepare_words(words.with_(model=str(other)))
    rows = [theirs.rows[theirs.words.index(word)] for word in wall.texts]
    assert (wall.spaces[1].z == theirs.x[rows]).all()
    assert column(wall, "rank").values.tolist() == [1, 3, 4, 5]
    assert len(neighbours_of(wall, 0, 2)[1].rows) == 2


def test_a_piece_is_called_one(words, tmp_path):
    path = tmp_path / "letters.txt"
    path.write_text("cat 9\nx 8\nbb 7\n##x 6\n", encoding="utf-8")
    recipe = words.with_(counts=str(path), words="any")
    wall, prepared = build(recipe), prepare_words(recipe)
    kinds = ["piece" if is_piece else "whole" for is_piece in prepared.table.piece[prepared.rows]]
    assert list(wall.texts) == list(prepared.words)
    assert column(wall, "token").cells(range(len(kinds))) == kinds
    assert kinds[wall.texts.index("cat")] == "whole"
