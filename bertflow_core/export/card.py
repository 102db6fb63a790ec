"""The card of an exported model: what it is, how well it works, when not to use it."""

from dataclasses import dataclass

from bertflow_core.encoders import CATALOG, ModelFolder
from bertflow_core.export.check import Agreement
from bertflow_core.export.checked import Options
from bertflow_core.export.judged import Judged
from bertflow_core.recipe import Recipe

__all__ = ["CardFacts", "model_card"]

_LIBRARY = "sentence-transformers"
_USAGE = """\
from sentence_transformers import SentenceTransformer

model = SentenceTransformer("{place}")
vectors = model.encode(["A dog runs.", "Rain falls."])  # shape (2, {n_out})
"""


@dataclass(frozen=True)
class CardFacts:
    """What a card says.

    Attributes:
        recipe: How the calibrator was fitted.
        model: The encoder.
        plain: The calibrator in plain English.
        corpus: The fit corpus, one sentence.
        corpus_licences: Of its sources.
        n_out: Features of a vector.
        notes: What the fit remarked.
        agreement: The comparison with this package's own vectors.
        judged: Scores; None where nobody judged the data.
        options: What was written, and how.
        name: Of the model on the hub; None where it is a folder alone.
        commands: What fits the calibrator and writes the folder again.
    """

    recipe: Recipe
    model: ModelFolder
    plain: str
    corpus: str
    corpus_licences: tuple[str, ...]
    n_out: int
    notes: tuple[str, ...]
    agreement: Agreement
    judged: Judged | None
    options: Options
    name: str | None
    commands: tuple[str, ...]


def model_card(facts: CardFacts) -> str:
    """Return the card, Markdown with the front matter that the hub reads."""
    parts = (
        _front_matter(facts),
        f"# {facts.model.name}, {facts.recipe.layers}, calibrated: {facts.plain}",
        f"Sentence vectors with {facts.n_out} features, compared by cosine similarity. The encoder "
        "is unchanged; behind it lie dense layers that say exactly what the calibrator "
        f"`{facts.recipe.calibrator}` does. It was learnt without labels.",
        _usage(facts),
        "## How well it works",
        _judged(facts.judged),
        "## When not to use it",
        _limits(facts),
        "## How it was made",
        _making(facts),
    )
    return "\n\n".join(parts) + "\n"


def _front_matter(facts: CardFacts) -> str:
    entry = CATALOG.get(facts.model.name)
    lines = [f"library_name: {_LIBRARY}", "pipeline_tag: sentence-similarity"]
    if entry is not None:
        lines += [f"base_model: {entry.hub_id}", f"license: {entry.licence.lower()}"]
    elif "/" in facts.model.name and facts.model.revision:
        lines.append(f"base_model: {facts.model.name}")
    tags = (_LIBRARY, "feature-extraction", "calibration", "anisotropy")
    return "\n".join(["---", *lines, "tags:", *(f"- {tag}" for tag in tags), "---"])


def _usage(facts: CardFacts) -> str:
    usage = _USAGE.format(place=facts.name or "path/of/this/folder", n_out=facts.n_out)
    return f"```python\n{usage}```\n\nRead by {_LIBRARY} from version 3 on."


def _judged(judged: Judged | None) -> str:
    if judged is None:
        return "The data it was fitted on has no scores, so that nothing was measured."
    table = (
        f"{judged.metric} x 100 on {judged.data}, with 95 % intervals:\n\n"
        "| before | after | change |\n| --- | --- | --- |\n"
        f"| {judged.before} | {judged.after} | {judged.change} |"
    )
    if not judged.fitted_on_them:
        return table
    return f"{table}\n\nSentences of these pairs were among those it was fitted on, without scores."


def _limits(facts: CardFacts) -> str:
    points = [
        "On text unlike the fit corpus: mean and directions are those of that corpus. Fit it again "
        "on yours.",
        "On an encoder whose vectors are already well spread, such as one trained contrastively: "
        "there calibration mostly harms. Compare both before you choose.",
        "Beside vectors of the uncalibrated encoder: the two spaces cannot be mixed in one index.",
    ]
    points += [f"Its fit remarked: {note}." for note in facts.notes]
    return "\n".join(f"- {point}" for point in points)


def _making(facts: CardFacts) -> str:
    licences = "; ".join(facts.corpus_licences)
    again = "\n".join(facts.commands)
    return (
        f"- Recipe: {facts.recipe.caption()}.\n"
        f"- Encoder: {_encoder(facts.model)}.\n"
        f"- Fit corpus: {facts.corpus.rstrip('.')}. Licence: {licences}.\n"
        f"- Loaded by {_LIBRARY} in a new process, {facts.agreement}.\n"
        f"- Again:\n\n```sh\n{again}\n```"
    )


def _encoder(model: ModelFolder) -> str:
    entry = CATALOG.get(model.name)
    called = entry.hub_id if entry else model.name
    at = f" at {model.revision}" if model.revision else ""
    licence = entry.licence if entry else "see its own card"
    return f"{called}{at}, SHA-256 of its files {model.digest[:16]}. Licence: {licence}"
