"""How many sentences does a calibrator need? Scores after fitting on parts of the corpus."""

from bertflow_core.calibrators.spec import BASELINE, DEFAULT_SPECS
from bertflow_core.datasets.corpus import sized
from bertflow_core.datasets.texts import need_targets
from bertflow_core.errors import InputError
from bertflow_core.figures import Figure, score_by_dataset
from bertflow_core.lab.grid import scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import too_few
from bertflow_core.lab.verdict import verdict
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Report
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, study
from bertflow_core.wording import counted

_TIMES = (0.25, 0.5, 1, 2, 4, 8)
"""Sizes of the parts to fit on, in multiples of the dimension; the last fit uses all sentences."""

_FEWEST_SIZES = 3


def _figure(report: Report) -> Figure:
    curves = report.by("calibrator")
    scores = {spec: [row["score"] for row in rows] for spec, rows in curves.items()}
    names = [f"{size:,}" for size in report.by("n_fitted")]
    figure = score_by_dataset(scores, names, [*curves], title=report.column("score").header)
    return figure.update_xaxes(title="sentences fitted on")


@study(
    "fit-size",
    Recipe,
    (),
    title="How many sentences does a calibrator need?",
    figures=lambda report: {"fit_size": lambda: _figure(report)},
    calibrators=DEFAULT_SPECS,
    baseline=True,
)
def fit_size(recipe: Recipe, lab: Lab, calibrators: Specs) -> Result:
    """Fit each calibrator on random parts of the corpus and score the same pairs.

    The answer compares the best of all these fits with the uncalibrated vectors.
    """
    data, n = lab.data(recipe), len(lab.corpus(recipe))
    need_targets(data)
    (one,) = lab.vectors([recipe], data.texts[:1], sides=data.sides[:1])
    n_features = one.x.shape[1]
    name, _ = sized(recipe.fit_on)
    parts = {size: recipe.with_(fit_on=f"{name}:{size}") for size in _sizes(n, n_features)}
    parts[n] = recipe
    points = {
        (spec, size): part.with_(calibrator=spec)
        for spec in calibrators
        for size, part in parts.items()
    }
    grid = scored(reversed(points.values()), lab)  # the whole corpus first embeds every part
    cells = {at: grid.cells[point] for at, point in points.items()}
    missing = (
        f"{spec} has no score on {counted(size, 'sentence')}: {'; '.join(cell.notes)}."
        for (spec, size), cell in cells.items()
        if cell.score is None
    )
    raw, metric = (BASELINE, n), grid.metric(points[BASELINE, n])
    few = too_few(cells[raw].score, data, metric)
    best = verdict(grid.scores({at: (point,) for at, point in points.items()}), raw, too_few=few)
    answer = few if best is None else best.sentence(data.title, metric, _spoken)
    about = (
        "Each fit uses a random part of the fit corpus. All fits are scored on the same "
        f"{metric.unit}."
    )
    return Result(
        [
            {"calibrator": spec, "n_fitted": size, "score": cell.score}
            for (spec, size), cell in cells.items()
        ],
        [
            *remarks_of(Kind.ANSWER, answer),
            *remarks_of(Kind.MISSING, *missing),
            *remarks_of(Kind.METHOD, about),
        ],
        recipes=[cells[raw].recipe],
        columns=(
            Column("calibrator"),
            Column("n_fitted", "sentences fitted on", ","),
            Column("score", metric.header, ".2f", times=100),
        ),
        facts={"n_features": n_features},
    )


def _spoken(at: tuple[str, int]) -> str:
    """Return the name of a fit as a sentence has it."""
    spec, size = at
    return "the uncalibrated vectors" if spec == BASELINE else f"{spec} on {size:,} sentences"


def _sizes(n: int, n_features: int) -> list[int]:
    """Return the sizes of the parts."""
    sizes = [size for times in _TIMES if 2 <= (size := int(times * n_features)) < n]
    if len(sizes) < _FEWEST_SIZES:
        least = int(_TIMES[_FEWEST_SIZES - 1] * n_features)
        raise InputError(
            f"{n:,} sentences are too few to fit on in {n_features:,} dimensions: this needs more "
            f"than {least:,}"
        )
    return sizes
