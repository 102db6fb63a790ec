"""The playground: typed sentences among those of a data set, under up to four calibrators.

Typed sentences are embedded in memory and never stored, and no calibrator is fitted on them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.edit_distance import Unit, edit_distances
from bertflow_core.analysis.layout import Plane
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.sampling import distinct_rows, sample_rows
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.calibrators.spec import Spec
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.loading import whole_text_tokenizer
from bertflow_core.errors import InputError, check_name
from bertflow_core.evaluation.similarity import cosine_matrix
from bertflow_core.exhibits.wall.nearest import PaneNeighbours, beside_the_first
from bertflow_core.exhibits.wall.recipe import space_of
from bertflow_core.exhibits.wall.spaces import PaneSpace, sample
from bertflow_core.figures import Figure, sentence_maps, similarity_heatmaps
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row
from bertflow_core.runtime import context
from bertflow_core.runtime.shipped import resource
from bertflow_core.store import Unstored
from bertflow_core.studies.pairs import UNITS
from bertflow_core.wording import shown_difference

MIN_SENTENCES, MAX_SENTENCES = 2, 200
MAX_CHARACTERS = 500  # of one typed sentence
MAX_SPACES = 4
MAX_ROWS = 20_000  # real sentences; a larger corpus is sampled
MAP_ROWS = 1_500  # real sentences that are drawn; planes are fitted on all
N_NEIGHBOURS = 10

HEATMAPS, MAPS = "similarity-heatmaps", "sentence-maps"  # the pictures of a comparison
_TIE_DIGITS = 9  # cosines that agree to this many digits share a rank; float32 has no more


@dataclass(frozen=True, eq=False)
class Playground:
    """Sentences of a data set and their spaces; typed sentences are never fitted on."""

    recipe: Recipe  # the shared choices, with the hub commit that was used
    sentences: tuple[str, ...] = field(repr=False)  # distinct ones of the fit corpus
    spaces: tuple[PaneSpace, ...]  # one for each calibrator, named by its spec, the baseline first
    rows: str  # names the sentences and their corpus, without a full stop
    fitted_on: str  # a sentence on the fit

    @property
    def specs(self) -> tuple[str, ...]:
        """The calibrators, the baseline first."""
        return tuple(space.name for space in self.spaces)

    @cached_property
    def planes(self) -> dict[str, Plane]:
        """The plane of most variance of unit vectors, whose L2 distances order as cosines do."""
        return {space.name: Plane.of(unit_rows(space.z)) for space in self.spaces}

    def caption(self) -> str:
        """Describe what every number here depends on."""
        *others, last = self.specs
        beside = f"; also {', '.join(others)}" if others else ""
        text = self.recipe.with_(calibrator=last).without("aggregation").caption()
        return f"{text}{beside}. {self.fitted_on} Typed sentences play no part in any fit."


def checked_specs(specs: Sequence[str]) -> tuple[Spec, ...]:
    """Return the distinct calibrators; refuse an empty list, more than four, and unknown ones."""
    distinct = tuple(dict.fromkeys(map(Spec, specs)))
    if not 1 <= len(distinct) <= MAX_SPACES:
        raise InputError(
            f"choose from 1 to {MAX_SPACES} calibrators, identity among them: got {len(distinct)}"
        )
    return distinct


def build_playground(recipe: Recipe, lab: Lab, specs: Sequence[str]) -> Playground:
    """Embed the fit corpus of a recipe and fit each calibrator, the baseline first, on it."""
    specs, data = checked_specs(specs), lab.load(recipe)
    corpus = data[1]
    places = distinct_rows(corpus.sentences)
    if len(places) < 2:
        raise InputError("the fit corpus holds one sentence: expected at least two to compare with")
    what = "different sentences of the fit corpus"
    ids, which = sample(len(places), MAX_ROWS, what, seed=recipe.seed)
    rows = places[ids]
    lab = replace(lab, tables={**lab.tables, recipe.dataset: data})
    found = (
        embedded.under(spec, device=lab.device)
        for embedded in lab.embedded([recipe])
        for spec in specs
    )
    spaces = []
    for place, spec in enumerate(specs):
        with context.in_space(place, len(specs)):
            space = next(found)
            x = space.embedded.x_fit[rows]
            spaces.append(PaneSpace.of(spec, space_of(space.recipe), space.calibrator, x))
    return Playground(
        recipe=space.recipe.with_(calibrator=Recipe.calibrator),
        sentences=tuple(corpus.sentences[row] for row in rows),
        spaces=tuple(spaces),
        rows=which,
        fitted_on=f"Fitted on {corpus.description}",
    )


def read_lines(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, one per line; blank lines are ignored."""
    lines = {number: line.strip() for number, line in enumerate(text.splitlines(), start=1)}
    sentences = tuple(filter(None, lines.values()))
    if not MIN_SENTENCES <= len(sentences) <= MAX_SENTENCES:
        raise InputError(
            f"type from {MIN_SENTENCES} to {MAX_SENTENCES} sentences, one per line: "
            f"got {len(sentences)}"
        )
    for number, line in lines.items():
        if len(line) > MAX_CHARACTERS:
            raise InputError(
                f"line {number} has {len(line):,} characters: a sentence has at most "
                f"{MAX_CHARACTERS}, so shorten it or divide it into lines"
            )
    return sentences


