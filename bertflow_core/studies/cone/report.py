"""The cone as a report, as figures, and as the result that ships with the package."""

import json
from collections.abc import Sequence

from bertflow_core.evaluation import RANDOM_COSINE
from bertflow_core.figures import Figure, share_histograms
from bertflow_core.figures.cone import Sphere, spheres
from bertflow_core.files import resource
from bertflow_core.layer_choices import encodings_apart, layer_columns, layer_options, shared_by
from bertflow_core.recipe import Recipe
from bertflow_core.report import Record, Report
from bertflow_core.studies.cone.measure import Cone, Opening
from bertflow_core.text_table import TextTable, percent

__all__ = ["cone_figure", "cone_report", "random_figure", "stored_cone"]

STORED = "results/cone.json"


def stored_cone() -> Cone:
    """Return the result that ships with the package: the captions at layer 4 and the last."""
    return Cone.from_dict(json.loads(resource(STORED).read_text(encoding="utf-8")))


def cone_report(cone: Cone) -> Report:
    """Report angles, lengths of the mean and rho by layer set and calibrator."""
    specs = tuple(dict.fromkeys(each.spec for each in cone.openings))
    recipe = shared_by(cone.recipes).without("calibrator")
    remarks = (
        f"{cone.n_pairs:,} pairs; {recipe.caption()}.",
        *encodings_apart(cone.recipes),
        "mean length: of the mean of the unit vectors, 1 where all point the same way.",
        f"random cos: {RANDOM_COSINE}.",
    )
    return Report(
        name="cone",
        tables=lambda: (_table(cone, remarks),),
        records=lambda: [_record(each, cone, recipe) for each in cone.openings],
        shared=recipe.columns(),
        document=cone.to_dict,
        remarks=remarks,
        command=recipe.to_command(
            specs, command="bertflow-lab analyse cone", options=layer_options(cone.recipes)
        ),
        figures=lambda: {
            f"cone-{at.layers}".replace(":", "-"): cone_figure(cone, cone.at(at.layers))
            for at in cone.recipes
        },
    )


def _record(opening: Opening, cone: Cone, shared: Recipe) -> Record:
    return {
        "layers": opening.layers,
        "calibrator": opening.spec,
        "rho": opening.rho,
        "mean_length": opening.mean_length,
        "random_cosine": opening.random_cosine,
        **layer_columns(cone.recipe.with_(layers=opening.layers), shared),
    }


def _table(cone: Cone, remarks: tuple[str, ...]) -> TextTable:
    rows = tuple(
        (
            each.layers,
            each.spec,
            percent(each.rho),
            f"{each.mean_length:.2f}",
            f"{each.random_cosine:.3f}",
        )
        for each in cone.openings
    )
    header = ("layers", "calibrator", "rho x 100", "mean length", "random cos")
    return TextTable(header, rows, remarks, n_labels=2)


def cone_figure(cone: Cone, openings: Sequence[Opening]) -> Figure:
    """Draw the shown sentences on one sphere for each calibrator.

    Args:
        cone: Holds the sentences.
        openings: What each panel shows.
    """
    sides = [side for column in (0, 1) for side in ((pair, column) for pair in cone.pairs)]
    return spheres(
        [
            Sphere(
                title=f"{opening.layers}: {opening.spec}",
                spec=opening.spec,
                angles=opening.angles,
                azimuths=opening.azimuths,
                mean_length=opening.mean_length,
                texts=[
                    f"{pair[column]}\nits pair: {pair[1 - column]}\n"
                    f"angle of the pair: {angle:.0f}°, people's grade: {pair[2]:g}"
                    for (pair, column), angle in zip(sides, opening.pair_angles * 2, strict=True)
                ],
            )
            for opening in openings
        ]
    )


def random_figure(openings: Sequence[Opening]) -> Figure:
    """Draw how the cosines of random pairs are spread, a line for each calibrator."""
    return share_histograms(
        {each.spec: each.random_shares for each in openings}, label="cosine of a random pair"
    )
