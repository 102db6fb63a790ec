"""A lesson as one HTML file that asks nobody for anything: text, questions, pictures, script."""

import hashlib
from base64 import b64encode
from html import escape
from importlib.resources import files

from bertflow_core.figures import Figure
from bertflow_core.figures.files import plotly_script
from bertflow_core.studies.tour.step import Lesson, Passed, Step, shared_origin

__all__ = ["MARK", "TITLE", "lesson_page"]

TITLE = "Why cosine fails, and what mends it"

MARK = '<meta name="generator" content="bertflow-lab report --tour">'
"""By this line, near its beginning, a file is known as such a lesson."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
{mark}
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p>A tour of {n_steps} questions. Choose an answer before you reveal the picture: the numbers are
computed from the data that are named under each.</p>
<nav aria-label="Steps"><ol>
{contents}
</ol></nav>
</header>
<main>
{steps}
</main>
<footer>
<h2>How this was made</h2>
<p class="caption">{shared}</p>
<pre>{command}</pre>
<p class="caption">{versions}</p>
</footer>
<script>{plotly}</script>
<script>{own}</script>
</body>
</html>
"""

_STEP = """<section id="{name}" data-step aria-labelledby="{name}-title">
<h2 id="{name}-title">{number}. {title}</h2>
<p>{text}</p>
{exhibits}
<fieldset data-right="{right}">
<legend>{question}</legend>
{choices}
</fieldset>
<p class="hint">Choose, then reveal.</p>
<details>
<summary>Reveal</summary>
<p class="verdict" role="status"></p>
<p><strong>Answer: {answer}.</strong> {explanation}</p>
<figure class="picture" aria-label="{alt}" data-figure="{name}-figure">
<p class="caption">The picture needs JavaScript. It shows: {alt}.</p>
</figure>
<p class="caption">{caption}</p>
<p class="caption">Look further: page /{page} of bertflow-lab app.</p>
</details>
<script type="application/json" id="{name}-figure">{figure}</script>
</section>"""

_PASSED = """<section id="{name}" aria-labelledby="{name}-title">
<h2 id="{name}-title">{number}. {title}</h2>
<p>Passed over: {reason}.</p>
</section>"""

_EXHIBIT = """<figure class="exhibit"><figcaption>{label}</figcaption>
<blockquote>{text}</blockquote></figure>"""

_CHOICE = '<label><input type="radio" name="{name}" value="{value}">{choice}</label>'


def lesson_page(lesson: Lesson, *, title: str = TITLE) -> str:
    """Return a lesson as a page that works offline, on paper, and for the most part without script.

    Args:
        lesson: Its figures are left as they are.
        title: Of the page; any text.
    """
    style, own = (
        (files(__package__) / name).read_text(encoding="utf-8")
        for name in ("lesson.css", "lesson.js")
    )
    plotly = plotly_script()
    texts = {
        "title": title,
        "shared": shared_origin(lesson.recipe),
        "command": lesson.command,
        "versions": lesson.versions,
    }
    return _PAGE.format(
        mark=MARK,
        policy=_policy(plotly, own),
        style=style,
        plotly=plotly,
        own=own,
        n_steps=sum(isinstance(step, Step) for step in lesson.steps),
        contents="\n".join(_link(step) for step in lesson.steps),
        steps="\n".join(
            _step(number, step) if isinstance(step, Step) else _passed(number, step)
            for number, step in enumerate(lesson.steps, start=1)
        ),
        **{name: escape(text) for name, text in texts.items()},
    )


def _policy(*scripts: str) -> str:
    """Forbid everything but these scripts; styles are Plotly's too, which are not known before."""
    digests = (b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _link(step: Step | Passed) -> str:
    chapter = step.chapter
    return f'<li><a href="#{escape(chapter.name)}">{escape(chapter.title)}</a></li>'


def _passed(number: int, step: Passed) -> str:
    chapter = step.chapter
    texts = {"name": chapter.name, "title": chapter.title, "reason": step.reason.rstrip(".")}
    return _PASSED.format(number=number, **{name: escape(text) for name, text in texts.items()})


def _step(number: int, step: Step) -> str:
    chapter, told = step.chapter, step.told
    texts = {
        "name": chapter.name,
        "title": chapter.title,
        "page": chapter.page,
        "text": told.text,
        "question": told.question,
        "answer": told.choices[told.right],
        "explanation": told.explanation,
        "alt": told.alt,
        "caption": f"{told.origin}.",
    }
    return _STEP.format(
        number=number,
        right=told.right,
        exhibits="\n".join(
            _EXHIBIT.format(label=escape(label), text=escape(text)) for label, text in told.exhibits
        ),
        choices="\n".join(
            _CHOICE.format(name=escape(chapter.name), value=value, choice=escape(choice))
            for value, choice in enumerate(told.choices)
        ),
        figure=_data(told.figure),
        **{name: escape(text) for name, text in texts.items()},
    )


def _data(figure: Figure) -> str:
    """Return a figure as JSON that no text in it can end before its time."""
    text: str = Figure(figure).update_layout(template="none").to_json()
    return text.replace("<", "\\u003c")
