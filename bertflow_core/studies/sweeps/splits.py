"""A data set's dev and test pairs, embedded with one fit corpus: what a choice needs to be fair."""

from dataclasses import dataclass, replace
from pathlib import Path

from bertflow_core.datasets import Corpus, SentencePairs, Split, load_corpus, load_pairs
from bertflow_core.datasets.catalog import open_dataset
from bertflow_core.errors import InputError
from bertflow_core.experiment import data_options, prepare
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.results import Prepared
from bertflow_core.store import EmbeddingStore

__all__ = ["Splits", "prepare_splits"]


@dataclass(frozen=True)
class Splits:
    """What a parameter is chosen on and what the choice is then scored on; either may be missing.

    Attributes:
        dev: The dev split; None where the data set has none.
        test: The split that the recipe scores; None where it is dev and no test split is there.
        note: What is missing and what follows, one sentence; None where nothing is.

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
                raise InputError(f"a sweep needs gold scores, and {prepared.pairs.name!r} has none")
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


def prepare_splits(
    recipe: Recipe,
    *,
    data: tuple[SentencePairs, Corpus] | None = None,
    data_dir: Path | None = None,
    store: EmbeddingStore | None = None,
    device: str | None = None,
    batch_tokens: int | None = None,
    progress: Progress = silent,
) -> Splits:
    """Load and embed the fit corpus, the dev and the test pairs of a recipe's data set.

    Test is the recipe's split; a recipe of the dev split is joined by the test split, where that
    is there with gold scores.

    Args:
        recipe: The choices; its calibrator is not looked at.
        data: What is scored and fitted on, without a dev split; None loads what the recipe names.
        data_dir: Where benchmark data lies; None looks at `BERTFLOW_DATA`.
        store: Where embeddings are kept; None is the user's cache.
        device: Where the encoder runs; None takes the best device here.
        batch_tokens: Most tokens in one forward call; None suits the device.
        progress: Told of sentences while they are embedded; may raise `Cancelled`.

    Raises:
        InputError: Data or a model that cannot be used, or pairs without gold scores.
        ResourceError: The disk or the network failed.
    """
    parts, corpus = _load(recipe, data_dir) if data is None else ({recipe.split: data[0]}, data[1])
    found: dict[str, Prepared] = {}
    for split, pairs in parts.items():
        prepared = prepare(
            recipe.with_(split=split),
            data=(pairs, corpus),
            store=store,
            device=device,
            batch_tokens=batch_tokens,
            progress=progress,
        )
        shared = next((other.x_fit for other in found.values()), prepared.x_fit)
        found[split] = replace(prepared, x_fit=shared)  # one copy in memory
    dev = None if data is not None else found.pop(Split.DEV, None)
    test = next(iter(found.values()), None)
    return Splits(dev, test, _note(recipe, dev, test))


def _load(recipe: Recipe, data_dir: Path | None) -> tuple[dict[str, SentencePairs], Corpus]:
    """Load dev, where it is there with gold scores, and the split that is scored."""
    options = data_options(recipe, data_dir)
    opened = open_dataset(recipe.dataset, **options)
    usable = [split for split in opened.splits if split not in opened.hidden]
    wanted = [Split.DEV] if Split.DEV in usable else []
    if recipe.split != Split.DEV:
        wanted.append(recipe.split)  # type: ignore[arg-type]  # refused below where it is unknown
    elif not wanted:
        wanted = [Split.DEV]  # refused below, with the splits that are there
    elif Split.TEST in usable:
        wanted.append(Split.TEST)
    parts = {str(s): load_pairs(recipe.dataset, split=s, **options) for s in wanted}
    return parts, load_corpus(recipe.dataset, recipe.fit_on, **options)


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
