"""The plain page that every study has unless another shows it: the page's part of the contract."""

import csv
import io

import pytest
from app_pages import at_address, button, check, press, texts
from bertflow_app import navigation, uploads

from bertflow_core.datasets import load_pairs
from bertflow_core.studies import STUDIES, study_of

PRESSED = {
    "cone": {},
    "scale": {"dataset": "teaching"},  # more pairs
    "sweep": {"calibrators": "null-top-k", "values": "0,2"},
}
"""The studies whose page is used here, and what each is asked; tests/studies has all reports."""


@pytest.fixture(scope="module")
def small():
    """The name of an uploaded table of few graded pairs."""
    pairs = load_pairs("teaching")
    stream = io.StringIO()
    rows = zip(pairs.first, pairs.second, pairs.gold, pairs.subsets, strict=True)
    csv.writer(stream).writerows([("sentence1", "sentence2", "score", "subset"), *rows][::9])
    return uploads.add("mine.csv", stream.getvalue().encode())


@pytest.mark.parametrize("name", STUDIES)
def test_the_page_of_a_study_shows_its_choices_and_all_of_its_report(name, small, monkeypatch):
    monkeypatch.setattr(navigation, "PAGES", {"start": navigation.PAGES["start"]})
    monkeypatch.setattr(navigation, "OLD", {})
    asked = {"dataset": small, "calibrators": "standardize", **PRESSED.get(name, {})}
    page = at_address(name, **asked)
    study = study_of(name)
    assert page.title[0].value == study.title
    assert STUDIES[name][1] in texts(page)
    if name in PRESSED:
        page = press(page, "Measure")
        assert page.code[-1].value.startswith(f"{study.command} ")
        shown = {each.label for each in page.get("download_button")}
        assert {"CSV", "Markdown", "JSON"} <= shown
    check(page, pictures=2 if name in PRESSED else 0)
    assert button(page, "Measure")
