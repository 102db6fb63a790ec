"""Questions 2 to 5: the space as the encoder gives it: random pairs, cone, frequency, holes."""

import numpy as np

from bertflow_core.analysis.frequency import bin_means, course_by_rank
from bertflow_core.analysis.gaussianity import matched_gaussian
from bertflow_core.analysis.isotropy import directions
from bertflow_core.analysis.neighbours import knn
from bertflow_core.errors import InputError
from bertflow_core.figures import (
    Sphere,
    cosine_histograms,
    distance_histograms,
    mark_on_sphere,
    mark_values,
    measure_by_bin,
    spheres,
)
from bertflow_core.linalg import FloatArray, sample_rows
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import FLOW, NO_CONE, RAW, Material
from bertflow_core.studies.tour.origin import origin, origin_of_words
from bertflow_core.studies.words.prepared import prepare_words
from bertflow_core.studies.words.published import measure_name, published_table1
from bertflow_core.studies.words.recipe import WordRecipe

__all__ = ["cone", "frequency", "holes", "neighbour_distances", "random"]

_COSINES = (0.0, 0.3, 0.6, 0.9)
_SHARES = (0.05, 0.35, 0.7, 0.95)
_SHOWN = 200
_SAME_LENGTH = 0.02
_K = 10
_MOST_ROWS = 2_000
_ALIKE = 0.03
"""Medians that differ by less are called alike."""


def random(material: Material) -> Content:
    """Ask how similar two random sentences are."""
    cosines = material.cosines(RAW)
    mean = float(cosines.mean())
    low, high = np.quantile(cosines, (0.025, 0.975))
    figure = cosine_histograms({RAW: cosines})
    mark_values(figure, {f"mean {mean:z.2f}": mean})
    mark_values(figure, material.own.cosines(), own=True)
    return Content(
        text="Two random sentences usually have nothing in common. If vectors pointed in all "
        "directions equally often, their mean cosine would be 0.",
        question="What is the mean cosine of two random sentences here, without calibration?",
        choices=tuple(f"About {each:g}" for each in _COSINES),
        right=_nearest(_COSINES, mean),
        takeaway=f"Random sentences have a mean cosine of {mean:z.2f}: here there is no cone to "
        "open."
        if mean <= NO_CONE
        else f"Two random sentences have a cosine of {mean:.2f}, so a cosine of {mean:.2f} does "
        "not mean that two sentences are similar.",
        explanation=f"It is {mean:z.2f}, over the {len(cosines):,} pairs of "
        f"{len(material.sample):,} scored sentences; 95 % of them lie between {low:z.2f} and "
        f"{high:z.2f}. A cosine above {high:z.2f} is rare among random pairs.",
        notes="Most people guess 0 or 0.3. Usual mistake: to set one threshold, such as 0.7, for "
        "all encoders. What a cosine means depends on where random pairs lie.",
        figure=figure,
        alt=f"Cosines of random pairs of sentences, straight from the encoder: mean {mean:z.2f}",
        origin=origin(material.recipe),
        own=material.own_change(RAW),
    )


def _nearest(choices: tuple[float, ...], value: float) -> int:
    return int(np.argmin(np.abs(np.array(choices) - value)))


