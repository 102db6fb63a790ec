"""The card of an exported model: its content, its scores and its limits."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import Corpus, Pairs
from bertflow_core.encoders import CATALOG, ModelFolder
from bertflow_core.encoders.packaged import SMOLLM2
from bertflow_core.evaluation import metric_of, pairwise_cosine
from bertflow_core.evaluation.comparison import Score, compare, pair_scores
from bertflow_core.evaluation.similarity import mapped_cosines
from bertflow_core.export.rule import python_rule
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import RANKS_NOTHING, too_few
from bertflow_core.lab.saved_thresholds import Threshold
from bertflow_core.lab.verdict import verdict
from bertflow_core.text_table import TextTable
from bertflow_core.wording import percent

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

THRESHOLD = "threshold.json"

_CARD = (
    "---\n{metadata}\n---\n\n# {title}\n\nSentence vectors with {n_features} features, "
    "compared by cosine similarity. {kind}\n\n```python\nfrom sentence_transformers import "
    'SentenceTransformer\n\nmodel = SentenceTransformer("path/of/this/folder")\n'
    'vectors = model.encode(["A dog runs.", "Rain falls."])  '
    "# shape (2, {n_features})\n```\n\n{sides}"
    "Versions 3 and later of sentence-transformers can load this "
    "model.\n\n## How well it works\n\n{scores}\n\n{cut}{limits}"
    "## How it was made\n\n- Recipe: {caption}.\n- Encoder: {encoder}.\n- "
    "Layers: {kept}.\n{fit}- Loaded by "
    "sentence-transformers in a new process, {check}.\n- To make it again:\n\n```sh\n"
    "{commands}\n```\n"
)
_PLAIN = "The model is unchanged: these are the vectors of its own `encode`, without a calibrator."
_CALIBRATED = (
    "The encoder is unchanged; the dense layers behind it compute the calibrator `{}` exactly. It "
    "was fitted without labels."
)
_LIMITS = """\
## When not to use it

- On text unlike the fit corpus, since mean and directions come from that corpus. Fit it again on \
yours.
- On an encoder whose vectors are already well spread, such as one trained contrastively: \
calibration mostly harms these. Compare both kinds of vectors before you choose.
- Together with vectors of the uncalibrated encoder: the two spaces cannot be mixed in one index.
{}
"""
_SIDES = (
    "Queries and documents have prompts of their own: embed queries with `encode_query` and "
    "documents with `encode_document`, which need version 5 or later.\n\n"
)
_CUT = """\
## Threshold

Texts with a larger cosine count as alike{scored}. {rate:.3g} % of random pairs of the data have a \
cosine above {value:.4f} (95 % interval of that share: {low:.3g} to {high:.3g} %). \
`{file}` holds the same numbers for programs; it applies to this model only.

```python
{code}```

