"""Does cosine follow shared words or meaning? Table 6 and Figure 2, for any pairs and calibrators.

Long pairs can be more edits apart than short ones. Anything that varies with length, such as the
genre, can then hide or mimic a relation with the words. The table `length` holds length fixed.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from bertflow_core.arrays.sampling import sample_rows
from bertflow_core.calibrators.spec import Spec
from bertflow_core.encoders.given import WORDS
from bertflow_core.evaluation.comparison import Direction
from bertflow_core.figures import Figure, similarity_panels
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.remarks import few_pairs
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.studies.lexical.bias import (
    DISTANCE,
    GOLD,
    LENGTH,
    NORMALISED,
    LexicalBias,
    LexicalRecipe,
    lexical_bias,
    printed_for,
    texts_of,
)
from bertflow_core.studies.pairs import PAIR_COLUMNS
from bertflow_core.wording import percent

FOOLED = "fooled by words"
_FOOLED = (
    "Pairs with similar words and a low gold score, or with different words and a high one. "
    "The pairs with the largest rank errors come first."
)

MOST_DRAWN = 5_000
"""Largest number of pairs in the picture; larger data are sampled."""


def _rho(key: str, label: str = "", help: str = "") -> Column:
    return Column(key, label, ".2f", help, times=100, ends=True)


def _columns(recipe: LexicalRecipe) -> tuple[Column, ...]:
    return (
        Column("similarity"),
        _rho(recipe.column, recipe.label),
        _rho("gold"),
        _rho(
            "gold_fixed",
            f"{recipe.label}, gold fixed",
            "partial rank correlation, controlling for gold scores",
        ),
        _rho("close", "close pairs"),
    )


_LENGTH = (
    Column("similarity"),
    _rho(DISTANCE, "edits"),
    _rho(NORMALISED, "edits / longer side", "from 0 to 1"),
    _rho(
        "length_fixed",
        "edits, length fixed",
        "partial rank correlation (Kendall 1942), controlled for the longer sentence's length",
    ),
    _rho(LENGTH, help="tokens of the longer side, the largest edit distance that a pair can have"),
)


@study(
    "lexical",
    LexicalRecipe,
    _columns,
    title="Does cosine follow shared words or meaning?",
    figures=lambda report: {"similarity_panels": lambda: panels(report.objects["bias"])},
    calibrators=("identity", "flow"),
    needs=WORDS,
    without=("aggregation", "similarity"),
)
def lexical(recipe: LexicalRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Evaluate calibrators and compare their cosines with the pairs' edit distances."""
    return compared(lab.evaluate(recipe.each(calibrators=calibrators)), recipe)


def compared(evaluations: Sequence[Evaluation], recipe: LexicalRecipe) -> Result:
    """Compare the cosines of evaluations with edit distances; the baseline comes first."""
    recipe = recipe.with_(revision=evaluations[0].recipe.revision)
    bias = lexical_bias(evaluations, recipe)
    rows = [_row(bias, name) for name in bias.names]
    published, source = _published(bias)
    return Result(
        rows,
        [
            *remarks_of(Kind.HEADLINE, _headline(bias)),
            *remarks_of(Kind.METHOD, *_about(bias), source),
            *remarks_of(Kind.ANSWER, *conclusions(bias)),
            *fit_remarks(((each.spec, each.notes) for each in evaluations), recipe),
        ],
        recipes=[recipe],
        tables=[*published, *_fooled(bias), Table(_LENGTH, rows, "length")],
        facts={
            "n_pairs": len(bias.words.pairs),
            "n_close": int(bias.is_close.sum()),
            "correlations": correlations(bias),
            "data": bias.words.pairs.provenance.to_dict(),
        },
        objects={"bias": bias},
    )


def _published(bias: LexicalBias) -> tuple[list[Table], str]:
    """Return the published numbers and their source; none if the data are not the paper's."""
    table = printed_for(bias.recipe)
    if not table:
        return [], ""
    rows = [
        {"similarity": row["label"], **{key: row[key] / 100 for key in (DISTANCE, GOLD)}}
        for row in table["rows"]
    ]
    source = (
        f"Published: {table['citation']}, for BERT, layers not stated. Its rho of gold scores "
        f"with edit distance, {table['rows'][0][DISTANCE]:.2f}, depends on the text of the pairs: "
        f"{'; '.join(texts_of(table))}. Here: {bias.words.pairs.provenance.layout}."
    )
    return [Table(_columns(bias.recipe)[:3], rows, "published")], source


def _fooled(bias: LexicalBias) -> list[Table]:
    """Return a table of the pairs whose words and meaning disagree, if there are any."""
    fooled = bias.fooled()
    if not fooled:
        return []
    columns = [Column("kind"), *PAIR_COLUMNS, Column("edit_distance", "edits")]
    columns += [Column(f"cosine {spec}", "", ".2f") for spec in bias.specs]
    help = "rank by cosine minus rank by gold, in % of pairs"
    columns += [Column(f"error {spec}", "", "+.1f", help) for spec in bias.specs]
    return [Table(columns, fooled, FOOLED, remarks_of(Kind.METHOD, _FOOLED))]


