"""The page of five questions, which a class answers before and after the lesson."""

import json
import tomllib
from importlib.resources import files

from bertflow_core.figures.pages import Page, picture_page

PAGE = (
    *("questions.html", "Five questions, before and after"),
    "Answer them before the lesson, without looking anything up, and again after it. Save the "
    "second answers to see the right ones. Your answers stay on this device. The file that you "
    "save holds your answers and nothing about you.",
)


def questions_page(*, ways: str) -> Page:
    """Return the page; it saves the answers as CSV on the device that shows it."""
    text = (files(__package__) / "questions.toml").read_text(encoding="utf-8")
    asked = json.dumps(tomllib.loads(text)["question"]).encode()
    picture = ("questions", "questions.js", "questions.css")
    return picture_page(PAGE, picture, payload=asked, ways=ways)
