"""Words that name directions and regions: planted words, formulas, and data without any."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from bertflow_core.analysis.loadings import CHANCE, direction_loadings, lower_words
from bertflow_core.analysis.topics import WIDEST, count_terms, distinctive_words, topics_of

RNG = np.random.default_rng(5)
WORDS = np.array([f"w{i:03d}" for i in range(150)])
SENTENCES = []
for i in range(2000):  # 3 to 12 words and one unique word; every tenth has a cat, every tenth a dog
    words = [*RNG.choice(WORDS, RNG.integers(3, 13), replace=False), f"id{i}"]
    SENTENCES.append(" ".join([*words, *{0: ["cat"], 1: ["dog"]}.get(i % 10, [])]))
HAS = {w: np.array([w in s.split() for s in SENTENCES]) for w in ("cat", "dog")}
LENGTH = np.array([len(s.split()) for s in SENTENCES])
# A direction of cats against dogs, one of length, and one of noise.
PROJECTIONS = RNG.normal(size=(2000, 3)) * [1, 0.5, 3] + [10, -3, 0]
PROJECTIONS[:, 0] += 2.0 * HAS["cat"] - 1.5 * HAS["dog"]
PROJECTIONS[:, 1] -= LENGTH


@pytest.fixture(scope="module")
def result():
    return direction_loadings(PROJECTIONS, SENTENCES, [0.5, 0.3, 0.1], n_sentences=4, n_words=5)


def test_planted_words_are_found_at_their_ends(result):
    first = result[0]
    assert (first.number, first.share) == (1, 0.5)
    assert [w.word for w in first.high_words] == ["cat"]
    assert [w.word for w in first.low_words] == ["dog"]
    z = (PROJECTIONS[:, 0] - PROJECTIONS[:, 0].mean()) / PROJECTIONS[:, 0].std()
    (cat,) = first.high_words
    assert cat.n_sentences == 200
    assert cat.mean == pytest.approx(z[HAS["cat"]].mean(), rel=1e-12)
    error = np.sqrt((1 - 200 / 2000) / 200 * 2000 / 1999)
    assert cat.score == pytest.approx(cat.mean - CHANCE * error, rel=1e-9)
    (dog,) = first.low_words
    assert dog.mean < dog.score < 0


def test_the_sentences_at_the_ends_are_the_utmost_and_length_has_spearmans_rho(result):
    for k, direction in enumerate(result):
        order = np.argsort(PROJECTIONS[:, k])
        assert [s.row for s in direction.low_sentences] == order[:4].tolist()
        assert [s.row for s in direction.high_sentences] == order[::-1][:4].tolist()
        assert direction.high_sentences[0].sentence == SENTENCES[order[-1]]
        column = PROJECTIONS[:, k]
        highest = (column.max() - column.mean()) / column.std()
        assert direction.high_sentences[0].loading == pytest.approx(highest)
        assert direction.low_sentences[0].loading < 0
        assert direction.length_rho == pytest.approx(spearmanr(PROJECTIONS[:, k], LENGTH).statistic)
    assert result[1].length_rho < -0.9


def test_rare_words_do_not_win_by_chance(result):
    """Of 150 words in random places none is named, however few sentences contain it."""
    assert result[2].low_words == result[2].high_words == ()
    rare = direction_loadings(
        RNG.normal(size=(2000, 20)), SENTENCES, [0.05] * 20, min_count=1, n_words=50
    )
    assert sum(len(d.low_words) + len(d.high_words) for d in rare) <= 4


def test_equal_sentences_count_once():
    x = np.array([[5.0], [5.0], [1.0], [0.0], [1.0]])
    (direction,) = direction_loadings(
        x, ["top top", "top top", "b", "c", "b"], [1.0], min_count=1, n_sentences=2
    )
    assert [(s.row, s.sentence) for s in direction.high_sentences] == [(0, "top top"), (2, "b")]
    assert [s.row for s in direction.low_sentences] == [3, 2]
    assert direction.low_sentences[0].loading == pytest.approx(-2 / np.std([5, 1, 0]))
    (constant,) = direction_loadings(np.full((53, 1), 0.1), SENTENCES[:53], [0.0])
    assert constant.low_words == constant.high_words == ()
    assert constant.length_rho is None
    assert {s.loading for s in constant.high_sentences} == {0.0}


def test_words_are_in_lower_case_and_marks_count():
    assert lower_words("It's A Dog, isn\u2019t") == ["it's", "a", "dog", ",", "isn\u2019t"]
    x = np.repeat([[1.0], [-1.0]], 40, axis=0)
    sentences = [f"n{i} {'.' if i < 40 else '!'}" for i in range(80)]
    (direction,) = direction_loadings(x, sentences, [1.0], min_count=40)
    assert direction_loadings(x, sentences, [1.0], min_count=41)[0].high_words == ()
    assert [w.word for w in direction.high_words] == ["."]
    assert [w.word for w in direction.low_words] == ["!"]


SUBJECTS = {
    "music": ("guitar", "piano", "violin"),
    "water": ("boat", "river", "lake"),
    "street": ("car", "bicycle", "traffic"),
    "kitchen": ("onion", "knife", "soup"),
}
CORNERS = {"music": (-10, -10), "water": (10, -10), "street": (-10, 10), "kitchen": (10, 10)}


def made_up(n=60, spread=0.5, seed=0):
    """Sentences of four subjects, each in a corner of its own; a word that all have, and noise."""
    rng = np.random.default_rng(seed)
    texts, places = [], []
    for subject, words in SUBJECTS.items():
        for i in range(n):
            first, second = rng.choice(words, 2, replace=False)
            texts.append(f"The {first} and the {second} of a person, noise{i}x{subject}")
            places.append(rng.normal(CORNERS[subject], spread))
    return texts, np.array(places)


def test_made_up_topics_get_their_words_where_they_lie():
    texts, places = made_up()
    found = [each for each in topics_of(places, count_terms(texts)) if each.zoom == 1]
    assert {frozenset(each.words) for each in found} == {frozenset(w) for w in SUBJECTS.values()}
    for each in found:
        (subject,) = [name for name, words in SUBJECTS.items() if set(words) == set(each.words)]
        np.testing.assert_allclose(each.place, CORNERS[subject], atol=0.3)
        assert each.n_rows == 60


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # apple: 4 of 10 and of 8 in all, 4/10 log(1 + 15/8) = .42; pear: 3 of 10 and nowhere else,
        # 3/10 log(1 + 15/3) = .54: a rare word may outweigh a frequent one.
        ({"apple": 4, "pear": 3, "plum": 3}, {"apple": 4, "plum": 16}, ("pear", "apple")),
        # kiwi: 6/10 log(1 + 15/14) = .44; fig: 3/10 log(1 + 15/4) = .47. Were the 30 words of both
        # classes to count and not their mean of 15, kiwi would come first: .69 against .64.
        ({"kiwi": 6, "fig": 3, "plum": 1}, {"kiwi": 8, "fig": 1, "plum": 11}, ("fig", "kiwi")),
    ],
)
def test_words_are_weighed_by_how_often_all_say_them(first, second, expected):
    texts = [word for each in (first, second) for word, n in each.items() for _ in range(n)]
    labels = np.repeat([0, 1], [10, 20])
    assert distinctive_words(count_terms(texts), labels)[0] == expected


def test_function_words_and_words_of_one_text_name_nothing():
    terms = count_terms(["the the cat is 12 a don't", "The CAT of it x don\u2019t don't", "unique"])
    assert terms.names == ("cat",)
    assert terms.held.toarray().tolist() == [[1], [1], [0]]


def test_regions_grow_finer_with_the_zoom_and_stay_as_wide_as_they_may():
    rng = np.random.default_rng(1)
    places = rng.uniform(0, 8, size=(2_000, 2))
    cells = np.floor(places).astype(int)  # a word for each square of side 1
    texts = [f"square{x}{y} square{x}{y}" for x, y in cells]
    found = topics_of(places, count_terms(texts))
    numbers = [sum(each.zoom == zoom for each in found) for zoom in (1, 2, 4, 8)]
    assert numbers == sorted(numbers) and numbers[0] < numbers[-1] / 4
    for each in found:
        named = np.array([cells[texts.index(f"{word} {word}")] + 0.5 for word in each.words])
        far = np.abs(named - each.place).max()
        assert far <= WIDEST * 8 / each.zoom + 1
    sizes = [each.n_rows for each in found if each.zoom == 2]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) == 2_000


def test_nothing_is_named_where_there_is_nothing_to_tell_apart_and_equal_places_are_one_part():
    for n in (40, 3, 0):
        assert topics_of(np.zeros((n, 2)), count_terms(["cat dog"] * n)) == ()
    texts, places = made_up(spread=0)
    found = topics_of(places, count_terms(texts))
    assert {each.n_rows for each in found} == {60}