@dataclass(frozen=True, eq=False)
class Typed:
    """Typed sentences in the spaces of a playground."""

    sentences: tuple[str, ...]  # n of them
    pieces: tuple[tuple[str, ...], ...] = field(repr=False)  # all tokens, special ones included
    cut: npt.NDArray[np.bool_] = field(repr=False)  # longer than the maximum length, shape (n,)
    z: Mapping[str, FloatArray] = field(repr=False)  # by spec, float32, shape (n, K)

    @cached_property
    def cosines(self) -> dict[str, FloatArray]:
        """Cosine of every two sentences by spec, shape (n, n)."""
        return {spec: cosine_matrix(z, z) for spec, z in self.z.items()}

    @cached_property
    def ranks(self) -> dict[str, Rows]:
        """Rank of every pair by spec, (n, n): 1 is the most similar, ties share the best rank.

        The rank of a sentence with itself is 0.
        """
        from scipy.stats import rankdata

        pairs, found = np.triu_indices(len(self.sentences), k=1), {}
        for spec, cosine in self.cosines.items():
            ranks = np.zeros(cosine.shape, np.int64)
            ranks[pairs] = rankdata(-cosine[pairs].round(_TIE_DIGITS), method="min")
            found[spec] = ranks + ranks.T
        return found


def embed_typed(playground: Playground, lab: Lab, sentences: Sequence[str]) -> Typed:
    """Embed typed sentences and map them by every calibrator; nothing is fitted or stored."""
    recipe = playground.recipe
    (embedded,) = replace(lab, store=Unstored()).vectors([recipe], sentences)
    tokenizer = whole_text_tokenizer(resolve_model(recipe.model, revision=recipe.revision))
    return Typed(
        sentences=tuple(sentences),
        pieces=tuple(tuple(tokenizer.encode(sentence).tokens) for sentence in sentences),
        cut=embedded.cut,
        z={space.name: space.map(embedded.x) for space in playground.spaces},
    )


def compare_typed(
    playground: Playground, sentences: Sequence[str], unit: str = Unit.TREEBANK
) -> Report:
    """Embed typed sentences and report every pair of them under every calibrator.

    `objects` has the typed sentences as `typed`, and the nearest real ones of each as `neighbours`.
    """
    check_name(unit, UNITS, "unit")
    typed = embed_typed(playground, Lab(), sentences)
    context.report(0, 1, "comparison")
    rows = typed_rows(typed, unit)
    context.report(0, 1, "neighbours")
    specs = playground.specs
    of_specs = [(Column(f"cosine {spec}", format=".3f"), Column(f"rank {spec}")) for spec in specs]
    return Report(
        name="typed-pairs",
        params=playground.recipe.without("aggregation", "calibrator"),
        columns=[
            *(Column("a", "No. A"), Column("b", "No. B"), Column("edit_distance")),
            *(column for both in of_specs for column in both),
            *(Column("sentence_a"), Column("sentence_b")),
        ],
        rows=rows,
        remarks=remarks_of(
            Kind.METHOD,
            playground.caption(),
            "The command fits the same calibrators on the same sentences.",
        ),
        command=playground.recipe.to_command(specs),
        facts={"calibrators": list(specs), "unit": unit, "sentences": playground.rows},
        objects={"typed": typed, "neighbours": corpus_neighbours(playground, typed)},
        draw=partial(_pictures, playground, typed),
    )


