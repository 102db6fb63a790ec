"""The plain page that every study has unless another shows it: the page's part of the contract."""

import pytest
from app_pages import at_address, check, press, texts
from bertflow_app import navigation

from bertflow_core.studies import STUDIES, study_of

OWN = {"tuned": {"dataset": "captions"}, "sweep": {"calibrators": "null-top-k", "values": "0,2"}}
"""What else a study has to be asked: data with a dev split, a calibrator with the parameter."""

NO_PICTURE = {"reproduce"}
"""Its first item is a table of the paper."""


@pytest.mark.usefixtures("embedded_captions")
@pytest.mark.parametrize("name", STUDIES)
def test_the_page_of_a_study_shows_all_of_its_report(name, monkeypatch):
    monkeypatch.setattr(navigation, "PAGES", {"start": navigation.PAGES["start"]})
    monkeypatch.setattr(navigation, "OLD", {})
    chosen = {"bins": "0,5,40", "after": "standardize", "n_steps": "4", "n_words": "200"}
    page = at_address(name, **{"calibrators": "standardize", **chosen, **OWN.get(name, {})})
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
