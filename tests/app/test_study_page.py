"""The plain page that every study has unless another shows it: the page's part of the contract."""

import pytest
from app_pages import at_address, button, check, jobs, press, table, texts
from bertflow_app import navigation

from bertflow_core.studies import STUDIES, study_of

PRESSED = {"scale": {}, "sweep": {"calibrators": "null-top-k", "values": "0,2"}}
"""The studies whose page is used here, and what each is asked; tests/studies has all reports."""


@pytest.mark.parametrize("name", STUDIES)
def test_the_page_of_a_study_shows_its_choices_and_all_of_its_report(name, monkeypatch):
    monkeypatch.setattr(navigation, "PAGES", {"start": navigation.PAGES["start"]})
    monkeypatch.setattr(navigation, "OLD", {})
    page = at_address(name, **{"calibrators": "standardize", **PRESSED.get(name, {})})
    study = study_of(name)
    assert page.title[0].value == study.title
    assert STUDIES[name][1] in texts(page)
    assert button(page, "Measure")
    assert not any(job.is_live for job in jobs())
    if name in PRESSED:
        page = press(page, "Measure")
        assert page.code[-1].value.startswith(f"{study.command} ")
        shown = {each.label for each in page.get("download_button")}
        assert {"CSV", "Markdown", "JSON"} <= shown
    if name == "scale":  # an interval is of the number beside it, in the same unit
        for _, row in table(page, "rate").iterrows():
            low, high = map(float, row["rate: 95 %"].split(" to "))
            assert low - 0.01 <= row["rate"] <= high + 0.01
    check(page, pictures=2 if name in PRESSED else 0)
