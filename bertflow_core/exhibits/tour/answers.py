"""What each step of the tour takes from its study's report: the right answer, and values.

The texts of `steps.toml` refer to a value by its name in braces.
"""

import csv

import numpy as np

from bertflow_core.analysis.frequency import course_by_rank, runs
from bertflow_core.analysis.judged import SCALES
from bertflow_core.calibrators.spec import Spec
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.errors import InputError
from bertflow_core.evaluation.comparison import Comparison, Direction
from bertflow_core.exhibits.tour.alike import Answer, coordinate, first, layer_name
from bertflow_core.figures import cosines_by_group
from bertflow_core.report.remark import Kind
from bertflow_core.report.report import Report, Row
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.advice.rules import Advice as Advised
from bertflow_core.studies.advice.study import findings_of, gains_of
from bertflow_core.studies.lexical.bias import DISTANCE, NORMALISED
from bertflow_core.studies.published import printed_table
from bertflow_core.studies.space.cone import (
    TRACED_ROWS,
    cone_figure,
    flow_figure,
    flow_rows,
    random_figure,
)
from bertflow_core.wording import percent, shown_difference

RAW, WHITE, FLOW = "identity", "whiten", "flow"
# Shares of the gold scale: pairs up to the first differ in meaning, from the second they agree.
_FAR, _NEAR = 0.25, 0.75

# Pairs of `teaching` that share most of their words, by corner and phenomenon; None means any.
_KINDS = {
    ("many-same", None): "same meaning",
    ("many-different", "negation"): "a negation",
    ("many-different", "role-swap"): "roles swapped",
}
_CONE = SCALES["mean_cosine"]


def words(report: Report) -> Answer:
    """Compare a pair that shares most words but differs in meaning with the opposite case."""
    bias, row = report.objects["bias"], report.row(similarity=RAW)
    pairs, edits, cosine = bias.words.pairs, bias.words.normalised, bias.similarities[RAW]
    low, high = pairs.scale
    a, b = extremes(1 - edits, (pairs.gold - low) / (high - low))
    told = f"{cosine[a]:.2f}", f"{cosine[b]:.2f}"
    named = (("Pair A", a), ("Pair B", b))
    picture = report.pictures()["similarity_panels"]()  # gold scores, then cosines
    for name, i in named:
        for axis, x in (("", pairs.gold[i]), ("2", cosine[i])):
            look = {"ax": 0, "ay": -24, "arrowcolor": "#808080"}  # seen by light and by dark
            axes = {"xref": f"x{axis}", "yref": f"y{axis}"}
            picture.add_annotation(x=x, y=edits[i], text=name, **look, **axes)
    return {
        "picture": picture,
        "right": 2 if float(told[0]) == float(told[1]) else int(float(told[0]) < float(told[1])),
        "exhibits": tuple((name, f"{pairs.first[i]}\n{pairs.second[i]}") for name, i in named),
        **{"a": told[0], "b": told[1], "gold_a": pairs.gold[a], "gold_b": pairs.gold[b]},
        **{"edits_a": 100 * edits[a], "edits_b": 100 * edits[b], "n": len(pairs)},
        **{"low": low, "high": high, "rho_edits": percent(row[NORMALISED] or 0.0)},
        "rho_gold": percent(row["gold"] or 0.0),
    }


def extremes(overlaps: np.ndarray, places: np.ndarray) -> tuple[int, int]:
    """Return a pair of low gold score and most word overlap, and one of high score and least."""
    far, near = np.flatnonzero(places <= _FAR), np.flatnonzero(places >= _NEAR)
    if not len(far) or not len(near):
        raise InputError(
            "this step needs pairs with gold scores in the lowest quarter of the scale, and in "
            "the highest: the data lack one of the two"
        )
    return int(far[overlaps[far].argmax()]), int(near[overlaps[near].argmin()])


