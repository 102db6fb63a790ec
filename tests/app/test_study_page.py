"""The plain page that every study has unless another shows it: the page's part of the contract."""

import csv
import io

import pytest
from app_pages import at_address, check, press, texts
from bertflow_app import navigation, services

from bertflow_core.datasets import load_pairs
from bertflow_core.datasets.collection import Collection, read_collection
from bertflow_core.studies import STUDIES, study_of

CHOSEN = {
    "calibrators": "standardize",
    "bins": "0,5,40",
    "after": "standardize",
    "n_steps": "4",
    "n_words": "200",
}
OWN = {
    **{key: {"dataset": "teaching"} for key in ("scale", "compare", "fit-size", "newborn")},
    "sweep": {"calibrators": "null-top-k", "values": "0,2"},
}
"""What else a study has to be asked: more pairs, a calibrator with the parameter."""

NO_PICTURE = {"reproduce"}
"""Its first item is a table of the paper."""


def few_questions(name, split):
    """Return the first built-in questions and the sentences that answer them."""
    whole = read_collection(name, split)
    grades = dict(list(whole.grades.items())[:12])
    found = {number: whole.documents[number] for each in grades.values() for number in each}
    documents = {number: found[number] for number in sorted(found)}
    return Collection(documents, {n: whole.queries[n] for n in grades}, grades, 0)


@pytest.fixture(scope="module")
def small():
    """The name of an uploaded table of few graded pairs."""
    pairs = load_pairs("teaching")
    stream = io.StringIO()
    rows = zip(pairs.first, pairs.second, pairs.gold, pairs.subsets, strict=True)
    csv.writer(stream).writerows([("sentence1", "sentence2", "score", "subset"), *rows][::9])
    return services.uploads().add("mine.csv", stream.getvalue().encode())


@pytest.mark.parametrize(
    "name", sorted(STUDIES.keys() - {"tuned"})
)  # it needs data with a dev split
def test_the_page_of_a_study_shows_all_of_its_report(name, small, monkeypatch):
    monkeypatch.setattr("bertflow_core.studies.retrieval.read_collection", few_questions)
    monkeypatch.setattr(navigation, "PAGES", {"start": navigation.PAGES["start"]})
    monkeypatch.setattr(navigation, "OLD", {})
    page = at_address(name, **{"dataset": small, **CHOSEN, **OWN.get(name, {})})
    study = study_of(name)
    assert page.title[0].value == study.title
    assert STUDIES[name][1] in texts(page)
    page = press(page, "Measure")
    check(page)
    assert page.code[-1].value.startswith(f"{study.command} ")
    assert len(page.dataframe) >= 1
    assert name in NO_PICTURE or len(page.get("plotly_chart")) >= 1
    shown = {each.label for each in page.get("download_button")}
    assert {"CSV", "Markdown", "JSON"} <= shown
