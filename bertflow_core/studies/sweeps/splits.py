"""Dev and test pairs with one fit corpus: dev chooses a value, test reports it."""

from dataclasses import dataclass, replace

from bertflow_core.datasets import Corpus, SentencePairs, Split, load_corpus, load_pairs
from bertflow_core.datasets.catalog import open_dataset
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared
from bertflow_core.wording import quoted

__all__ = ["Splits", "prepare_splits"]


@dataclass(frozen=True)
class Splits:
    """The split that chooses a value and the split that reports it; either may be missing.

    Attributes:
        dev: The dev split; None where the data set has none.
        test: The split that the recipe scores; None where it is dev and no test split is there.
        note: What is missing and what follows, one sentence; None where nothing is missing.

    Raises:
        InputError: Neither is there, one has no gold scores, or their fit corpora differ.
    """

    dev: Prepared | None
    test: Prepared | None
    note: str | None = None

    def __post_init__(self) -> None:
        if not self.present:
            raise InputError("a sweep needs scored pairs: expected a dev or a test split")
        for prepared in self.present:
            if prepared.pairs.gold is None:
                pairs = prepared.pairs
                raise InputError(
                    f"a sweep needs gold scores, and {quoted(pairs.name)} {pairs.ungraded}"
                )
        if len({prepared.corpus.fingerprint for prepared in self.present}) > 1:
            raise InputError("dev and test must be calibrated on one fit corpus")

    @property
    def present(self) -> tuple[Prepared, ...]:
        """Those that are there: dev, then test."""
        return tuple(prepared for prepared in (self.dev, self.test) if prepared is not None)

    @property
    def scored(self) -> Prepared:
        """What is reported: test, or dev where there is no test."""
        return self.present[-1]


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