"""


def model_card(
    recipe: Recipe,
    model: ModelFolder,
    fitted: Calibrator,
    corpus: Corpus,
    *,
    scores: str,
    results: "Sequence[EvalResult]",
    fewer: str,
    n_features: int,
    n_layers: int,
    check: str,
    options: str,
    has_sides: bool = False,
    threshold: Threshold | None = None,
) -> str:
    """Return the card, Markdown with the front matter that the hub reads.

    `fewer` is the result of `fewer_features`. `scores` are the scores in Markdown, `results` the
    same scores for programs. `check` describes the comparison with our own vectors. The exported
    model has the first `n_layers` layers of the encoder. `options` are those of the export command.
    With `has_sides`, queries and documents have different prompts.
    """
    from huggingface_hub import ModelCardData  # late: slow to import

    entry, kept, cut = CATALOG.get(model.name), f"all {n_layers}", ""
    base = model.name if "/" in model.name and model.revision else None
    title, is_plain = f"{recipe.model}, {recipe.vectors}", recipe.spec == BASELINE
    if not is_plain:
        title = f"{title}, calibrated: {recipe.spec.words}"
    metadata = ModelCardData(
        library_name="sentence-transformers",
        pipeline_tag="sentence-similarity",
        base_model=entry.hub_id if entry else base,
        license=entry.licence.lower() if entry else None,
        tags=["sentence-transformers", "feature-extraction", "calibration", "anisotropy"],
        model_name=title,
        eval_results=list(results),
    )
    if n_layers < model.n_layers:
        read = f"1 to {n_layers} of {model.n_layers}"
        kept = f"{read}; the unused layers are left out"
    if threshold is not None:
        rate, low, high = (100 * share for share in (threshold["rate"], *threshold["interval"]))
        scored = "".join(
            f", {name} {100 * share:.1f} %"
            for name, share in (threshold.get("scored") or {}).items()
            if share is not None
        )
        cut = _CUT.format(
            **{"value": threshold["threshold"], "rate": rate, "low": low, "high": high},
            scored=f" ({scored[2:]})" if scored else "",
            file=THRESHOLD,
            code=python_rule(threshold),
        )
    notes = "".join(f"- Note on the fit: {note}.\n" for note in fitted.notes_)
    fit_on = corpus.description.rstrip(".")
    licences = "; ".join(dict.fromkeys(source.licence for source in corpus.sources))
    at = f" at {model.revision}" if model.revision else ""
    source = "SHA-256 of its files"
    if model.name == SMOLLM2.name:
        source = (
            f"{SMOLLM2.file} of the package {SMOLLM2.package} {SMOLLM2.version}, dequantized to "
            "bfloat16, SHA-256 of that file"
        )
    return _CARD.format(
        metadata=metadata.to_yaml(),
        title=title,
        n_features=n_features,
        kind=_PLAIN if is_plain else " ".join((_CALIBRATED.format(recipe.calibrator), fewer)),
        scores=scores,
        sides=_SIDES if has_sides else "",
        cut=cut,
        limits="" if is_plain else _LIMITS.format(notes),
        caption=recipe.caption(),
        encoder=f"{entry.hub_id if entry else model.name}{at}, {source} "
        f"{model.digest[:16]}. Licence: {entry.licence if entry else 'see its own card'}",
        kept=kept,
        fit="" if is_plain else f"- Fit corpus: {fit_on}. Licence: {licences}.\n",
        check=check,
        commands=commands(recipe, options, with_threshold=threshold is not None),
    )


def fewer_features(calibrator: Calibrator) -> str:
    """Say that calibrated vectors have fewer features than the encoder's; empty if they do not."""
    n, n_kept = calibrator.n_features_in_, len(calibrator.get_feature_names_out())
    if n_kept == n:
        return ""
    return f"Vectors have {n_kept} of {n} features: an index of {n} features cannot hold them."


def commands(recipe: Recipe, options: str = "", *, with_threshold: bool = False) -> str:
    """Return the commands that fit and export the calibrator of a recipe, and its threshold."""
    fit = recipe.without("split", "aggregation", "layers").to_command(
        command="bertflow-lab fit", options=[("--layers", recipe.layers), ("--out", "calibrator")]
    )
    export = f"bertflow-lab export calibrator --out model{options}"
    if not with_threshold:
        return f"{fit}\n{export}"
    profile = recipe.without("aggregation", "layers", "similarity").to_command(
        command="bertflow-lab analyse thresholds",
        options=[("--layers", recipe.layers), ("--format", "json")],
    )
    return f"{fit}\n{profile} > profile.json\n{export} --threshold profile.json"


def loss(plain: float | None, taken: float | None, few: str) -> str:
    """Say that an export scores less than the plain output; empty if it does not.

    `few`, a warning that the pairs are too few, replaces the advice.
    """
    if plain is None or taken is None or round(100 * (plain - taken), 2) <= 0:
        return ""
    return (
        f"The export would score {percent(taken)}, but the model's {PLAIN} scores "
        f"{percent(plain)}. "
        f"{few or 'Do not export it, unless you need these vectors.'}"
    )


