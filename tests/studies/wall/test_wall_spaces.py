"""Spaces of sentences: the same rows as the experiment's, by calibrators fitted apart."""

from dataclasses import replace

import numpy as np
import pytest
from tiny_models import MAX_TOKENS, save_tiny_model
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.lab import Lab
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.wall.recipe import WallRecipe
from bertflow_core.studies.wall.rows import build_wall

ROWS = pair_rows(30)
ROWS[4] = (ROWS[1][1], ROWS[1][1], 2.5, "even")  # one sentence in three places
ROWS[7] = (ROWS[9][0], "CAT 7 dogs!", 1.5, "odd")
SENTENCES = list(dict.fromkeys(s for a, b, _, _ in ROWS for s in (a, b)))
CORPUS = [s for a, b, _, _ in ROWS for s in (a, b)]
SPECS = ("identity", "standardize", "null-top-k:k=2")


@pytest.fixture(scope="module")
def base(tiny_bert, tmp_path_factory):
    table = write_pairs(tmp_path_factory.mktemp("wall") / "p.csv", ROWS)
    return tiny_recipe(tiny_bert, table, layers="layer:2")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return EmbeddingStore(tmp_path_factory.mktemp("wall-store"))


@pytest.fixture(scope="module")
def build(base, store):
    """A wall of the base under `identity`, but for what is said."""

    def built(lab=None, **choices):
        recipe = WallRecipe(**{"base": base, "calibrators": ("identity",), **choices})
        return build_wall(recipe, lab or Lab(store))

    return built


@pytest.fixture(scope="module")
def wall(build):
    return build(calibrators=SPECS)


@pytest.fixture(scope="module")
def x(encode_tiny):
    """Layer 2 of sentences, without a store."""
    return lambda sentences: encode_tiny(sentences)[2, 0]


def column(wall, name):
    return next(each for each in wall.columns if each.name == name)


class TestRows:
    def test_are_the_different_sentences_in_order_of_first_appearance(self, wall):
        assert list(wall.rows.texts) == SENTENCES
        n = len(SENTENCES)
        assert wall.rows.ids.tolist() == list(range(n))
        assert wall.rows.names[3] == f"3: {SENTENCES[3]}"  # which no other sentence is taken for
        assert wall.rows.description == f"all {n} different sentences of p, test"

    def test_columns_are_of_the_first_pair_a_sentence_stands_in(self, wall):
        homes = {}
        for i, (a, b, _, _) in enumerate(ROWS):
            homes.setdefault(a, (i, "first"))
            homes.setdefault(b, (i, "second"))
        gold, subset, side = (
            column(wall, name) for name in ("gold of its first pair", "subset", "side")
        )
        for row, sentence in enumerate(SENTENCES):
            pair, where = homes[sentence]
            assert gold.values[row] == pytest.approx(ROWS[pair][2])
            assert subset.cells([row]) == [ROWS[pair][3]]
            assert side.cells([row]) == [where]
        low, high = (float(end) for end in gold.unit.split(" to "))
        assert low <= gold.values.min() < gold.values.max() <= high
        length = column(wall, "length")
        assert length.values[SENTENCES.index("CAT 7 dogs!")] == 3
        assert length.values[0] == len(SENTENCES[0].split())

    def test_a_sample_is_drawn_by_the_seed_from_everywhere_and_keeps_its_ids(self, base, build):
        rows, again, other = (
            build(base=base.with_(seed=seed), max_rows=20).rows for seed in (3, 3, 4)
        )
        assert len(rows) == 20
        assert (np.diff(rows.ids) > 0).all()
        assert rows.ids.max() > 30
        assert list(rows.texts) == [SENTENCES[i] for i in rows.ids]
        assert again.ids.tolist() == rows.ids.tolist() != other.ids.tolist()
        n = len(SENTENCES)
        assert rows.description == f"a sample of 20 of {n} different sentences of p, test, seed 3"

    def test_frequency_is_the_mean_of_the_words_that_the_list_knows(self, build, tmp_path):
        path = tmp_path / "counts.txt"
        path.write_text("cat 1000\ndogs 10\n", encoding="utf-8")
        found = column(build(counts=str(path)), "mean frequency of its words").values
        assert found[SENTENCES.index("CAT 7 dogs!")] == pytest.approx(2)  # of 3 and 1
        unknown = [i for i, s in enumerate(SENTENCES) if "cat" not in s.lower().split()]
        assert len(unknown) > 9
        assert np.isnan(found[unknown]).all()
        ordered = build(counts="vocabulary")
        assert np.nanmax(column(ordered, "mean frequency of its words").values) <= 0
        assert "log-density" not in [each.name for each in ordered.columns]  # of none is one known


