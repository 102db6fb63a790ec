"""The playground: typed sentences among real ones, under several calibrators."""

from bertflow_core.studies.playground.pairs import TypedPairs, compare_typed, pairs_report
from bertflow_core.studies.playground.presets import (
    Preset,
    contrast_finding,
    contrast_margins,
    load_presets,
)
from bertflow_core.studies.playground.spaces import Playground, build_playground, checked_specs
from bertflow_core.studies.playground.typed import (
    MAX_CHARACTERS,
    MAX_SENTENCES,
    MIN_SENTENCES,
    SentenceMap,
    Typed,
    corpus_neighbours,
    embed_typed,
    map_typed,
    read_lines,
)

__all__ = [
    "MAX_CHARACTERS",
    "MAX_SENTENCES",
    "MIN_SENTENCES",
    "Playground",
    "Preset",
    "SentenceMap",
    "Typed",
    "TypedPairs",
    "build_playground",
    "checked_specs",
    "compare_typed",
    "contrast_finding",
    "contrast_margins",
    "corpus_neighbours",
    "embed_typed",
    "load_presets",
    "map_typed",
    "pairs_report",
    "read_lines",
]
