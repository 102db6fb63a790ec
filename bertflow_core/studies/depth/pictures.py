"""The picture of depth: cosine, score and their causes on one axis of layers."""

from bertflow_core.figures import Figure, measures_by_layer
from bertflow_core.report.report import Pictures, Report

_ALL, _FIRST, _COORDINATES, _MEAN = "nothing", "first token", "two coordinates", "mean"
_COLOURS = {_ALL: "#8A8A8A", _FIRST: "#D55E00", _COORDINATES: "#0072B2", _MEAN: "#009E73"}
_WITHOUT = {
    "mean cosine, left out: ...": {
        _ALL: "mean_cosine",
        _FIRST: "cosine_after_first",
        _COORDINATES: "cosine_dropped",
    },
    "{rho}, left out: ... (coordinates: with mean)": {
        _ALL: "rho",
        _FIRST: "rho_after_first",
        _COORDINATES: "rho_dropped",
        _MEAN: "rho_centred",
    },
    "share of the mean cosine": {
        _FIRST: "first_part",
        _COORDINATES: "coordinates_part",
        _MEAN: "rest_part",
    },
}
_ALONE = ("token_entropy", "first_norm", "sink", "self_similarity", "intra_similarity")


def pictures(report: Report) -> Pictures:
    """Return the picture of all layers."""
    return {"depth": lambda: _depth(report)}


def _depth(report: Report) -> Figure:
    rho = report.column("rho").header
    panels = {title.format(rho=rho): curves for title, curves in _WITHOUT.items()}
    panels |= {report.column(key).header: {_ALL: key} for key in _ALONE}
    drawn = {
        title: {
            name: [report.column(key).number(row.get(key)) for row in report.rows]
            for name, key in curves.items()
        }
        for title, curves in panels.items()
    }
    names = [row["layers"] for row in report.rows]
    figure = measures_by_layer(drawn, names, colours=_COLOURS)
    place = [*drawn].index(report.column("first_norm").header)
    return figure.update_yaxes(type="log", row=place // 3 + 1, col=place % 3 + 1)
