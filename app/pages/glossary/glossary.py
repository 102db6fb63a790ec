"""Glossary: every word, calibrator and measure of the pages, defined once."""

import streamlit as st
from bertflow_app.navigation import link

from bertflow_core.analysis.measures import IDEAS
from bertflow_core.calibrators.registry import CALIBRATORS, plain_name
from bertflow_core.studies.glossary import GROUPS, Term

WORDS = {term.name for terms in GROUPS.values() for term in terms}
EVERYTHING = GROUPS | {
    "The calibrators": tuple(
        Term(each.name, f"{plain_name(each.name)}.")
        for each in CALIBRATORS.values()
        if each.name not in WORDS
    ),
    "Measures of a space": tuple(
        Term(each.title, f"${each.formula}$. {each.text}", "sentences") for each in IDEAS
    ),
}


def draw() -> None:
    """Draw it."""
    st.title("Glossary")
    st.write("Every word of these pages, every calibrator and every measure, defined once.")
    looked_for = st.text_input(
        "Look for",
        key="glossary",
        bind="query-params",
        placeholder="cone",
        help="Part of a word or of its definition; the address holds it.",
    )
    found = {
        title: [term for term in terms if looked_for.lower() in f"{term.name} {term.text}".lower()]
        for title, terms in EVERYTHING.items()
    }
    for title, terms in found.items():
        if terms:
            st.header(title)
        for term in terms:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{term.name}**: {term.text}")
                if term.page:
                    link(term.page)
    if not any(found.values()):
        st.info("No definition holds that text.")
