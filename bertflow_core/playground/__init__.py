"""The playground: typed sentences among real ones, walks through latent space, and samples."""

from bertflow_core.playground.maps import SentenceMap, map_typed
from bertflow_core.playground.nearest import corpus_neighbours
from bertflow_core.playground.pairs import TypedPairs, compare_typed, pair_records
from bertflow_core.playground.presets import Preset, contrast_margins, load_presets
from bertflow_core.playground.samples import MAX_SAMPLES, Samples, draw_samples, sample_records
from bertflow_core.playground.spaces import (
    MAX_SPACES,
    Playground,
    PlaySpace,
    build_playground,
    checked_specs,
)
from bertflow_core.playground.typed import (
    MAX_CHARACTERS,
    MAX_SENTENCES,
    MIN_SENTENCES,
    Typed,
    embed_typed,
    read_lines,
)
from bertflow_core.playground.walk import MAX_STEPS, Walk, WayName, walk, walk_records

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
    "contrast_margins",
    "corpus_neighbours",
    "draw_samples",
    "embed_typed",
    "load_presets",
    "map_typed",
    "pair_records",
    "read_lines",
    "sample_records",
    "walk",
    "walk_records",
]
