"""The card of an exported model: what it is, how well it works, when not to use it."""

from contextlib import suppress

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.registry import BASELINE, plain_name
from bertflow_core.encoders import CATALOG, ModelFolder
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.evaluation.inference import Interval
from bertflow_core.lab import Lab
from bertflow_core.recipe import PLAIN, Recipe
from bertflow_core.space import changes_of_rho
from bertflow_core.text_table import percent

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

## When not to use it

- On text unlike the fit corpus: mean and directions are those of that corpus. Fit it again on \
yours.
- On an encoder whose vectors are already well spread, such as one trained contrastively: there \
calibration mostly harms. Compare both before you choose.
- Beside vectors of the uncalibrated encoder: the two spaces cannot be mixed in one index.
{notes}
## How it was made

- Recipe: {recipe}.
- Encoder: {encoder}.
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
    lab: Lab,
    *,
    n_features: int,
    place: str,
    check: str,
    normalize: bool,
) -> str:
    """Return the card, Markdown with the front matter that the hub reads.

    `place` loads the model: its name on the hub, or a folder. `check` is the comparison with this
    package's own vectors in words.
    """
    corpus = lab.corpus(recipe)
    fit = recipe.without("split", "aggregation").to_command(
        command="bertflow-lab fit", options=[("--out", "calibrator")]
    )
    export = f"bertflow-lab export calibrator --out model{' --normalize' * normalize}"
    return _CARD.format(
        origin=_origin(model),
        model=model.name,
        layers=recipe.layers,
        plain=plain_name(recipe.calibrator),
        calibrator=recipe.calibrator,
        n_features=n_features,
        place=place,
        scores=_scores(recipe, fitted, lab),
        notes="".join(f"- Its fit remarked: {note}.\n" for note in fitted.notes_),
        recipe=recipe.caption(),
        encoder=_encoder(model),
        corpus=corpus.description.rstrip("."),
        licences="; ".join(dict.fromkeys(source.licence for source in corpus.sources)),
        check=check,
        commands=f"{fit}\n{export}",
    )


def _scores(recipe: Recipe, fitted: Calibrator, lab: Lab) -> str:
    """Say how well a recipe's pairs do: plain, and before and after a calibrator, as Markdown."""
    pairs = lab.pairs(recipe)
    if pairs.judged is None:
        return "The data it was fitted on has no scores, so that nothing was measured."
    prepared = lab.prepare(recipe)
    sides = (prepared.x_first, prepared.x_second)
    is_plain = recipe.with_(calibrator=BASELINE) == recipe.plain
    plain = f"{PLAIN} of {recipe.model}"
    before = plain if is_plain else f"{recipe.layers}, uncalibrated"
    after = f"{recipe.layers}, {recipe.calibrator}"
    rows = {before: pairwise_cosine(*sides), after: pairwise_cosine(*map(fitted.transform, sides))}
    with suppress(InputError):  # a folder that declares what is not run here has no such row
        rows = rows if is_plain else {plain: lab.plain(recipe).similarity, **rows}
    first = next(iter(rows))
    draws = changes_of_rho(rows, pairs, recipe, baseline=first).draws
    told = {(name, other): "" for name in rows for other in (first, before)}
    told |= {
        (each.name, each.other): f"{100 * each.rho:+.2f}{_ends(each.interval, sign='+')}"
        for each in draws.differences([names for names in told if names[0] != names[1]])
    }
    against = dict.fromkeys((first, before))
    header = [
        "vectors",
        f"{draws.metric.title} x 100",
        *(f"against {other.partition(' of ')[0]}" for other in against),
    ]
    lines = [header, ["---"] * len(header)]
    for name in rows:
        score = percent(draws.rhos[draws.index(name)]) + _ends(draws.interval(name), sign="")
        lines.append([name, score, *(told[name, other] for other in against)])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    worse = draws.rhos[draws.index(after)] < draws.rhos[0] and first == plain
    parts = (
        f"The {PLAIN} of the encoder scores higher on these pairs: take this model only where its "
        "vectors have to be those of this layer." * worse,
        f"On {pairs.name} {pairs.split} ({len(pairs):,} pairs), with 95 % intervals; the {PLAIN} "
        "is what the encoder's own `encode` gives.",
        table,
        "Sentences of these pairs were among those it was fitted on, without scores."
        * (prepared.corpus.n_among((*pairs.first, *pairs.second)) > 0),
    )
    return "\n\n".join(filter(None, parts))


def _ends(interval: Interval, *, sign: str) -> str:
    low, high = (format(100 * end, f"{sign}.2f") for end in (interval.low, interval.high))
    return f" ({low} to {high})"


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
