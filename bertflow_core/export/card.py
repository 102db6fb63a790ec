"""The card of an exported model: what it is, how well it works, when not to use it."""

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.registry import plain_name
from bertflow_core.datasets import Corpus
from bertflow_core.encoders import CATALOG, ModelFolder
from bertflow_core.export.compared import Compared
from bertflow_core.recipe import PLAIN, Recipe
from bertflow_core.saved_thresholds import Threshold

THRESHOLD = "threshold.json"

_CARD = """\
---
library_name: sentence-transformers
pipeline_tag: sentence-similarity
{origin}tags:
- sentence-transformers
- feature-extraction
- calibration
- anisotropy
---

# {model}, {layers}, calibrated: {plain}

Sentence vectors with {n_features} features, compared by cosine similarity. The encoder is \
unchanged; behind it lie dense layers that say exactly what the calibrator `{calibrator}` does. It \
was learnt without labels.

```python
from sentence_transformers import SentenceTransformer

model = SentenceTransformer("{place}")
vectors = model.encode(["A dog runs.", "Rain falls."])  # shape (2, {n_features})
```

Read by sentence-transformers from version 3 on.

## How well it works

{scores}

{cut}## When not to use it

- On text unlike the fit corpus: mean and directions are those of that corpus. Fit it again on \
yours.
- On an encoder whose vectors are already well spread, such as one trained contrastively: there \
calibration mostly harms. Compare both before you choose.
- Beside vectors of the uncalibrated encoder: the two spaces cannot be mixed in one index.
{notes}
## How it was made

- Recipe: {recipe}.
- Encoder: {encoder}.
- Layers: {kept}.
- Fit corpus: {corpus}. Licence: {licences}.
- Loaded by sentence-transformers in a new process, {check}.
- Again:

```sh
{commands}
```
"""


def model_card(
    recipe: Recipe,
    model: ModelFolder,
    fitted: Calibrator,
    corpus: Corpus,
    scores: Compared | None,
    *,
    n_features: int,
    n_layers: int,
    place: str,
    check: str,
    normalize: bool,
    threshold: Threshold | None = None,
) -> str:
    """Return the card, Markdown with the front matter that the hub reads.

    `place` loads the model: its name on the hub, or a folder. `check` is the comparison with this
    package's own vectors in words. `n_layers` of the encoder come along.
    """
    loses = scores is not None and bool(scores.loss)
    return _CARD.format(
        origin=_origin(model),
        model=model.name,
        layers=recipe.layers,
        plain=plain_name(recipe.calibrator),
        calibrator=recipe.calibrator,
        n_features=n_features,
        place=place,
        scores=_scores(scores),
        cut=_cut(threshold),
        notes="".join(f"- Its fit remarked: {note}.\n" for note in fitted.notes_),
        recipe=recipe.caption(),
        encoder=_encoder(model),
        kept=_kept(model, n_layers),
        corpus=corpus.description.rstrip("."),
        licences="; ".join(dict.fromkeys(source.licence for source in corpus.sources)),
        check=check,
        commands=commands(
            recipe,
            " --normalize" * normalize
            + " --anyway" * loses
            + " --threshold scale.json" * (threshold is not None),
        ),
    )


def commands(recipe: Recipe, options: str = "") -> str:
    """Return the two commands that fit the calibrator of a recipe and export it."""
    fit = recipe.without("split", "aggregation", "layers").to_command(
        command="bertflow-lab fit", options=[("--layers", recipe.layers), ("--out", "calibrator")]
    )
    return f"{fit}\nbertflow-lab export calibrator --out model{options}"


def _scores(scores: Compared | None) -> str:
    """Say how well the pairs do, as Markdown."""
    if scores is None:
        return "The data it was fitted on has no scores, so that nothing was measured."
    pairs = scores.pairs
    parts = (
        scores.loss,
        f"On {pairs.name} {pairs.split} ({len(pairs):,} pairs), with 95 % intervals; the {PLAIN} "
        "is what the encoder's own `encode` gives.",
        scores.table(),
        "Sentences of these pairs were among those it was fitted on, without scores."
        * scores.is_seen,
    )
    return "\n\n".join(filter(None, parts))


def _cut(threshold: Threshold | None) -> str:
    """Say from which cosine on two sentences are more alike than random ones."""
    if threshold is None:
        return ""
    rate, low, high = (100 * share for share in (threshold["rate"], *threshold["interval"]))
    return (
        f"## Where to cut\n\n{rate:.3g} % of random pairs of its data have a cosine above "
        f"{threshold['threshold']:.4f} (95 %: {low:.3g} to {high:.3g} %). `{THRESHOLD}` says so to "
        "programs; it holds for this model alone.\n\n"
    )


def _kept(model: ModelFolder, n_layers: int) -> str:
    """Say which layers of the encoder come along."""
    if n_layers == model.n_layers:
        return f"all {n_layers}"
    return f"1 to {n_layers} of {model.n_layers}; the others are left out, since nothing reads them"


def _origin(model: ModelFolder) -> str:
    """Return the lines of the front matter about the encoder."""
    entry = CATALOG.get(model.name)
    if entry is not None:
        return f"base_model: {entry.hub_id}\nlicense: {entry.licence.lower()}\n"
    is_on_hub = "/" in model.name and model.revision
    return f"base_model: {model.name}\n" if is_on_hub else ""


def _encoder(model: ModelFolder) -> str:
    entry = CATALOG.get(model.name)
    called = entry.hub_id if entry else model.name
    at = f" at {model.revision}" if model.revision else ""
    licence = entry.licence if entry else "see its own card"
    return f"{called}{at}, SHA-256 of its files {model.digest[:16]}. Licence: {licence}"
