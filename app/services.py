"""What pages ask of the core; the only place that caches."""

import hashlib
import json
from pathlib import Path

import streamlit as st
from bertflow_app.jobs import Job, Registry

from bertflow_core.datasets import DatasetInfo, available
from bertflow_core.errors import InputError
from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe

__all__ = ["data_sets", "evaluation", "find_evaluation", "registry"]


@st.cache_resource(show_spinner=False)
def registry() -> Registry:
    """Return the jobs of this process."""
    return Registry()


@st.cache_data(ttl=60, max_entries=1, show_spinner=False)
def data_sets() -> list[DatasetInfo]:
    """List the data sets; looked up again after a minute."""
    try:
        return available()
    except InputError:  # BERTFLOW_DATA names no folder: what is embedded is still there
        return [info for info in available(Path(__file__).parent) if info.found]


def find_evaluation(recipe: Recipe, specs: tuple[str, ...]) -> Job | None:
    """Return the job that evaluates these calibrators, if anybody started it."""
    return registry().get(_key(recipe, specs))


def evaluation(recipe: Recipe, specs: tuple[str, ...]) -> Job:
    """Start evaluating calibrators, or join those who already wait for it."""

    def work(progress: Progress) -> object:
        from bertflow_core import experiment

        return experiment.evaluate(recipe, specs, progress=progress)

    return registry().submit(_key(recipe, specs), work)


def _key(recipe: Recipe, specs: tuple[str, ...]) -> str:
    text = json.dumps([recipe.fingerprint(), specs])
    return hashlib.sha256(text.encode()).hexdigest()
