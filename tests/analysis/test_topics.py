"""Names of regions: made-up topics get their words, and the weights are those of the formula."""

from math import log

import numpy as np
import pytest

from bertflow_core.analysis.topics import WIDEST, count_terms, distinctive_words, topics_of

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


def test_the_weights_are_those_of_the_formula_worked_by_hand():
    texts = ["cat dog", "cat dog", "cat dog fish", "fish bird", "fish bird", "fish cat"]
    labels = np.array([0, 0, 0, 1, 1, 1])
    # Of 13 terms class 0 has 7: cat 3, dog 3, fish 1; class 1 has 6: fish 3, bird 2, cat 1.
    total = {"cat": 4, "dog": 3, "fish": 4, "bird": 2}
    weight = {term: log(1 + 6.5 / n) for term, n in total.items()}
    assert 3 / 7 * weight["dog"] > 3 / 7 * weight["cat"]
    assert 3 / 6 * weight["fish"] > 2 / 6 * weight["bird"]
    terms = count_terms(texts)
    assert terms.names == ("bird", "cat", "dog", "fish")
    assert distinctive_words(terms, labels) == [("dog", "cat"), ("fish", "bird")]
    assert distinctive_words(terms, labels, n_words=1) == [("dog",), ("fish",)]


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
