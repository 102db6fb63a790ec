"""Sentences that teach: which two mean the same, and which two only share their words."""

import json
from dataclasses import dataclass
from typing import NamedTuple

from bertflow_core.evaluation.similarity import cosine_matrix
from bertflow_core.files import resource
from bertflow_core.studies.playground.typed import Typed
from bertflow_core.text_table import shown_difference


class Contrast(NamedTuple):
    """Three sentences of a preset, numbered from 1: `same` should be nearer to `anchor`."""

    anchor: int
    same: int
    other: int


@dataclass(frozen=True)
class Preset:
    """Sentences to begin with.

    Attributes:
        title: On the page and in its address.
        watch: What to look at, for people.
        sentences: What fills the box.
        contrasts: Which should be nearer to which.
    """

    title: str
    watch: str
    sentences: tuple[str, ...]
    contrasts: tuple[Contrast, ...]


def load_presets() -> dict[str, Preset]:
    """Return the presets that ship with the package, by title, in their order."""
    entries = json.loads(resource("playground.json").read_text(encoding="utf-8"))["presets"]
    return {
        each["title"]: Preset(
            each["title"],
            each["watch"],
            tuple(each["sentences"]),
            tuple(Contrast(*contrast) for contrast in each["contrasts"]),
        )
        for each in entries
    }


def contrast_margins(preset: Preset, typed: Typed) -> dict[str, tuple[float, ...]] | None:
    """Return by how much the sentence that means the same is nearer, per contrast, by spec.

    Cosine with `same` less cosine with `other`, both with the three digits that are shown; below 0
    where shared words decide. None where the sentences are no longer the preset's.
    """
    if typed.sentences != preset.sentences:
        return None
    cosines = {spec: cosine_matrix(z, z) for spec, z in typed.z.items()}
    return {
        spec: tuple(
            shown_difference(*map(float, cosine[a - 1, [other - 1, same - 1]]), digits=3)
            for a, same, other in preset.contrasts
        )
        for spec, cosine in cosines.items()
    }


def contrast_finding(preset: Preset, typed: Typed) -> str:
    """Say in one sentence how often meaning wins over shared words; nothing for other sentences."""
    margins = contrast_margins(preset, typed)
    if not margins:
        return ""
    wins = {spec: sum(each > 0 for each in values) for spec, values in margins.items()}
    if len(wins) > 1 and len(set(wins.values())) == 1:
        wins = {"every calibrator": next(iter(wins.values()))}
    counts = ", ".join(f"{n} under {who}" for who, n in wins.items())
    said = counts.replace(" under", f" of {len(preset.contrasts)} times under", 1)
    return f"The sentence that means the same is nearer than the one that shares the words {said}."
