"""Rho along a parameter of a calibrator, on dev and test, and the value that dev chooses.

A value is never chosen on the test split (Li et al., 2020, Table 5, choose k on dev). Closed forms
are computed for all values at once, at about the cost of one fit; any other calibrator is fitted at
each value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.loadings import DirectionLoadings, direction_loadings
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.registry import set_option, takes_seed
from bertflow_core.datasets import Corpus, SentencePairs, Split, load_corpus, load_pairs
from bertflow_core.datasets.catalog import open_dataset
from bertflow_core.errors import InputError
from bertflow_core.evaluation import (
    RANDOM_COSINE,
    pairwise_cosine,
    random_pair_cosine,
    random_pairs,
    score_pairs,
)
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.params import Value
from bertflow_core.recipe import Recipe
from bertflow_core.report import Column, Report
from bertflow_core.space import Prepared
from bertflow_core.wording import quoted

__all__ = [
    "SHRINKAGES",
    "ClosedForms",
    "Splits",
    "Sweep",
    "component_grid",
    "prepare_splits",
    "removed_directions",
    "sweep",
    "sweep_closed_forms",
    "sweep_parameter",
    "sweep_report",
]

SHRINKAGES = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
MAX_K = 40
MAX_DIRECTIONS = 40
_CLOSED = ("null-top-k", "whiten")

_Numbers = list[float | None]
"""Rho on each split that is there, then the random cosine of the reported one."""


@dataclass(frozen=True)
class Splits:
    """The split that chooses a value and the split that reports it, on one fit corpus.

    Attributes:
        dev: The dev split; None where the data set has none.
        test: The split that the recipe scores; None where it is dev and no test split is there.
        note: What is missing and what follows, one sentence; None where nothing is missing.
    """

    dev: Prepared | None
    test: Prepared | None
    note: str | None = None

    @property
    def present(self) -> tuple[Prepared, ...]:
        """Those that are there, at least one: dev, then test."""
        return tuple(prepared for prepared in (self.dev, self.test) if prepared is not None)

    @property
    def scored(self) -> Prepared:
        """What is reported: test, or dev where there is no test."""
        return self.present[-1]


@dataclass(frozen=True)
class Sweep:
    """Rho under the recipe's aggregation at each value of one parameter, in [-1, 1].

    A rho is None where it is undefined; with several seeds every number is the mean of the fits.

    Attributes:
        recipe: Of the split that is reported; its calibrator is the spec that is swept.
        parameter: What is swept.
        values: V different values, in the order asked for.
        dev: Rho on the dev split, length V; None where there is none.
        test: Rho on the split that the recipe scores, length V; None where there is none.
        random_cosine: Mean cosine of 10,000 random pairs of the reported sentences, length V.
        seeds: One per fit of each value.
        note: What is missing and what follows; None where nothing is missing.
    """

    recipe: Recipe
    parameter: str
    values: tuple[Value, ...]
    dev: tuple[float | None, ...] | None
    test: tuple[float | None, ...] | None
    random_cosine: tuple[float, ...]
    seeds: tuple[int, ...]
    note: str | None

    @property
    def chosen(self) -> int | None:
        """Index in `values` of the best rho on dev, the first of equals; None without dev."""
        known = [(rho, -i) for i, rho in enumerate(self.dev or ()) if rho is not None]
        return -max(known)[1] if known else None

    def recipe_at(self, index: int) -> Recipe:
        """Return the recipe with the value at that index: the recipe of its number."""
        spec = set_option(self.recipe.calibrator, self.parameter, self.values[index])
        return self.recipe.with_(calibrator=spec)


def sweep_report(found: Sweep) -> Report:
    """Report a sweep; the command makes the number of the chosen value, or of the first."""
    caption = f"{found.recipe.caption()}."
    rho = "{}: rho x 100"
    return Report(
        name=found.parameter,
        params=found.recipe,
        columns=(
            Column("calibrator"),
            Column("value", found.parameter),
            Column("dev", rho.format("dev"), ".2f", times=100),
            Column("test", rho.format(found.recipe.split), ".2f", times=100),
            Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
            Column("chosen", "chosen on dev"),
        ),
        rows=[
            {
                "calibrator": found.recipe_at(i).calibrator,
                "parameter": found.parameter,
                "value": value,
                "dev": found.dev[i] if found.dev else None,
                "test": found.test[i] if found.test else None,
                "random_cosine": found.random_cosine[i],
                "chosen": i == found.chosen,
            }
            for i, value in enumerate(found.values)
        ],
        title=f"Which {found.parameter.replace('_', ' ')}?",
        remarks=(caption,) if found.note is None else (caption, found.note),
        command=found.recipe_at(found.chosen or 0).to_command(),
    )


@dataclass(frozen=True)
class ClosedForms:
    """The sweeps that need no training, and what the removed directions stand for.

    Attributes:
        null_top_k: Along k.
        components: Along the directions that whitening keeps.
        shrinkage: Along the weight of the identity in whitening's covariance.
        directions: The leading directions, the largest variance first.
    """

    null_top_k: Sweep
    components: Sweep
    shrinkage: Sweep
    directions: tuple[DirectionLoadings, ...]


def sweep_closed_forms(recipe: Recipe, lab: Lab) -> ClosedForms:
    """Sweep the parameters that need no training, and describe the removed directions.

    Args:
        recipe: `recipe.calibrator` is ignored.
        lab: Where data and embeddings are kept, and what computes.

    Raises:
        InputError: As `prepare_splits`.
        ResourceError: The disk or the network failed.
    """
    splits = prepare_splits(recipe, lab)
    n_features = splits.scored.x_fit.shape[1]
    swept: list[Sweep] = []
    for spec, parameter, values in (
        ("null-top-k", "k", tuple(range(min(MAX_K + 1, n_features)))),
        ("whiten", "n_components", component_grid(n_features)),
        ("whiten", "shrinkage", SHRINKAGES),
    ):
        context.report(len(swept), 4, "sweeps")
        swept.append(sweep(splits, spec, parameter, values))
    context.report(3, 4, "sweeps")
    null_top_k, components, shrinkage = swept
    directions = removed_directions(splits.scored, min(MAX_DIRECTIONS, n_features - 1))
    return ClosedForms(null_top_k, components, shrinkage, directions)


def component_grid(n_features: int) -> tuple[int, ...]:
    """Return numbers of components to try, rising, the last of them `n_features`."""
    steps = (1, 2, 4, 8, 16, *range(32, n_features, 32 if n_features <= 512 else 64))
    return (*(n for n in steps if n < n_features), n_features)


def sweep_parameter(
    recipe: Recipe,
    lab: Lab,
    spec: str,
    parameter: str,
    values: Sequence[Value],
    *,
    seeds: Sequence[int] = (),
) -> Sweep:
    """Sweep a parameter on the splits of a recipe, whose calibrator is ignored; see `sweep`."""
    splits = prepare_splits(recipe, lab)
    return sweep(splits, spec, parameter, values, seeds=seeds, device=lab.device)


def sweep(
    splits: Splits,
    spec: str,
    parameter: str,
    values: Sequence[Value],
    *,
    seeds: Sequence[int] = (),
    device: str | None = None,
) -> Sweep:
    """Sweep any parameter of any calibrator.

    Args:
        splits: What is fitted on and scored.
        spec: The calibrator; exactly one of its steps has the parameter.
        parameter: For example `k` of `null-top-k`, `n_components` of `whiten`, `lr` of a flow.
        values: Its values, V of them.
        seeds: Each value is fitted once per seed and the mean is taken; the recipe's if none is
            named. A calibrator without randomness is fitted once.
        device: Where a flow is fitted; None takes the best device here.

    Raises:
        InputError: No value, one that the parameter cannot have or that is named twice; before the
            first fit, except for what depends on the embeddings.
    """
    specs = [set_option(spec, parameter, value) for value in values]
    if not specs:
        raise InputError(f"there is nothing to sweep: give at least one value of {parameter}")
    if len(set(values)) < len(values):
        raise InputError(f"a value of {parameter} is given twice: give each once")
    drawn = tuple(dict.fromkeys(seeds or (splits.scored.recipe.seed,)))
    if not takes_seed(specs[0]):
        drawn = drawn[:1]
    if "+" not in spec and spec.partition(":")[0] in _CLOSED:
        numbers = list(_at_once(splits, spec, parameter, values))
    else:
        numbers = list(_by_fits(splits, specs, drawn, device))
    *rhos, random = map(tuple, zip(*numbers, strict=True))
    return Sweep(
        recipe=splits.scored.recipe.with_(calibrator=spec),
        parameter=parameter,
        values=tuple(values),
        dev=rhos[0] if splits.dev else None,
        test=rhos[-1] if splits.test else None,
        random_cosine=tuple(cosine for cosine in random if cosine is not None),
        seeds=drawn,
        note=splits.note,
    )


def _at_once(
    splits: Splits, spec: str, parameter: str, values: Sequence[Value]
) -> Iterator[_Numbers]:
    """Yield the numbers of each value of a closed form, from one decomposition."""
    from bertflow_core.calibrators.sweep import swept_cosines  # scikit-learn, late

    scored = splits.scored
    x = np.concatenate([scored.x_first, scored.x_second])
    i, j = random_pairs(len(x), seed=scored.recipe.seed)
    sides = [*((each.x_first, each.x_second) for each in splits.present), (x[i], x[j])]
    first, second = (np.concatenate(side) for side in zip(*sides, strict=True))
    cosines = swept_cosines(spec, parameter, values, scored.x_fit, first, second)
    ends = np.cumsum([len(side[0]) for side in sides])[:-1]
    *parts, random = np.split(cosines, ends, axis=1)
    for v, each in enumerate(zip(*parts, strict=True)):
        yield [*map(_rho, splits.present, each), float(random[v].mean())]


def _by_fits(
    splits: Splits, specs: Sequence[str], seeds: Sequence[int], device: str | None
) -> Iterator[_Numbers]:
    """Yield the numbers of each spec, the mean over the fits of its seeds."""
    total = len(specs) * len(seeds)
    for number, spec in enumerate(specs):
        fits = []
        for done, seed in enumerate(seeds, start=number * len(seeds)):
            with context.repeating(done, total, "fits"):
                fits.append(_fit(splits, spec, seed, device))
        yield [
            None if None in column else float(np.mean(column)) for column in zip(*fits, strict=True)
        ]
    context.report(total, total, "fits")


def _fit(splits: Splits, spec: str, seed: int, device: str | None) -> _Numbers:
    scored = splits.scored
    calibrator = build_calibrator(spec, seed=seed, device=device, share=scored.corpus.share)
    calibrator.fit(scored.x_fit)
    rhos: _Numbers = []
    for prepared in splits.present:
        z = calibrator.transform(prepared.x_first), calibrator.transform(prepared.x_second)
        rhos.append(_rho(prepared, pairwise_cosine(*z)))
    # z is of the last split, which is what is reported
    return [*rhos, random_pair_cosine(np.concatenate(z), seed=scored.recipe.seed)]


def _rho(prepared: Prepared, similarity: FloatArray) -> float | None:
    """Return Spearman's rho of one split under the recipe's aggregation; None where undefined."""
    pairs = prepared.pairs
    scores = score_pairs(similarity, np.asarray(pairs.gold), pairs.subsets)
    rho: float | None = getattr(scores.spearman, prepared.recipe.aggregation)
    return rho


def removed_directions(prepared: Prepared, k: int, **options: int) -> tuple[DirectionLoadings, ...]:
    """Describe the directions that `null-top-k` removes by the words and sentences on them.

    Args:
        prepared: Its fit corpus gives the directions, the sentences and the words.
        k: How many directions, 0 <= k < D.
        options: `n_sentences`, `n_words` and `min_count` of `direction_loadings`.

    Raises:
        InputError: k out of its range.
    """
    x = np.asarray(prepared.x_fit, np.float64)
    state = build_calibrator(set_option("null-top-k", "k", k)).fit(x).get_state()
    centred = x - state["mean_"]
    total = np.square(centred).sum()
    projections = centred @ state["directions_"]
    shares = np.square(projections).sum(axis=0) / (total if total > 0 else 1.0)
    return direction_loadings(projections, prepared.corpus.sentences, shares.tolist(), **options)


def prepare_splits(recipe: Recipe, lab: Lab) -> Splits:
    """Load and embed the fit corpus, the dev and the test pairs of a recipe's data set.

    Test is the recipe's split. A recipe of the dev split is joined by the test split, where that
    has gold scores. A table in `lab.tables` has no dev split.

    Args:
        recipe: `recipe.calibrator` is ignored.
        lab: Where data and embeddings are kept, and what computes.

    Raises:
        InputError: Data or a model that cannot be used, or pairs without gold scores.
        ResourceError: The disk or the network failed.
    """
    parts, corpus = _load(recipe, lab)
    by_split: dict[str, Prepared] = {}
    for split, pairs in parts.items():
        if pairs.gold is None:
            raise InputError(
                f"a sweep needs gold scores, and {quoted(pairs.name)} {pairs.ungraded}"
            )
        table = replace(lab, tables={recipe.dataset: (pairs, corpus)})
        prepared = table.prepare(recipe.with_(split=split))
        shared = next((other.x_fit for other in by_split.values()), prepared.x_fit)
        by_split[split] = replace(prepared, x_fit=shared)  # one copy in memory
    dev = None if recipe.dataset in lab.tables else by_split.pop(Split.DEV, None)
    test = next(iter(by_split.values()), None)
    return Splits(dev, test, _note(recipe, dev, test))


def _load(recipe: Recipe, lab: Lab) -> tuple[dict[str, SentencePairs], Corpus]:
    """Load dev, where it is there with gold scores, and the split that is scored."""
    if recipe.dataset in lab.tables:
        pairs, corpus = lab.load(recipe)
        return {recipe.split: pairs}, corpus
    options = lab.data_options(recipe)
    opened = open_dataset(recipe.dataset, **options)
    usable = [str(split) for split in opened.splits if split not in opened.hidden]
    wanted = [str(Split.DEV)] if Split.DEV in usable else []
    if recipe.split != Split.DEV:
        wanted.append(recipe.split)  # refused below where it is unknown
    elif not wanted:
        wanted = [str(Split.DEV)]  # refused below, with the splits that are there
    elif Split.TEST in usable:
        wanted.append(str(Split.TEST))
    loaded = {split: load_pairs(recipe.dataset, split=split, **options) for split in wanted}
    return loaded, load_corpus(recipe.dataset, recipe.fit_on, **options)


def _note(recipe: Recipe, dev: Prepared | None, test: Prepared | None) -> str | None:
    if dev is None:
        return (
            f"{recipe.dataset} has no dev split here, so no value is chosen: one picked on the "
            "pairs that it is scored on would look better than it is."
        )
    if test is None:
        return (
            f"{recipe.dataset} has no scored test split here: the value is chosen on dev and its "
            "rho there looks better than it is."
        )
    return None
