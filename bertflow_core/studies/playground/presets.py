"""Sentences that teach: which two mean the same, and which two only share their words."""

import json
from dataclasses import dataclass

from bertflow_core.evaluation.similarity import cosine_matrix
from bertflow_core.files import resource
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.playground.typed import Typed
from bertflow_core.text_table import shown_difference

_FILE = "playground.json"


@dataclass(frozen=True)
class Contrast:
    """Three sentences of a preset, numbered from 1.

    Attributes:
        anchor: The sentence that the others are compared with.
        same: The one that means the same; it should be nearer.
        other: The one that means something else.
    """

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
    entries = json.loads(resource(_FILE).read_text(encoding="utf-8"))["presets"]
    return {
        entry["title"]: Preset(
            title=entry["title"],
            watch=entry["watch"],
            sentences=tuple(entry["sentences"]),
            contrasts=tuple(Contrast(*each) for each in entry["contrasts"]),
        )
        for entry in entries
    }


def contrast_margins(preset: Preset, typed: Typed) -> dict[str, tuple[float, ...]] | None:
    """Return by how much the sentence that means the same is nearer, per contrast, by spec.

    Cosine with `same` less cosine with `other`, both with the three digits that are shown; below 0
    where shared words decide. None where the sentences are no longer the preset's.
    """
    if typed.sentences != preset.sentences:
        return None
    return {
        spec: tuple(_margin(cosine_matrix(z, z), each) for each in preset.contrasts)
        for spec, z in typed.z.items()
    }


def contrast_finding(preset: Preset, typed: Typed) -> str:
    """Say in one sentence how often meaning wins over shared words; nothing for other sentences."""
    margins = contrast_margins(preset, typed)
    if not margins:
        return ""
    wins = {spec: sum(each > 0 for each in values) for spec, values in margins.items()}
    n_wins, *others = wins.values()
    counts = [f"{n} under {spec}" for spec, n in wins.items()]
    if others and set(others) == {n_wins}:
        counts = [f"{n_wins} under every calibrator"]
    said = ", ".join(counts).replace(" under", f" of {len(preset.contrasts)} times under", 1)
    return f"The sentence that means the same is nearer than the one that shares the words {said}."


def _margin(cosine: FloatArray, contrast: Contrast) -> float:
    other, same = cosine[contrast.anchor - 1, [contrast.other - 1, contrast.same - 1]].tolist()
    return shown_difference(other, same, digits=3)
