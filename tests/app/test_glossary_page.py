"""The glossary: every word once, each with a page that is there."""

from collections import Counter

from app_pages import check, open_page, texts
from bertflow_app.navigation import GROUPS as PAGES

from bertflow_core.analysis.measures import IDEAS
from bertflow_core.calibrators.registry import CALIBRATORS
from bertflow_core.studies.glossary import GROUPS

TERMS = [term for terms in GROUPS.values() for term in terms]


def test_every_word_is_defined_once_and_leads_to_a_page_that_is_there():
    names = [term.name for term in TERMS]
    names += [each.title for each in IDEAS]
    assert max(Counter(map(str.lower, names)).values()) == 1
    known = {name for members in PAGES.values() for name, *_ in members} | {""}
    assert {term.page for term in TERMS} <= known


def test_the_page_shows_all_of_them_or_those_looked_for():
    page = open_page("glossary")
    check(page, controls=1)
    said = texts(page)
    assert all(f"**{term.name}**: {term.text}" in said for term in TERMS)
    assert all(f"**{each.title}**: ${each.formula}$. {each.text}" in said for each in IDEAS)
    assert all(said.count(f"**{name}**: ") == 1 for name in CALIBRATORS)
    page.text_input(key="glossary").set_value("BITS per").run()
    assert texts(page).count("**") == 2
    page.text_input(key="glossary").set_value("no such word").run()
    assert "No definition" in texts(page)