class TestSpaces:
    def test_are_what_each_calibrator_makes_of_the_rows(self, wall, x):
        corpus, rows = x(CORPUS), x(SENTENCES)
        for space, spec in zip(wall.spaces, SPECS, strict=True):
            expected = build_calibrator(spec).fit(corpus).transform(rows)
            np.testing.assert_allclose(space.z, expected, rtol=0, atol=2e-3)
            assert space.z.dtype == np.float32
        assert wall.spaces[0].badge("cosine") == "layer:2, identity (16 dims), cosine"

    def test_log_density_is_there_only_where_a_calibrator_has_one(self, wall, x):
        found = column(wall, "log-density")
        assert found.unit == "nats"
        assert np.isnan(found.of_pane(0)).all()
        assert np.isnan(found.of_pane(2)).all()
        expected = build_calibrator("standardize").fit(x(CORPUS)).score_samples(x(SENTENCES))
        np.testing.assert_allclose(found.of_pane(1), expected, rtol=0, atol=0.1)

    def test_norm_is_of_each_pane(self, wall):
        norms = column(wall, "norm")
        for pane, space in enumerate(wall.spaces):
            expected = np.sqrt(np.square(space.z).sum(axis=1))
            np.testing.assert_allclose(norms.of_pane(pane), expected, rtol=1e-5)

    def test_each_layer_set_is_embedded_once(self, base, build):
        embedded = []

        class CountingLab(Lab):
            def prepare(self, recipe, **options):
                embedded.append(recipe.layers)
                return super().prepare(recipe, **options)

        layers, specs = ("layer:2", "layer:1"), ("whiten", "identity")
        wall = build(CountingLab(), layers=layers, calibrators=specs)
        assert embedded == ["layer:2", "layer:1"]
        names = [f"{name}, {spec}" for name in layers for spec in specs]
        assert [space.name for space in wall.spaces] == names
        assert not np.allclose(wall.spaces[1].z, wall.spaces[3].z)

    def test_models_may_differ(self, base, build, tmp_path):
        other = save_tiny_model(tmp_path / "roberta", "roberta")
        wall = build(models=(base.model, str(other)))
        encoder = TransformerEncoder(resolve_model(str(other)), max_length=MAX_TOKENS, device="cpu")
        expected = encoder.encode(list(wall.rows.texts)).vectors[2, 0]
        np.testing.assert_allclose(wall.spaces[1].z, expected, rtol=0, atol=1e-5)
        assert not np.allclose(wall.spaces[0].z, wall.spaces[1].z)


def test_single_sentences_are_rows_too(base, build, x):
    pairs, corpus = Lab().load(base)
    texts = ("a dog", "the cat", "a dog")
    single = replace(pairs, first=texts, second=(), gold=None, subsets=("u", "v", "w"))
    wall = build(Lab(tables={base.dataset: (single, corpus)}))
    assert wall.rows.texts == ("a dog", "the cat")
    assert [each.name for each in wall.rows.columns] == ["subset", "length"]
    assert column(wall, "subset").cells([0, 1]) == ["u", "v"]
    np.testing.assert_allclose(wall.spaces[0].z, x(["a dog", "the cat"]), rtol=0, atol=1e-5)
