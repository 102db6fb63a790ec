"""The norm of words by frequency in sentences, alike on every page that speaks of it."""

from typing import TYPE_CHECKING

from bertflow_core.analysis.courses import course_by_rank, runs_text

if TYPE_CHECKING:
    from bertflow_core.studies.words.result import WordResult

__all__ = ["norm_finding", "over_all"]


def norm_finding(result: "WordResult") -> str:
    """Say how the norm goes from frequent to rare words, and with frequency over all words."""
    norms, recipe = result.norms_by_rank, result.recipe
    said = (
        f"From frequent to rare words, the mean norm in {recipe.model}'s word table "
        f"({recipe.table}) {course_by_rank(norms)}."
    )
    rho = result.norm_rho
    if rho is None:
        return said
    return f"{said} {over_all(len(result.norms), runs_text([*norms.values()]), [rho])} {rho:+.2f}."


def over_all(n: int, course: str, rhos: list[float]) -> str:
    """Begin the sentence on the rank correlation over all words: what of the course decides it.

    Args:
        n: Words.
        course: How the norm goes from frequent to rare words, if alike in every space.
        rhos: The rank correlation of norm and frequency in each space.
    """
    turns = "rises" in course and "falls" in course
    decides = ""
    if turns and min(rhos) > 0:
        decides = ", frequent ones have the larger norms as a rule:"
    elif turns and max(rhos) < 0:
        decides = ", frequent ones have the smaller norms as a rule:"
    return f"Over all {n:,} words{decides} the rank correlation of norm and frequency is"
