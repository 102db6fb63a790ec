"""The playground: typed sentences among real ones, walks through latent space, and samples."""

from bertflow_core.studies.playground.nearest import corpus_neighbours
from bertflow_core.studies.playground.pairs import TypedPairs, compare_typed, pair_records
from bertflow_core.studies.playground.presets import (
    Preset,
    contrast_finding,
    contrast_margins,
    load_presets,
)
from bertflow_core.studies.playground.report import pairs_report, samples_report, walk_report
from bertflow_core.studies.playground.samples import (
    MAX_SAMPLES,
    Samples,
    draw_samples,
    sample_records,
)
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
from bertflow_core.studies.playground.walk import MAX_STEPS, Walk, WayName, walk, walk_records

__all__ = [
    "MAX_CHARACTERS",
    "MAX_SAMPLES",
    "MAX_SENTENCES",
    "MAX_SPACES",
    "MAX_STEPS",
    "MIN_SENTENCES",
    "PlaySpace",
    "Playground",
    "Preset",
    "Samples",
    "SentenceMap",
    "Typed",
    "TypedPairs",
    "Walk",
    "WayName",
    "build_playground",
    "checked_specs",
    "compare_typed",
    "contrast_finding",
    "contrast_margins",
    "corpus_neighbours",
    "draw_samples",
    "embed_typed",
    "load_presets",
    "map_typed",
    "pair_records",
    "pairs_report",
    "read_lines",
    "sample_records",
    "samples_report",
    "walk",
    "walk_records",
    "walk_report",
]
