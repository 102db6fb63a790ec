"""Sentence-embedding calibration: encoders, normalizing flows, calibrators and their evaluation."""

from typing import TYPE_CHECKING

from bertflow_core.runtime.lazy import lazy_names

if TYPE_CHECKING:
    from bertflow_core.arrays.moments import Moments as Moments
    from bertflow_core.calibrators import Calibrator as Calibrator
    from bertflow_core.calibrators import build_calibrator as build_calibrator
    from bertflow_core.calibrators.saved import load_calibrator as load_calibrator
    from bertflow_core.calibrators.saved import save_calibrator as save_calibrator
    from bertflow_core.datasets import load_corpus as load_corpus
    from bertflow_core.datasets import load_dataset as load_dataset
    from bertflow_core.encoders import TransformerEncoder as TransformerEncoder
    from bertflow_core.encoders import resolve_model as resolve_model
    from bertflow_core.evaluation import pairwise_cosine as pairwise_cosine
    from bertflow_core.evaluation import score_pairs as score_pairs
    from bertflow_core.export.run import export_model as export_model
    from bertflow_core.lab.lab import Lab as Lab
    from bertflow_core.lab.recipe import Recipe as Recipe
    from bertflow_core.notebook.show import flow_plane as flow_plane
    from bertflow_core.notebook.show import wall as wall
    from bertflow_core.notebook.show import wall_of as wall_of
    from bertflow_core.runtime.context import progress_bars as progress_bars
    from bertflow_core.store import EmbeddingStore as EmbeddingStore

__version__ = "0.3.0"

# Imported on first use, so that importing the package costs nothing.
_HOMES = {
    "Calibrator": "calibrators",
    "EmbeddingStore": "store",
    "Lab": "lab.lab",
    "Moments": "arrays.moments",
    "Recipe": "lab.recipe",
    "TransformerEncoder": "encoders",
    "build_calibrator": "calibrators",
    "export_model": "export.run",
    "flow_plane": "notebook.show",
    "load_calibrator": "calibrators.saved",
    "load_corpus": "datasets",
    "load_dataset": "datasets",
    "pairwise_cosine": "evaluation",
    "progress_bars": "runtime.context",
    "resolve_model": "encoders",
    "save_calibrator": "calibrators.saved",
    "score_pairs": "evaluation",
    "wall": "notebook.show",
    "wall_of": "notebook.show",
}
__all__ = ["__version__", *_HOMES]
if not TYPE_CHECKING:  # a type checker would accept any misspelt name as Any
    __getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
