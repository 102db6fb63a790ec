"""What the frequency of words has to do with where a wall's rows lie, in words."""

import numpy as np

from bertflow_core.analysis.frequency import runs_text
from bertflow_core.linalg import FloatArray, spearman
from bertflow_core.studies.wall.parts import Column
from bertflow_core.studies.wall.spaces import Wall
from bertflow_core.studies.words.study import over_all

__all__ = ["frequency_finding"]


def frequency_finding(wall: Wall) -> str:
    """Say how the norm goes with frequency in each pane; nothing where one of them does not vary.

    Of words also how it goes from frequent to rare ones, which one correlation does not tell.
    """
    columns = {column.name: column for column in wall.columns}
    known = [column for name, column in columns.items() if "frequency" in name]
    if not known:
        return ""
    panes = range(len(wall.spaces))
    norms = [columns["norm"].of_pane(i) for i in panes]
    rhos = [_rho(known[0].of_pane(i), norms[i]) for i in panes]
    found = [rho for rho in rhos if rho is not None]
    if len(found) < len(rhos):
        return ""
    named = [f"{rho:+.2f} ({name})" for name, rho in zip(wall.names, found, strict=True)]
    if not wall.recipe.of_words:
        return (
            f"{_where('Sentences of frequent words', found)}: over all {len(wall.rows):,} rows the "
            f"rank correlation of norm and frequency is {', '.join(named)}."
        )
    courses = _courses(wall.names, norms, columns["bin"])
    if len(courses) == 1:
        (alike,) = courses
        said = f"{alike} in every pane" if len(rhos) > 1 else alike
    else:
        alike = ""
        said = "; ".join(f"{course} in {' and '.join(names)}" for course, names in courses.items())
    return (
        f"From frequent to rare words, the mean norm {said}. "
        f"{over_all(len(wall.rows), alike, found)} {', '.join(named)}. The page Words shows the "
        "trend by rank."
    )


def _courses(names: tuple[str, ...], norms: list[FloatArray], bins: Column) -> dict[str, list[str]]:
    """Return by the course of the mean norm over the bins the panes that have it."""
    courses: dict[str, list[str]] = {}
    for name, norm in zip(names, norms, strict=True):
        means = [float(norm[bins.values == place].mean()) for place in np.unique(bins.values)]
        courses.setdefault(runs_text(means), []).append(name)
    return courses


def _where(what: str, rhos: list[float]) -> str:
    """Say where frequent rows lie, if that is the same in every pane."""
    if min(rhos) > 0:
        return f"{what} lie farther from the origin"
    if max(rhos) < 0:
        return f"{what} lie nearer to the origin"
    return f"{what} lie farther from the origin in some spaces (above 0) and nearer in others"


def _rho(frequency: FloatArray, norm: FloatArray) -> float | None:
    is_known = ~np.isnan(frequency)
    return spearman(frequency[is_known], norm[is_known])