def cone(material: Material) -> Content:
    """Ask how much of the squared length of the vectors is their mean vector."""
    own, x = material.own, material.sample
    n = len(x)
    found = directions(np.concatenate([x, own.x]) if own else x)
    even = directions(np.random.default_rng(material.recipe.seed).standard_normal(x.shape))
    share, angle = found.mean_length**2, float(np.median(found.angles[:n]))
    panels = {"sentences": (found, RAW), "random directions": (even, "ledoit-wolf")}
    shown = min(n, _SHOWN)
    figure = spheres(
        [
            Sphere(
                title=f"{name}: the mean is {100 * each.mean_length**2:.0f} %",
                spec=spec,
                angles=np.round(each.angles[:shown], 2),
                azimuths=np.round(each.azimuths[:shown], 2),
                mean_length=each.mean_length,
                texts=[name] * shown,
            )
            for name, (each, spec) in panels.items()
        ]
    ).update_layout(height=420)
    if own:
        mark_on_sphere(figure, found.angles[n:], found.azimuths[n:], own.names)
    held = f"The mean vector holds {100 * share:.0f} % of the squared length"
    return Content(
        text="Give every vector length 1, so that only its direction counts. The mean of all "
        "vectors is then what they share: its length is 0 where directions cancel, and 1 where all "
        "point the same way. Squared, it says how much of an average vector is common to all: 0 % "
        "is nothing, 100 % everything.",
        question="What share of the squared length is the mean vector?",
        choices=tuple(f"About {100 * each:.0f} %" for each in _SHARES),
        right=_nearest(_SHARES, share),
        takeaway=f"{held}, at most {100 * NO_CONE:.0f} %: the sentences form no cone."
        if share <= NO_CONE
        else f"{held}: all sentences point roughly the same way, and that is the cone.",
        explanation=f"The arrow is the mean vector of {n:,} scored sentences, "
        f"{found.mean_length:.2f} long: "
        f"{100 * share:.0f} % of the squared length. Half of the sentences lie within "
        f"{angle:.0f} degrees of it. On the right {n:,} random directions of the same dimension "
        f"{x.shape[1]:,}: their mean vector is {even.mean_length:.2f} long. The share is also the "
        "mean cosine of all pairs, each vector with itself included: the two questions are one.",
        notes="Draw it on the board: every vector is the same arrow plus a small difference, and "
        "only the difference is about the sentence. Usual mistake: to take the cone for a few "
        "directions of large variance; variance is measured around the mean, so it cannot see it.",
        figure=figure,
        alt=f"Sentences on a sphere around their mean vector, {found.mean_length:.2f} long; beside "
        f"it random directions, whose mean vector is {even.mean_length:.2f} long",
        origin=origin(material.recipe),
    )


def frequency(material: Material) -> Content:
    """Ask whether rare words have longer vectors than frequent ones."""
    recipe = material.recipe
    of_words = WordRecipe(model=recipe.model, revision=recipe.revision, seed=recipe.seed)
    words = prepare_words(of_words)
    norms = np.linalg.norm(np.asarray(words.x[words.rows], np.float64), axis=1)
    bins = bin_means(words.ranks, {"norm": norms}, of_words.bins)
    means = {(row["low"], row["high"]): row["norm"] for row in bins if row["n"]}
    if len(means) < 2:
        raise InputError(f"the encoder knows only {len(norms):,} words: too few to compare")
    first, *_, rarest = means
    longer = means[rarest] / means[first] - 1
    is_alike = abs(longer) <= _SAME_LENGTH
    rare, often = (f"of rank {low + 1:,} to {high:,}" for low, high in (rarest, first))
    printed, label = published_table1(), measure_name("mean_norm")
    return Content(
        text="Sentence vectors are built from word vectors, and training updates frequent words "
        "far more often than rare ones. An encoder's vocabulary is sorted roughly from frequent to "
        "rare; the rank here is the place in it.",
        question=f"Are the vectors of words {rare} longer than those {often}?",
        choices=("Longer", "Shorter", f"Equally long, within {100 * _SAME_LENGTH:.0f} %"),
        right=2 if is_alike else int(longer < 0),
        takeaway="The norm of a word's vector does not separate rare words from frequent ones here."
        if is_alike
        else f"Vectors of words {rare} are {100 * abs(longer):.0f} % "
        f"{'longer' if longer > 0 else 'shorter'} than those {often}: part "
        "of a vector tells frequency, not meaning.",
        explanation=f"From frequent to rare words, the mean norm {course_by_rank(means)}: "
        f"{100 * longer:+.0f} % from end to end. The dashed line is BERT's, as printed in "
        f"{printed.citation}.",
        notes="Why it matters: two rare words can be far apart, and two frequent ones near, for no "
        "reason of meaning. The paper traces it to the softmax: a word's score holds its log "
        "frequency. Usual mistake: to think that a rare word is far out because it is special.",
        figure=measure_by_bin(
            list(means),
            {RAW: list(means.values())},
            label=label,
            published=[printed.value("mean_norm", each) for each in means],
        ),
        alt="Mean norm of the encoder's word vectors by rank of frequency, beside the paper's",
        origin=origin_of_words(of_words),
    )


