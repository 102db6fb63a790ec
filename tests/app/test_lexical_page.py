"""Words or meaning?: its numbers, the pairs it lists, and pairs that a visitor types."""

import pytest
from app_pages import button, check, finish, go, open_page, press, table, texts
from bertflow_app.pages.data.data import EXAMPLE, as_table
from scipy.stats import spearmanr

from bertflow_core.analysis.edit_distance import edit_distances
from bertflow_core.datasets import RawFile, read_table
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

BUTTON = "Compare with edit distance"


def test_the_page_says_how_closely_cosine_follows_the_words():
    page = press(open_page("lexical", calibrators="whiten", threshold="6"), BUTTON)
    check(page, controls=10, pictures=4)
    result = Lab().evaluate(Recipe(dataset="teaching"))[0]
    pairs = result.prepared.pairs
    distances, _ = edit_distances(pairs.first, pairs.second)
    rho = spearmanr(result.similarity, distances).statistic
    row = table(page, "gold_fixed").set_index("similarity").loc["identity"]
    assert row["edit_distance"] == pytest.approx(100 * rho)
    assert f"from {100 * rho:.2f} to" in texts(page)
    assert f"at most 6 apart, {(distances <= 6).sum()} pairs" in texts(page)
    fooled = table(page, "kind")
    near = fooled[fooled["kind"].str.startswith("near in words")]
    assert (near["edit_distance"] <= 6).all()
    assert (near["gold"] < sum(pairs.scale) / 2).all()

    page.radio(key="unit").set_value("character").run()
    page = finish(page)  # nothing was pressed
    assert "fewest character units" in texts(page)
    assert "--unit character" in page.code[-1].value


def test_typed_pairs_become_a_table():
    read = read_table(RawFile("typed.csv", as_table(EXAMPLE)))
    assert read.pairs.first[0] == "I like this restaurant."
    assert read.pairs.gold.tolist() == [1.5, 4.5, 2.0]
    plain = read_table(RawFile("typed.csv", as_table('a, b | c\n\nd | "e"\n')))
    assert plain.pairs.first == ("a, b", "d")
    assert plain.pairs.second == ("c", '"e"')
    assert plain.pairs.gold is None


@pytest.mark.parametrize("mark", [",", "\t"])
def test_a_pasted_table_keeps_its_columns(mark):
    lines = [
        ("sentence1", "sentence2", "score"),
        ("A cat, asleep.", "A dog.", "0.5"),
        ("A cow.", "A hen.", "no grade"),
    ]
    text = "\n".join(mark.join(f'"{cell}"' for cell in line) for line in lines)
    pairs = read_table(RawFile("typed.csv", as_table(text))).pairs
    assert (pairs.first[0], pairs.second[0]) == ("A cat, asleep.", "A dog.")
    assert pairs.gold.tolist() == [0.5]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a | b", "at least two sentences"),
        ("a | b\nc", "line 2: expected first | second | gold, got 'c'"),
        ("a | b | 1\nc | d", "line 2: give gold scores in every line or in none"),
        ("a | b | 1\nc | d | six", "line 2: gold must be a number from 0 to 5, got 'six'"),
        ("a | b | 1\nc | d | nan", "line 2: gold must be a number"),
        ("a | | 1\nc | d | 2", "line 1: expected"),
    ],
)
def test_lines_of_another_form_get_a_sentence(text, words):
    with pytest.raises(InputError) as caught:
        as_table(text)
    assert words in str(caught.value)


def test_typed_pairs_are_scored_under_what_was_fitted_before():
    page = open_page("data", calibrators="standardize")
    page.text_area(key="typed_pairs").set_value(EXAMPLE).run()
    button(page, "Use these sentences").click().run()
    assert page.selectbox(key="fit_on").value == "teaching"
    page = press(go(page, "lexical"), BUTTON)
    assert "fitted on teaching" in texts(page)
    assert "--fit-on teaching" in page.code[-1].value
