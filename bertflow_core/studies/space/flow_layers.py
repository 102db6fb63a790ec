"""What does a flow do, layer by layer? Mean cosine and norms of sentences after each layer."""

import numpy as np

from bertflow_core.analysis.gaussianity import norms_test
from bertflow_core.analysis.isotropy import mean_cosine
from bertflow_core.analysis.measures import MEASURES
from bertflow_core.arrays.sampling import distinct_rows, sample_rows
from bertflow_core.figures import Figure, measures_by_layer
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind, Remark
from bertflow_core.report.report import Column, Report
from bertflow_core.report.result import Result
from bertflow_core.report.study import fit_notes, study

FLOW = "flow"
_MOST_ROWS = 1_000
_SHOWN = ("mean_cosine", "norm_ks")


def _figure(report: Report) -> Figure:
    panels = {MEASURES[name].label: {FLOW: [row[name] for row in report.rows]} for name in _SHOWN}
    places = [str(row["flow_layer"]) for row in report.rows]
    title = "layer of the flow; 0 is the embedding"
    return measures_by_layer(panels, places).update_xaxes(dtick=2, title=title)


@study(
    "flow-layers",
    Recipe,
    (
        Column("flow_layer", "layer of the flow"),
        Column(
            "kind",
            help="ActNorm shifts and scales, a permutation reorders, a coupling shifts one half",
        ),
        *(Column(name, format=".4f", help=MEASURES[name].label) for name in _SHOWN),
    ),
    title="What does a flow do, layer by layer?",
    figures=lambda report: {"flow_layers": lambda: _figure(report)},
    without=("calibrator", "aggregation"),
)
def flow_layers(recipe: Recipe, lab: Lab) -> Result:
    """Fit the flow and measure scored sentences after each of its layers."""
    import torch

    from bertflow_core.calibrators.flow import FlowCalibrator
    from bertflow_core.flows.rows import trace

    (evaluation,) = lab.evaluations([recipe.with_(calibrator=FLOW)])
    embedded, pairs = evaluation.embedded, evaluation.embedded.pairs
    sides = [embedded.x_first, embedded.x_second] if pairs.is_paired else [embedded.x_first]
    places = distinct_rows((*pairs.first, *pairs.second))
    sample = places[sample_rows(len(places), _MOST_ROWS, seed=recipe.seed)]
    assert isinstance(evaluation.calibrator, FlowCalibrator)
    x = torch.from_numpy(np.concatenate(sides)[sample].astype(np.float32))
    way = trace(evaluation.calibrator.flow_, x)
    rows = [
        {
            "flow_layer": number,
            "kind": kind,
            "mean_cosine": mean_cosine(z),
            "norm_ks": norms_test(z).statistic,
        }
        for number, (kind, z) in enumerate(
            zip(("", *way.names), map(torch.Tensor.numpy, way.states), strict=True)
        )
    ]
    about = f"Measured on {len(sample):,} distinct scored sentences. Layer 0 is the embedding."
    return Result(
        rows,
        [Remark(Kind.METHOD, about), *fit_notes(evaluation)],
        recipes=[evaluation.recipe],
        facts={"n_rows": len(sample)},
    )
