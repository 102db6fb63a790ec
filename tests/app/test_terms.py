"""Hovering explains a word as the glossary of the docs does."""

from pathlib import Path

from bertflow_app.parts.terms import _TERMS, meaning

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"


def test_a_term_is_explained_as_in_the_glossary():
    page = " ".join(GLOSSARY.read_text(encoding="utf-8").split())
    assert all(f"- {meaning(term)}" in page for term in _TERMS)
