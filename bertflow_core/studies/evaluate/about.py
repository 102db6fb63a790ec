"""What the scores of a grid depend on: data, fits, vectors, tests."""

from collections.abc import Iterator, Sequence

from bertflow_core.evaluation import N_DRAWS, RHO
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import conservative, why_unscored
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.study import fit_remarks
from bertflow_core.studies.evaluate.axes import REFERENCES
from bertflow_core.studies.evaluate.board import Board
from bertflow_core.studies.lexical_baselines import LEXICAL, above_published


def remarks_on(board: Board, answers: Sequence[str], missing: Sequence[str]) -> list[Remark]:
    """Return the answers, then what they depend on; each sentence names its data set if several."""
    remarks = [*remarks_of(Kind.ANSWER, *answers), *remarks_of(Kind.MISSING, *missing)]
    for name in board.datasets:
        remarks += _of_data(board, name)
    for metric in board.metrics:
        if metric is not RHO or len(board.metrics) > 1:
            remarks += remarks_of(Kind.METHOD, f"{metric.title} x 100 {metric.meaning}.")
    remarks += remarks_of(Kind.METHOD, *_of_plain(board), _of_tests(board))
    if board.params.seeds > 1:
        seeds = f"Scores of calibrators with a seed are means of {board.params.seeds} fits."
        remarks += remarks_of(Kind.METHOD, seeds)
    return remarks + _of_fits(board)


def _of_data(board: Board, name: str) -> list[Remark]:
    """Say what the data are, what the calibrators were fitted on, and how texts were embedded."""
    data, rows = board.data(name), board.rows.every
    prefix = f"{name}: " if len(board.datasets) > 1 else ""
    size = data.size if prefix else f"{data.size[0].upper()}{data.size[1:]}"
    about = [board.cells(row, name)[0].about for row in rows]
    of_fit = [about[-1][key] for key in ("fitted", "seen")]  # the plain output needs no fit
    of_vectors = [each[key] for key in ("sides", "cut", "chat") for each in about if key in each]
    remarks = remarks_of(
        Kind.METHOD, f"{size}.", *data.provenance.assumed, *of_fit, *dict.fromkeys(of_vectors)
    )
    if data.targets is None:
        remarks += remarks_of(Kind.MISSING, why_unscored(data))
    else:
        remarks += remarks_of(Kind.METHOD, conservative(data, board.params.aggregation))
    if lexical := board.lexical.get(name, ()):
        meanings = "; ".join(f"{each.spec}: {LEXICAL[each.spec]}" for each in lexical)
        model = lexical[0].recipe.model
        words = f"{meanings}. Both compare sets of {model}'s tokens; nothing is fitted."
        remarks += remarks_of(Kind.METHOD, words, above_published(lexical))
    return [Remark(each.kind, f"{prefix}{each.text}") for each in remarks]


def _of_plain(board: Board) -> Iterator[str]:
    """Say what each model's plain output is."""
    for row in board.rows.own_outputs:
        of = board.cells(row, board.datasets[0])[0].document.get("encoder", {})
        if row == row.plain and "declared" in of:
            queries = of.get("queries", {}).get("declared")
            yield (
                f"The {PLAIN} is the sentence embedding of {row.model} without calibration "
                f"({of['declared']}{f'; of queries: {queries}' if queries else ''})."
            )
        elif row != row.plain and len(board.rows.models) > 1:
            yield f"{board.rows.name(row)} stands in for a missing {PLAIN}."


def _of_tests(board: Board) -> str:
    """Say how differences are tested and how many of them are adjusted together."""
    sizes: dict[str, set[int]] = {}
    for column in board.datasets:
        for kind, tested in board.comparisons[column].items():
            sizes.setdefault(kind, set()).update({len(tested)} if tested else ())
    if not any(sizes.values()):
        return ""
    units = " or ".join(dict.fromkeys(each.unit for each in board.metrics))
    counts = ", ".join(
        f"{' or '.join(map(str, sorted(sizes[each.key])))} from {each.of(board.rows)[1]}"
        for each in REFERENCES
        if sizes[each.key]
    )
    each = " on each data set" if len(board.datasets) > 1 else ""
    return (
        f"Differences are tested by a paired bootstrap ({N_DRAWS:,} resamples of the {units}) and "
        f"Holm-adjusted over those of one kind{each}: {counts}."
    )


def _of_fits(board: Board) -> list[Remark]:
    """Return the notes on fits; those that saw too few sentences come with a remedy."""
    several = len(board.datasets) > 1
    fits = (
        (f"{f'{name}, ' * several}{_fit_name(board, row)}", cell.notes)
        for name in board.datasets
        for row in board.rows.every
        for cell in board.cells(row, name)
    )
    return fit_remarks(fits, board.params)


def _fit_name(board: Board, row: Recipe) -> str:
    vectors = {(each.model, each.vectors) for each in board.rows.every if each != each.plain}
    return board.rows.name(row) if len(vectors) > 1 else row.calibrator
