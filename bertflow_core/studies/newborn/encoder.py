"""Eq. 3 of the paper in an encoder with its masked-word head, and the rows never trained on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.analysis.contexts import Decomposition, decompose, find_contexts
from bertflow_core.analysis.isotropy import mean_cosine
from bertflow_core.encoders.catalog import resolve_model
from bertflow_core.encoders.masked_language import MaskedLanguageEncoder
from bertflow_core.encoders.word_table import WordTable, read_word_table
from bertflow_core.experiment import Lab
from bertflow_core.figures import Figure
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.report import Record, Report
from bertflow_core.studies.newborn.equation import Equation, equation_of, scores_of
from bertflow_core.studies.newborn.report import decomposition_table, equation_figure
from bertflow_core.text_table import TextTable

__all__ = ["EncoderEquation", "RowGroup", "encoder_report", "measure_encoder", "of_encoder"]

COMMAND = "bertflow-lab analyse pmi"
_UNUSED = re.compile(r"\[unused\d+\]|<unused\d+>|madeupword\d+")


@dataclass(frozen=True)
class RowGroup:
    """Some rows of the input word table.

    Attributes:
        name: What they are.
        n: How many.
        norm: Mean L2 norm.
        cosine: Mean cosine of all pairs; None of fewer than two.
    """

    name: str
    n: int
    norm: float
    cosine: float | None


@dataclass(frozen=True)
class EncoderEquation:
    """What was measured of an encoder.

    Attributes:
        recipe: Model, data, longest input and seed; nothing else of it counts.
        n_sentences: Sentences that were counted.
        equation: Of h . w alone.
        with_bias: Of h . w + b; None where the softmax has no bias.
        rows: Whole words, pieces and unused tokens, as far as the table has them.
    """

    recipe: Recipe
    n_sentences: int
    equation: Equation
    with_bias: Decomposition | None
    rows: tuple[RowGroup, ...]

    @property
    def models(self) -> dict[str, Decomposition]:
        """The decompositions by what was regressed."""
        found = {"h . w": self.equation.decomposition}
        return found if self.with_bias is None else found | {"h . w + bias": self.with_bias}


def measure_encoder(recipe: Recipe, lab: Lab, *, progress: Progress = silent) -> EncoderEquation:
    """Regress an encoder's h . w on PMI + log p(x) of a corpus, and compare rows of its table.

    Args:
        recipe: Its model, its longest input, its seed, and its fit corpus, which is counted.
        lab: Where the data come from.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: A model without a masked-word head, or too few sentences.
        ResourceError: The disk or the network failed.
    """
    recipe = of_encoder(recipe)
    folder = resolve_model(recipe.model, revision=recipe.revision, progress=progress)
    encoder = MaskedLanguageEncoder(folder, max_length=recipe.max_length)
    sentences = lab.corpus(recipe).sentences
    ids = encoder.tokenize(sentences)
    contexts = find_contexts(ids)
    states = encoder.masked_states(
        [ids[row] for row in contexts.rows], contexts.places, progress=progress
    )
    score = scores_of(contexts, states, encoder.table)
    bias = encoder.bias
    return EncoderEquation(
        recipe=recipe.with_(revision=folder.revision),
        n_sentences=len(sentences),
        equation=equation_of(contexts, score, encoder.tokens, seed=recipe.seed),
        with_bias=None if bias is None else decompose(score + bias[contexts.words], contexts),
        rows=_row_groups(read_word_table(folder)),
    )


def of_encoder(recipe: Recipe) -> Recipe:
    """Return a recipe without the fields that do not count here."""
    return recipe.without("layers", "tokens", "calibrator", "split", "aggregation", "precision")


def _row_groups(table: WordTable) -> tuple[RowGroup, ...]:
    """Return norm and cosine of whole words, pieces and tokens that no text has."""
    unused = np.array([bool(_UNUSED.fullmatch(token)) for token in table.tokens])
    groups = {"whole words": table.whole & ~unused, "pieces": table.piece, "never used": unused}
    found = []
    for name, rows in groups.items():
        if rows.any():
            x = np.asarray(table.x[rows], np.float64)
            norm = float(np.linalg.norm(x, axis=1).mean())
            found.append(RowGroup(name, len(x), norm, mean_cosine(x) if len(x) > 1 else None))
    return tuple(found)


def encoder_report(measured: EncoderEquation) -> Report:
    """Report the regression and the rows."""
    remarks = (
        f"{measured.recipe.caption()}. Counts and contexts of its {measured.n_sentences:,} "
        "sentences, in the encoder's own tokens.",
    )
    return Report(
        name="pmi",
        tables=lambda: (
            _with_remarks(decomposition_table(measured.models), remarks),
            _rows_table(measured.rows),
        ),
        records=lambda: _records(measured),
        shared=measured.recipe.columns(),
        document=lambda: _document(measured),
        remarks=remarks,
        command=measured.recipe.to_command(command=COMMAND),
        figures=lambda: _figures(measured),
    )


def _with_remarks(table: TextTable, remarks: Sequence[str]) -> TextTable:
    return TextTable(table.header, table.rows, (*remarks, *table.remarks))


def _rows_table(rows: Sequence[RowGroup]) -> TextTable:
    cells = tuple(
        (each.name, f"{each.n:,}", f"{each.norm:.3f}", _number(each.cosine)) for each in rows
    )
    remarks = (
        "Rows of the input word table as they are stored. Never used: tokens such as [unused0], "
        "which no text has; Gao et al. (2019) prove, under assumptions, that a softmax drives such "
        "rows far out.",
    )
    return TextTable(("rows", "n", "mean norm", "mean cos"), cells, remarks)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _records(measured: EncoderEquation) -> list[Record]:
    return [{"score": name, **found.to_dict()} for name, found in measured.models.items()]


def _document(measured: EncoderEquation) -> dict[str, Any]:
    return {
        "recipe": measured.recipe.to_dict(),
        "n_sentences": measured.n_sentences,
        "equation": measured.equation.to_dict(),
        "with_bias": None if measured.with_bias is None else measured.with_bias.to_dict(),
        "rows": [vars(each) for each in measured.rows],
    }


def _figures(measured: EncoderEquation) -> dict[str, Figure]:
    return {"pmi-equation": equation_figure(measured.equation)}