def random(report: Report) -> Answer:
    """Find the mean cosine of random pairs, and where most of them lie."""
    row = report.row(calibrator=RAW)
    within = np.cumsum(row["random_shares"])
    edges = np.linspace(-1, 1, len(within) + 1)
    low, high = np.searchsorted(within, 0.025), np.searchsorted(within, 0.975)
    mean = row["random_cosine"]
    tenths, right = around(mean)
    return {
        **{"right": right, "picture": random_figure([row])},
        "choices": tuple(f"About {each / 10:g}" for each in tenths),
        **{"mean": mean, "cone": _CONE.word(mean), "low": edges[low], "high": edges[high + 1]},
    }


def cone(report: Report) -> Answer:
    """Find what share of the mean squared norm of unit vectors is due to their mean vector."""
    row = report.row(calibrator=RAW)
    share = row["mean_length"] ** 2
    tenths, right = around(share)
    return {
        **{"right": right, "picture": cone_figure(report.facts["pairs"], [row])},
        "choices": tuple(f"About {10 * each} %" for each in tenths),
        **{"share": 100 * share, "length": row["mean_length"], "cone": _CONE.word(share)},
        "angle": float(np.median(row["angles"])),
    }


def around(value: float) -> tuple[range, int]:
    """Return choices in tenths, three tenths apart, and the index of the one nearest to a value."""
    nearest = round(10 * value)
    lowest = min(nearest, nearest % 3)
    return range(lowest, 11, 3), (nearest - lowest) // 3


def language(report: Report) -> Answer:
    """Read the recorded cones of a raw language model: plain output, then an inner layer."""
    plain, flow = (report.row(layers=PLAIN_LAYERS, calibrator=spec) for spec in (RAW, FLOW))
    inside = next(row for row in report.where(calibrator=RAW) if row is not plain)
    tenths, right = around(inside["random_cosine"])
    return {
        **{"right": right, "picture": cone_figure(report.facts["pairs"], [inside, plain, flow])},
        "choices": tuple(f"About {each / 10:g}" for each in tenths),
        **{"inside_cosine": inside["random_cosine"], "layer": layer_name(inside)},
        **{"plain_cosine": plain["random_cosine"], "flow_cosine": flow["random_cosine"]},
        "change": _change({"before": plain["rho"], "after": flow["rho"]}),
    }


def calibrators(report: Report) -> Answer:
    """Find the first calibrator under which there is no cone."""
    cosines = [row["random_cosine"] for row in report.rows]
    open_ = [cosine < _CONE.cuts[0] for cosine in cosines]
    names = (Spec(row["calibrator"]).plain_name for row in report.rows)
    told = (f"{name} {cosine:z.2f}" for name, cosine in zip(names, cosines, strict=True))
    return {
        "right": [*open_, True].index(True),
        **{"picture": random_figure(report.rows), "cut": _CONE.cuts[0]},
        "told": ", ".join(told),
    }


def frequency(report: Report) -> Answer:
    """Find how the mean norm changes from frequent to rare words."""
    rows = [row for row in report.where(calibrator=RAW) if row["mean_norm"] is not None]
    known = [row["mean_norm"] for row in rows]
    if len(known) < 2:
        raise InputError("the encoder knows too few words to compare")
    verbs = {verb for verb, _ in runs(known)}
    rises, falls = "rises" in verbs, "falls" in verbs
    right = 2 if rises and falls else 0 if rises else 1 if falls else 3
    course = course_by_rank({(row["low"], row["high"]): row["mean_norm"] for row in rows})
    return {"right": right, "course": course, "finding": report.text(Kind.ANSWER)}


def holes(report: Report) -> Answer:
    """Find whether sentences are nearer to their neighbours than a Gaussian's points."""
    name = "gaussian_distance_ratio"
    before, after = (report.row(calibrator=spec)[name] for spec in (RAW, FLOW))
    if before is None or after is None:
        raise InputError("this step needs more than ten different sentences")
    return {
        "right": SCALES[name].words.index(SCALES[name].word(before)),
        **{"before": _nearness(before), "after": _nearness(after)},
        "rows": report.facts["measured"]["neighbours"],
    }


def _nearness(ratio: float) -> str:
    word = "closer to" if ratio < 1 else "further from"
    return (
        f"sentences are {100 * abs(1 - ratio):.0f} % {word} their 10th neighbour than the "
        "Gaussian's points are"
    )