def typed_rows(typed: Typed, unit: str) -> list[Row]:
    """Return a row per pair of typed sentences; pairs whose ranks differ most come first."""
    texts, pieces = typed.sentences, dict(zip(typed.sentences, typed.pieces, strict=True))
    first, second = np.triu_indices(len(texts), k=1)
    sides = [texts[i] for i in first], [texts[j] for j in second]
    divider = Unit(unit) if unit in tuple(Unit) else pieces.__getitem__
    distances, _ = edit_distances(*sides, unit=divider)
    spread = np.ptp([rank[first, second] for rank in typed.ranks.values()], axis=0)
    rows: list[Row] = []
    for place in np.argsort(-spread, kind="stable"):
        i, j = int(first[place]), int(second[place])
        row = {"a": i + 1, "b": j + 1, "edit_distance": int(distances[place])}
        for spec in typed.z:
            row[f"cosine {spec}"] = typed.cosines[spec][i, j].item()
            row[f"rank {spec}"] = typed.ranks[spec][i, j].item()
        rows.append({**row, "sentence_a": texts[i], "sentence_b": texts[j], "unit": unit})
    return rows


def mean_cosines(typed: Typed) -> str:
    """Return the mean cosine of typed sentences in each space, as a sentence."""
    pairs = np.triu_indices(len(typed.sentences), k=1)
    means = [f"{spec} {cosine[pairs].mean():.2f}" for spec, cosine in typed.cosines.items()]
    return f"Mean cosine of the {len(pairs[0]):,} pairs: {', '.join(means)}."


def corpus_neighbours(
    playground: Playground, typed: Typed, *, k: int = N_NEIGHBOURS
) -> list[tuple[PaneNeighbours, ...]]:
    """Find the k real sentences nearest to each typed one by cosine, itself left out."""
    places = {sentence: row for row, sentence in enumerate(playground.sentences)}
    own = np.array([places.get(sentence, -1) for sentence in typed.sentences], np.int64)
    points = [typed.z[spec] for spec in playground.specs]
    return beside_the_first(playground.spaces, points, k, "cosine", own)


def _pictures(playground: Playground, typed: Typed, _: Report) -> Pictures:
    """Return the pictures of a comparison, drawn on request."""
    return {
        HEATMAPS: lambda: similarity_heatmaps(typed.cosines, typed.ranks, typed.sentences),
        MAPS: lambda: _maps(playground, typed),
    }


def _maps(playground: Playground, typed: Typed) -> Figure:
    """Draw typed sentences among real ones, in planes that were fitted on the real ones alone."""
    rows = sample_rows(len(playground.sentences), MAP_ROWS, seed=playground.recipe.seed)
    planes = playground.planes
    return sentence_maps(
        {each.name: planes[each.name].place(unit_rows(each.z[rows])) for each in playground.spaces},
        {spec: plane.place(unit_rows(typed.z[spec])) for spec, plane in planes.items()},
        {spec: plane.explained for spec, plane in planes.items()},
        real_texts=[playground.sentences[row] for row in rows],
        typed_texts=typed.sentences,
    )


class Example(NamedTuple):
    """Sentences for teaching: some pairs have the same meaning, others only share their words."""

    title: str  # on the page and in its address
    watch: str  # what to look at
    sentences: tuple[str, ...]
    # Numbers of sentences, from 1. The first sentence should be nearer to the second, which means
    # the same, than to the third, which shares its words.
    triples: tuple[tuple[int, int, int], ...]


def examples() -> dict[str, Example]:
    """Return the examples that ship with the package, by title, in their order."""
    found = json.loads(resource("playground.json").read_text(encoding="utf-8"))["presets"]
    return {
        each["title"]: Example(
            each["title"],
            each["watch"],
            tuple(each["sentences"]),
            tuple(map(tuple, each["contrasts"])),
        )
        for each in found
    }


def meaning_margins(example: Example, typed: Typed) -> dict[str, list[float]]:
    """Return, by spec and triple, how much nearer the sentence with the same meaning is.

    The cosines are rounded as they are shown. Empty if the sentences are not the example's.
    """
    if typed.sentences != example.sentences:
        return {}
    return {
        spec: [
            shown_difference(float(cosine[a - 1, c - 1]), float(cosine[a - 1, b - 1]), digits=3)
            for a, b, c in example.triples
        ]
        for spec, cosine in typed.cosines.items()
    }


def meaning_finding(example: Example, typed: Typed) -> str:
    """Say how often meaning wins over shared words; empty for sentences of the visitor's own."""
    margins = meaning_margins(example, typed)
    if not margins:
        return ""
    wins = {spec: sum(each > 0 for each in values) for spec, values in margins.items()}
    if len(wins) > 1 and len(set(wins.values())) == 1:
        wins = {"every calibrator": next(iter(wins.values()))}
    (first, n), *others = wins.items()
    counts = [f"{n} of {len(example.triples)} times under {first}"]
    counts += [f"{n} under {spec}" for spec, n in others]
    return (
        "The sentence that means the same is nearer than the one that shares the words "
        f"{', '.join(counts)}."
    )
