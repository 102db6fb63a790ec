"""Words without a browser: Table 1 of the embedded model, by the order of its vocabulary."""

from types import SimpleNamespace

import pytest
from app_pages import check, open_page, press, table, texts
from bertflow_app.views.words import jobs as words_jobs
from waiting import wait_for

from bertflow_core.analysis.frequency import Bin
from bertflow_core.lab import Lab
from bertflow_core.studies.words.figures import bins_figure
from bertflow_core.studies.words.measure import compare_words
from bertflow_core.studies.words.paper_table1 import published_table1
from bertflow_core.studies.words.recipe import WordRecipe


def test_table_one_is_what_the_core_measures():
    page = open_page("words", bins="0,100,500")
    page.multiselect(key="word_calibrators").set_value(["standardize"]).run()
    check(page)
    page = press(page, "Measure the words")
    check(page, pictures=7)
    results = compare_words(WordRecipe(bins=(0, 100, 500)), Lab(), ["standardize"])
    found = table(page, "measure")
    norms = found[found["measure"] == found["measure"][1]].set_index("calibrator")
    for result in results:
        shown = [float(norms.loc[result.recipe.calibrator][name]) for name in found.columns[2:]]
        assert shown == pytest.approx([each.mean_norm for each in result.bins], abs=0.0006)


def measured(bins, **norms):
    """Return results whose mean norms and dot products are these, a number a bin."""
    return [
        SimpleNamespace(
            recipe=SimpleNamespace(calibrator=spec),
            bins=[Bin(*edge, 9, y, {}, {3: y}) for edge, y in zip(bins, found, strict=True)],
        )
        for spec, found in norms.items()
    ]


def test_courses_on_other_scales_can_be_compared():
    bins = [(0, 100), (100, 500)]
    figure = bins_figure(measured(bins, identity=[1.0, 1.25], flow=[20.0, 18.0]), "mean_norm", None)
    printed, raw, flow = figure.data
    table = published_table1()
    absolute = [table.value("mean_norm", None, each) for each in bins]
    assert list(printed.customdata) == absolute
    assert list(printed.y) == pytest.approx([1, absolute[1] / absolute[0]])
    assert (list(raw.y), list(flow.y)) == ([1, 1.25], [1, 0.9])
    assert list(flow.customdata) == [20, 18]
    assert "%{customdata:.3f}, %{y:.2f} of the first" in flow.hovertemplate
    assert figure.layout.yaxis.title.text == "mean norm, first bin = 1"


def test_the_first_bin_is_the_first_that_has_words():
    bins = [(0, 50), (50, 100), (100, 500)]
    figure = bins_figure(measured(bins, identity=[None, 2.0, 3.0]), "mean_norm", None)
    (raw,) = figure.data  # the printed row begins in a later bin
    assert list(raw.y) == [None, 1, 1.5]


def test_dot_products_about_zero_stay_as_they_are():
    bins = [(0, 100), (100, 500)]
    figure = bins_figure(measured(bins, identity=[1.0, 2.0], whiten=[-0.1, 2.0]), "knn_dot", 3)
    assert [list(line.y) for line in figure.data[1:]] == [[1, 2], [-0.1, 2]]
    assert figure.layout.yaxis.title.text == "3-NN dot product"


def test_a_word_shows_its_neighbours_in_each_space():
    page = open_page("words", bins="0,50")
    page.multiselect(key="word_calibrators").set_value(["standardize"]).run()
    page = press(page, "Measure the words")
    (result, _) = compare_words(WordRecipe(bins=(0, 50)), Lab(), ["standardize"])
    row = int(result.prepared.rows[0])
    tokens = [token for _, token, _ in result.neighbours_of(row, 10)]
    assert list(table(page, "Token")["Token"]) == tokens
    assert sum("Token" in found.value for found in page.dataframe) == 2
    words, rows = result.prepared.words, result.prepared.rows
    linked = open_page("words", bins="0,50", word_calibrators="standardize", word=words[7])
    tokens = [token for _, token, _ in result.neighbours_of(int(rows[7]), 10)]
    assert list(table(linked, "Token")["Token"]) == tokens


def test_bins_that_cannot_be_are_one_sentence():
    page = open_page("words", bins="5,1")
    assert not page.exception
    assert "bins must be" in texts(page)


def test_a_list_of_counts_is_named_by_its_file_and_no_path_is_taken(tmp_path, monkeypatch):
    (tmp_path / "word_counts").mkdir()
    (tmp_path / "word_counts" / "mine.txt").write_text("the 100\nof 50\nand 20\n")
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path))
    page = open_page("words", counts="/etc/passwd")
    assert page.selectbox(key="counts").options == ["mine.txt", "order of the vocabulary"]
    assert page.selectbox(key="counts").value == "mine.txt"


@pytest.mark.parametrize(("spec", "jobs"), [("standardize", 1), ("rbig:rotation=random", 2)])
def test_a_seed_makes_another_job_only_where_something_draws(spec, jobs):
    recipes = [WordRecipe(bins=(0, 50), seed=seed) for seed in (3, 4)]
    started = [words_jobs.words(recipe, [spec], start=True) for recipe in recipes]
    assert len({id(job) for job in started}) == jobs
    for job in started:
        job.stop()
        wait_for(lambda job=job: not job.is_live)