def compared(recipe: Recipe, fitted: Calibrator, lab: Lab) -> "tuple[str, str, list[EvalResult]]":
    """Score a calibrator and its baselines.

    Return three things: the result of `loss`, the scores in Markdown, and the scores as data. The
    scores are those of the plain output if it can be computed, the uncalibrated layers, and the
    export.
    """
    pairs = lab.data(recipe)
    if not isinstance(pairs, Pairs) or pairs.targets is None:
        return "", "The data set of the fit has no gold scores, so nothing was measured.", []
    raw, plain = recipe.with_(calibrator=BASELINE), f"{PLAIN} of {recipe.model}"
    recipes, _ = lab.with_plain([raw])
    cosines = {} if recipes == [raw] else {plain: next(lab.evaluations(recipes)).unit_values}
    (embedded,) = lab.embedded([recipe])
    sides = (embedded.x_first, embedded.x_second)
    uncalibrated = plain if raw == recipe.plain else f"{recipe.vectors}, uncalibrated"
    cosines[uncalibrated] = pairwise_cosine(*sides)
    if recipe.spec != BASELINE:
        cosines[f"{recipe.vectors}, {recipe.calibrator}"] = mapped_cosines(fitted.transform, *sides)
    names = tuple(cosines)
    metric, how = metric_of(pairs.metric), recipe.aggregation
    scores = pair_scores(
        cosines, pairs.targets, pairs.subsets, aggregation=how, metric=metric, seed=recipe.seed
    )
    first, last = scores[names[0]].value, scores[names[-1]].value
    few = too_few(first, pairs, metric)
    lost = loss(first, last, few) if names[0] == plain else ""
    ends = {name: scores[name] for name in (names[0], names[-1])}
    asked = verdict(ends, names[0], too_few=few) if len(ends) > 1 else None
    answer = asked.sentence(pairs.title, metric, str) if asked else few
    against = dict.fromkeys((names[0], *names[-2:-1])) if len(ends) > 1 else {}
    family = {(a, b): (scores[b], scores[a]) for a in names for b in against if a != b}
    changes = {
        key: f"{each.text(times=100)} ({each.interval_text(times=100)})"
        for key, each in compare(family).items()
    }
    headers = (f"against {other.partition(' of ')[0]}" for other in against)
    rows = []
    for name, score in scores.items():
        low, high = map(percent, score.interval())
        of_name = (changes.get((name, other), "") for other in against)
        rows.append((name, f"{percent(score.value)} ({low} to {high})", *of_name))
    table = TextTable(("vectors", f"{metric.title} x 100", *headers), tuple(rows))
    parts = (
        lost or answer,
        f"On {pairs.title} ({len(pairs):,} pairs), with 95 % intervals. The {PLAIN} is the "
        "result of the encoder's own `encode`.",
        table.to_markdown().strip(),
        f"Under {recipe.calibrator} {RANKS_NOTHING}." * (last is None),
        "The fit corpus contained sentences of these pairs, without their scores."
        * (embedded.corpus.n_among(pairs.texts) > 0),
    )
    return lost, "\n\n".join(filter(None, parts)), _results(recipe, pairs, scores)


def _results(recipe: Recipe, pairs: Pairs, scores: Mapping[str, Score]) -> "list[EvalResult]":
    """Return the score of each row with its recipe, for the model-index of the card.

    Only the last row, the exported model, has the metric's own type, so that programs do not
    mistake an uncalibrated score for the model's.
    """
    from huggingface_hub import EvalResult  # late: slow to import

    rows, metric = [*scores][::-1], "cosine_roc_auc" if pairs.gold is None else "spearman_cosine"
    before = [] if recipe.spec == BASELINE else [recipe.with_(calibrator=BASELINE)]
    recipes = dict(zip(rows, [recipe, *before, *filter(None, [recipe.plain])], strict=False))
    return [
        EvalResult(
            task_type="sentence-similarity",
            dataset_type=pairs.name,
            dataset_name=pairs.title,
            dataset_split=pairs.split if recipe.has_splits else None,
            dataset_args={"n_pairs": len(pairs), "sha256": pairs.fingerprint},
            metric_type=metric if row == rows[0] else f"{metric}_before",
            metric_name=row,
            metric_value=scores[row].value,
            metric_args=recipes[row].to_dict(),
        )
        for row in scores
        if scores[row].value is not None
    ]