def holes(material: Material) -> Content:
    """Ask whether sentences lie nearer to their neighbours than points of a Gaussian do."""
    x, own, seed = material.apart, material.own, material.recipe.seed
    material.check_sentences(x)
    rows = np.asarray(x[sample_rows(len(x), _MOST_ROWS, seed=seed)], np.float64)
    flow = material.results[FLOW].calibrator.transform(rows).astype(np.float64)
    near, even = neighbour_distances(rows, seed)
    before, after = (
        float(np.median(each) / np.median(other))
        for each, other in ((near, even), neighbour_distances(flow, seed))
    )
    figure = distance_histograms(
        {f"to the {_K}th nearest": {"sentences": near, "points of a Gaussian": even}}
    )
    figure.update_xaxes(title="L2 distance")
    if own:
        found, _ = knn(rows, _K, queries=np.asarray(own.x, np.float64))
        mark_values(figure, dict(zip(own.names, found[:, -1], strict=True)), own=True)
    is_clumped = max(before, after) < 1 - _ALIKE
    lasting = ": opening the cone does not dissolve the clumps" if is_clumped else ""
    right = 1 if abs(before - 1) < _ALIKE else int(before > 1) * 2
    percents = f"{100 * abs(before - 1):.0f} %"
    return Content(
        text="Between sentences there may be places where no sentence is: holes. There similarity "
        "may mean little, the paper argues. Beside the sentences we draw as many points of a "
        "Gaussian with the same mean and the same covariance, which has no holes. Where sentences "
        f"form clumps with holes between them, the {_K}th nearest neighbour is nearer than in the "
        "Gaussian.",
        question="Are sentences nearer to their neighbours than the Gaussian's points to theirs?",
        choices=("Nearer: there are clumps and holes", "As near", "Farther"),
        right=right,
        takeaway=(
            f"Sentences lie {percents} nearer to their neighbours than a Gaussian's points: they "
            "form clumps with holes between them.",
            f"Sentences are {before:.2f} times as far from their neighbours as a Gaussian's "
            "points: no holes are found here.",
            f"Sentences lie {percents} farther from their neighbours than a Gaussian's points: "
            "they form no clumps.",
        )[right],
        explanation=f"The median distance is {before:.2f} times that of the Gaussian's points, "
        f"over {len(rows):,} sentences, one side of each pair; under the flow it is {after:.2f} "
        f"times, against a Gaussian like the flow's vectors{lasting}. The paper finds holes around "
        "rare words.",
        notes="A picture in two dimensions cannot show this: in hundreds of dimensions everything "
        "is far from everything. Usual mistake: to think that the flow must have filled the holes "
        "because its target is a Gaussian.",
        figure=figure,
        alt=f"Distances to the {_K}th nearest neighbour: of sentences, and of points of a Gaussian "
        "with the same mean and covariance",
        origin=origin(material.recipe, (RAW, FLOW)),
        own=f"Marked: the distance of each of your sentences to its {_K}th nearest." if own else "",
    )


def neighbour_distances(rows: FloatArray, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return distances to the 10th other row, of rows and of a Gaussian like them, (N,) each."""
    near, _ = knn(rows, _K)
    even, _ = knn(matched_gaussian(rows, len(rows), seed=seed), _K)
    return near[:, -1], even[:, -1]
