"""The playground: typed sentences among real ones, under several calibrators."""

from bertflow_core.studies.playground.nearest import corpus_neighbours
from bertflow_core.studies.playground.pairs import TypedPairs, compare_typed, pair_records
from bertflow_core.studies.playground.presets import (
    Preset,
    contrast_finding,
    contrast_margins,
    load_presets,
)
from bertflow_core.studies.playground.report import pairs_report
from bertflow_core.studies.playground.spaces import (
    MAX_SPACES,
    Playground,
    PlaySpace,
    build_playground,
    checked_specs,
)
from bertflow_core.studies.playground.typed import (
    MAX_CHARACTERS,
    MAX_SENTENCES,
    MIN_SENTENCES,
    SentenceMap,
    Typed,
    embed_typed,
    map_typed,
    read_lines,
)

__all__ = [
    "MAX_CHARACTERS",
    "MAX_SENTENCES",
    "MAX_SPACES",
    "MIN_SENTENCES",
    "PlaySpace",
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
    "pair_records",
    "pairs_report",
    "read_lines",
]