def _row(bias: LexicalBias, name: str) -> Row:
    """Return the rank correlations of a similarity with distances, gold and length."""
    found = {to: bias.every.rho(name, to) for to in (DISTANCE, NORMALISED, LENGTH)}
    found["length_fixed"] = bias.every.partial(name, DISTANCE, LENGTH)
    if bias.close is not None:
        found["close"] = bias.close.rho(name, DISTANCE)
    if bias.gold is not None and name != GOLD:
        found["gold"] = bias.every.rho(name, GOLD)
        found["gold_fixed"] = bias.every.partial(name, bias.recipe.column, GOLD)
    row: dict[str, str | float | None] = {"similarity": name}
    for key, each in found.items():
        row |= {key: each.value, f"{key}_low": each.low, f"{key}_high": each.high}
    return row


def correlations(bias: LexicalBias) -> list[Row]:
    """Return a row for every two columns, over all pairs and over close pairs."""
    return [
        {"pairs": pairs, "n": matrix.n_rows, "a": a, "b": b}
        | {"rho": rho.value, "low": rho.low, "high": rho.high}
        for pairs, matrix in (("all", bias.every), ("close", bias.close))
        if matrix is not None
        for a, b in combinations(matrix.names, 2)
        for rho in [matrix.rho(a, b)]
    ]


def _about(bias: LexicalBias) -> Iterator[str]:
    recipe, n_draws = bias.recipe, len(bias.every.draws)
    over = ", divided by the length of the longer side" if recipe.column != DISTANCE else ""
    yield (
        f"The table shows Spearman's rho x 100 of {len(bias.words.pairs):,} pairs. Edit distance "
        f"counts inserted, deleted and substituted {recipe.unit} units{over}. Close pairs "
        f"({int(bias.is_close.sum()):,}) are at most {recipe.threshold} edits apart."
    )
    yield (
        f"The 95 % intervals use {n_draws:,} resamples of the pairs (seed {recipe.seed})."
        if n_draws
        else "Too few pairs for intervals."
    )


def _headline(bias: LexicalBias) -> str:
    """Return how closely cosine follows the words, before and under the last calibrator."""
    to, last = bias.recipe.column, bias.specs[-1]
    rhos = [bias.every.rho(spec, to).value for spec in bias.specs]
    if few_pairs(len(bias.words.pairs)) or rhos[0] is None:
        return ""
    text = f"Cosine and {bias.recipe.label} have a rho x 100 of {percent(rhos[0])}"
    if len(rhos) > 1 and rhos[-1] is not None:
        text += f", under {Spec(last).plain_name} of {percent(rhos[-1])}"
    return f"{text}."


def conclusions(bias: LexicalBias) -> Iterator[str]:
    """Say how each calibrator changes rho with edit distance and with gold scores.

    For fewer than 30 pairs, say only that their rho is mostly chance.
    """
    if few := few_pairs(len(bias.words.pairs)):
        yield few
        return
    to = bias.recipe.column
    for spec in bias.specs[1:]:
        names = {to: bias.recipe.label} | ({} if bias.gold is None else {GOLD: GOLD})
        sentences = [
            bias.change(spec, other).sentence(f"rho x 100 with {name}", times=100)
            for other, name in names.items()
        ]
        changes = "; ".join(each.removesuffix(".") for each in sentences)
        yield f"From {bias.specs[0]} to {spec}, {changes}. Cosine {_effect(bias, spec)}."
    if bias.gold is not None:
        of_people = bias.every.rho(GOLD, to)
        yield (
            f"Gold scores have a rho x 100 of {percent(of_people.value)} with {bias.recipe.label}."
        )


def _effect(bias: LexicalBias, spec: str) -> str:
    """Say whether cosine follows the words more or less closely than before."""
    to, first = bias.recipe.column, bias.specs[0]
    if bias.every.rho(first, to).sign * bias.every.rho(spec, to).sign < 0:
        return "changes the sign of its correlation with the words"
    return {
        Direction.ROSE: "follows the words more closely",
        Direction.FELL: "follows the words less closely",
        Direction.SAME: "does not follow the words significantly more or less closely",
        Direction.UNKNOWN: "has no comparable correlation",
    }[bias.change_in_size(spec, first, to).direction]


def finding(bias: LexicalBias) -> str:
    """Say whether cosine follows the words more closely than gold scores do.

    For fewer than 30 pairs, say only that their rho is mostly chance.
    """
    if few := few_pairs(len(bias.words.pairs)):
        return few
    rhos = {name: bias.every.rho(name, bias.recipe.column).value for name in bias.names}
    before, *others = bias.specs
    sentence = (
        f"With {bias.recipe.label}, cosine under {before} has a rho x 100 of "
        f"{percent(rhos[before])}"
    )
    if GOLD in rhos:
        sentence += f"; gold scores have {percent(rhos[GOLD])}"
    known = [spec for spec in others if rhos[spec] is not None]
    if not known:
        return f"{sentence}."
    least = min(known, key=lambda spec: abs(rhos[spec] or 0.0))
    return (
        f"{sentence}. Under {least} cosine has {percent(rhos[least])} and {_effect(bias, least)}."
    )


def panels(bias: LexicalBias) -> Figure:
    """Draw Figure 2 of the paper: one panel for gold and one per calibrator."""
    pairs = bias.words.pairs
    gold = {} if pairs.gold is None else {GOLD: pairs.gold}
    rows = sample_rows(len(pairs), MOST_DRAWN, seed=bias.recipe.seed)
    return similarity_panels(
        {name: values[rows] for name, values in {**gold, **bias.similarities}.items()},
        bias.apart[rows],
        near=bias.is_close[rows],
        threshold=bias.recipe.threshold,
        distance=bias.recipe.label,
        texts=[f"{pairs.first[row]} | {pairs.second[row]}" for row in rows],
    )
