import numpy as np
import pytest
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.datasets import Corpus
from bertflow_core.lab import Lab
from bertflow_core.studies.space.rows import SampleSizes, choose_rows

ROWS = [*pair_rows(40), pair_rows(1)[0]]  # the first pair twice
SIDES = [side for row in ROWS for side in row[:2]]


@pytest.fixture
def data(tmp_path):
    (tmp_path / "lines.txt").write_text("\n".join([*SIDES[10:60], "another one"]))
    table = write_pairs(tmp_path / "pairs.csv", ROWS)
    recipe = tiny_recipe("none", table, fit_on=str(tmp_path / "lines.txt"))
    return (*Lab().load(recipe), Lab().data(recipe).all_sentences)


def texts(rows, which):
    return [rows.sentences[i] for i in which]


def test_the_cloud_is_every_sentence_and_neighbours_are_one_side_of_each_pair(data):
    rows = choose_rows(*data, SampleSizes(), seed=0)
    assert texts(rows, rows.cloud) == SIDES
    assert rows.n_fitted == sum(side in SIDES[10:60] for side in SIDES)
    assert texts(rows, rows.neighbours) == SIDES[:80:2]
    assert texts(rows, rows.both_sides) == SIDES[:80]
    assert texts(rows, rows.fit) == [*SIDES[10:60], "another one"]


def test_no_held_out_sentence_is_fitted_on(data):
    rows = choose_rows(*data, SampleSizes(), seed=0)
    held = set(texts(rows, rows.held_out))
    assert len(held) == len(rows.held_out) == pytest.approx(40 / 5, abs=4)
    partners = {side for row in ROWS for side in row[:2] if held & set(row[:2])}
    assert len(partners) == 2 * len(held)
    assert partners.isdisjoint(texts(rows, rows.fit_without))
    assert held & set(texts(rows, rows.fit))
    whole = texts(rows, rows.fit)
    assert texts(rows, rows.fit_without) == [s for s in whole if s not in partners]


def test_a_bound_draws_from_the_held_out_fifth_without_fitting_on_the_rest_of_it(data):
    whole = choose_rows(*data, SampleSizes(), seed=0)
    few = choose_rows(*data, SampleSizes(cloud=9, neighbours=8, held_out=7), seed=0)
    assert (len(few.cloud), len(few.neighbours), len(few.held_out)) == (9, 8, 7)
    assert len(few.both_sides) == 8
    assert set(few.both_sides[::2]) < set(few.neighbours)
    assert set(few.held_out) < set(whole.held_out)
    np.testing.assert_array_equal(few.fit_without, whole.fit_without)
    again = choose_rows(*data, SampleSizes(9, 8, 7), seed=0)
    np.testing.assert_array_equal(again.cloud, few.cloud)
    other = choose_rows(*data, SampleSizes(9, 8, 7), seed=1)
    assert list(other.cloud) != list(few.cloud)


def test_positive_pairs_are_those_of_the_split(data):
    rows = choose_rows(*data, SampleSizes(), seed=0)
    scale = data[0].scale
    least = scale[0] + 0.8 * (scale[1] - scale[0])
    positive = [row for row in ROWS if row[2] >= least]
    assert positive
    assert texts(rows, rows.first) == [row[0] for row in positive]
    assert texts(rows, rows.second) == [row[1] for row in positive]


def test_too_few_sentences_hold_none_out(data):
    few = Corpus(tuple(SIDES[:19]), "19 sentences.", ())
    rows = choose_rows(data[0], few, few, SampleSizes(), seed=0)
    assert len(rows.held_out) == 0
    np.testing.assert_array_equal(rows.fit_without, rows.fit)