def flow(report: Report) -> Answer:
    """Find the layer of the flow that halves the mean cosine."""
    rows = flow_rows(report)
    means, gaps = ([row[key] for row in rows] for key in ("mean_cosine", "norm_gap"))
    n_layers = len(means) - 1
    half = next((i for i, mean in enumerate(means) if i and abs(mean) <= abs(means[0]) / 2), None)
    ends = (1, n_layers // 2, n_layers)
    return {
        "picture": flow_figure(rows),
        "right": 3 if half is None else next(i for i, end in enumerate(ends) if half <= end),
        **{"n_layers": n_layers, "half": ends[1], "beyond": ends[1] + 1, "layer": half},
        **{"first": means[0], "last": means[-1], "at": means[half or 0]},
        **{"gap_first": gaps[0], "gap_one": gaps[1], "gap_last": gaps[-1]},
        **{"n": TRACED_ROWS, "where": f"Layer {half} is {rows[half]['kind']}. " if half else ""},
    }


def agreement(report: Report) -> Answer:
    """Find whether the flow raises rho."""
    gains = _gains(report)
    row = next((each for each in gains if each["calibrator"] == FLOW), None)
    if row is None:
        raise InputError(f"it needs a trained flow. {report.text(Kind.WARNING)}")
    others = (each["finding"] for each in gains if each is not row)
    plain = (each["finding"] for each in report.rows if "plain" in each)
    return {
        "right": {Advised.GO: 0, Advised.STOP: 1}.get(row["verdict"], 2),
        **{"n": row["n_pairs"], "finding": row["finding"], "change": _change(row)},
        "others": " ".join([*others, *plain]),
    }


def last(report: Report) -> Answer:
    """Find whether any calibrator raises rho of the plain output."""
    gains = _gains(report)
    best = next((row for row in gains if row["verdict"] == Advised.GO), gains[0])
    names = {row["calibrator"]: Spec(row["calibrator"]).plain_name for row in gains}
    known = (row.get("random_cosine") for row in findings_of(report))
    mean = next(each for each in known if each is not None)
    n_lower = sum(row["verdict"] == Advised.STOP for row in gains)
    verb = "lowers" if n_lower == 1 else "lower"
    lower = f"; {n_lower} of the {len(gains)} {verb} it significantly" if n_lower else ""
    return {
        "right": (Advised.GO, Advised.CAUTION, Advised.STOP).index(best["verdict"]),
        **{"best": names[best["calibrator"]], "change": _change(best), "lower": lower},
        **{"finding": best["finding"], "random": mean, "cone": _CONE.word(mean)},
        **{"n_tried": len(gains), "tried": ", ".join(sorted(names.values()))},
    }


def _gains(report: Report) -> list[Row]:
    gains = gains_of(report)
    if not gains:
        raise InputError(report.text(Kind.MISSING) or "rho is not defined on these pairs")
    return gains


def _change(row: Row) -> str:
    return f"rho x 100 from {percent(row['before'])} to {percent(row['after'])}"


def edits(report: Report) -> Answer:
    """Find whether cosine follows the words less closely under the flow (the paper's Figure 2)."""
    bias = report.objects["bias"]
    change: Comparison = bias.change_in_size(FLOW, RAW, DISTANCE)
    if change.difference is None or change.low is None:
        raise InputError("too few pairs, or all have the same edit distance: rho is undefined")
    printed = printed_table(6)
    named = "; ".join(f"{row['label']} {row[DISTANCE]:.2f}" for row in printed["rows"])
    return {
        "right": {Direction.FELL: 0, Direction.ROSE: 1}.get(change.direction, 2),
        "points": change.text(times=100).lstrip("+-"),
        "conclusions": report.text(Kind.ANSWER),
        "printed": f"{named} ({printed['citation']})",
    }


def negation(report: Report) -> Answer:
    """Find the kind of pair with the highest cosine under the flow; all share most words."""
    groups = _phenomena()
    rows = [(groups[row["pair"] - 1], row) for row in report.rows if groups[row["pair"] - 1]]
    medians = {
        name: [
            float(np.median([row[key] for group, row in rows if group == name]))
            for key in ("cosine_before", "cosine_after")
        ]
        for name in _KINDS.values()
    }
    after = {name: each[1] for name, each in medians.items()}
    same, negated, swapped = after.values()
    knows = same == max(after.values()) and negated < 0.5 > swapped
    told = "; ".join(
        f"{name}, {before:.2f} before the flow and {under:.2f} under it"
        for name, (before, under) in medians.items()
    )
    cosines = {
        spec: np.array([row[key] for _, row in rows])
        for spec, key in ((RAW, "cosine_before"), (FLOW, "cosine_after"))
    }
    examples = {
        name: next(f"{row['first']}\n{row['second']}" for group, row in rows if group == name)
        for name in [*after][1:]
    }
    return {
        "right": int(np.argmax([*after.values()])),
        "picture": cosines_by_group(cosines, [group for group, _ in rows]),
        "exhibits": tuple((name.capitalize(), text) for name, text in examples.items()),
        **{"same": same, "negated": negated, "swapped": swapped, "told": told},
        "verdict": "This encoder tells these apart, and still does so under the flow"
        if knows
        else "Calibration adds no knowledge",
    }


def _phenomena() -> list[str]:
    """Return the kind of each pair of `teaching`; empty if the question does not ask about it."""
    with resource("teaching.tsv").open(encoding="utf-8") as table:
        pairs = list(csv.DictReader(table, delimiter="\t"))
    return [
        _KINDS.get((pair["corner"], pair["phenomenon"]), _KINDS.get((pair["corner"], None), ""))
        for pair in pairs
    ]


def few(report: Report) -> Answer:
    """Find the number of fitted sentences at which whitening scores lowest."""
    rhos = {spec: [row["score"] for row in rows] for spec, rows in report.by("calibrator").items()}
    sizes = [row["n_fitted"] for row in report.where(calibrator=WHITE)]
    at = int(np.argmin([np.inf if rho is None else rho for rho in rhos[WHITE]]))
    n_features = report.facts["n_features"]
    choices = tuple(f"{size:,}{_as_many(size, n_features)}" for size in sizes)
    told = (f"{spec}: {', '.join(map(percent, rhos[spec]))}" for spec in rhos if spec != RAW)
    return {
        **{"right": at, "choices": choices, "finding": report.text(Kind.ANSWER)},
        **{"least": sizes[0], "most": sizes[-1], "n_features": n_features},
        **{"worst": sizes[at], "as_many": _as_many(sizes[at], n_features)},
        **{"low": percent(rhos[WHITE][at]), "all": percent(rhos[WHITE][-1])},
        **{"raw": percent(rhos[RAW][0]), "told": "; ".join(told)},
        "sizes": ", ".join(f"{size:,}" for size in sizes),
    }


def _as_many(size: int, n_features: int) -> str:
    return ", as many as dimensions" if size == n_features else ""


def layer(report: Report) -> Answer:
    """Find the layer of highest rho without calibration."""
    raw = {
        int(row["layers"].removeprefix("layer:")): row["score"]
        for row in report.where(calibrator=RAW)
        if row["score"]
    }
    if not raw:
        raise InputError("the correlation with the gold scores is undefined in every layer")
    best, worst = max(raw, key=raw.__getitem__), min(raw, key=raw.__getitem__)
    end = len(report.by("layers")) - 1
    high, low = 100 * raw[best], 100 * raw[worst]
    return {
        "right": 0 if best == 0 else 2 if best == end else 1,
        **{"best": best, "worst": worst, "last": end, "high": high, "low": low},
        **{"by_layer": shown_difference(low, high, digits=1), "finding": report.text(Kind.ANSWER)},
    }


ANSWERS = {
    each.__name__: each
    for each in (
        *(words, random, cone, language, coordinate, first, frequency, holes, calibrators, flow),
        *(agreement, edits, negation, few, layer, last),
    )
}
"""The functions, by the name of their step."""
