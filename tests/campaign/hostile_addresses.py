"""Addresses of the app with parameters of a page, some as its boxes offer them, some odd."""

from collections.abc import Mapping, Sequence
from random import Random

from bertflow_app.address import CHOICES, NUMBERS
from bertflow_app.navigation import GROUPS
from hostile_options import CHOICES as WORDS
from hostile_options import SPECS
from hostile_values import number, text

__all__ = ["PAGES", "Boxes", "address"]

PAGES = [name for members in GROUPS.values() for name, _, _ in members]

Boxes = Mapping[str, Sequence[str]]
"""What the boxes of a page offer, by parameter."""


def address(rng: Random, boxes: Mapping[str, Boxes]) -> tuple[str, dict[str, str | list[str]]]:
    """Return a page and the query of its address; `boxes` are those of every page."""
    page = rng.choice(PAGES)
    own = boxes[page]
    names = [*own, *own, *sorted(NUMBERS | CHOICES), text(rng)[:200] or "x"]
    chosen = rng.sample(names, rng.choice((1, 3, 6, 12)))
    return page, {name: _value(rng, own.get(name, ())) for name in chosen}


def _value(rng: Random, offered: Sequence[str]) -> str | list[str]:
    if offered and rng.random() < 0.6:
        return rng.choice((rng.choice(offered), rng.sample(offered, rng.randint(1, len(offered)))))
    kind = rng.choice((text, number, None, None))
    value = kind(rng)[:5_000] if kind else rng.choice((*WORDS, *SPECS))
    value = value.replace("\ud800", "\ufffd")
    return [value, rng.choice(WORDS)] if rng.random() < 0.1 else value
