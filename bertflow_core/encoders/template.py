"""Templates: the text around every sentence that a model reads."""

from typing import TYPE_CHECKING

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from tokenizers import Encoding

SLOT = "{text}"
"""The placeholder for the sentence."""

OFFERED = (
    'This sentence: "{text}" means in one word: "',
    'Summarize the sentence: "{text}" in one word: "',
    "query: {text}",
)
"""PromptEOL (Jiang et al. 2023, arXiv 2307.16645), the template in the tables of EmbedFilter (arXiv
2606.07502), and the prefix of E5 (Wang et al. 2022, arXiv 2212.03533).
"""

SIDE_PROMPTS = ("query: ", "passage: ")
"""The prompts of E5 for queries and for documents."""

_MAX_TEMPLATE = 1_000


def check_template(template: str) -> None:
    """Refuse a template that is too long or does not have exactly one place for the sentence."""
    n_slots = template.count(SLOT)
    if n_slots != 1:
        raise InputError(
            f"a template needs {SLOT} exactly once, in place of the sentence: got {n_slots} in "
            f"{quoted(template)}"
        )
    if len(template) > _MAX_TEMPLATE:
        raise InputError(
            f"template must have at most {_MAX_TEMPLATE:,} characters, got {len(template):,}"
        )


def filled(template: str | None, sentence: str) -> str:
    """Return the sentence, inserted into the template if there is one."""
    return sentence if template is None else template.replace(SLOT, sentence)


def cut_sentence(
    encoding: "Encoding", template: str, n_characters: int, max_length: int
) -> list[int]:
    """Return the token ids of a filled template, with the end of its sentence cut to fit."""
    first = template.index(SLOT)
    tokens = zip(encoding.offsets, encoding.special_tokens_mask, strict=True)
    inside = [
        place
        for place, ((start, stop), is_special) in enumerate(tokens)
        if not is_special and first <= start and stop <= first + n_characters
    ]
    n_excess = len(encoding.ids) - max_length
    if n_excess >= len(inside):
        raise InputError(
            f"max_length {max_length:,} leaves no room for a sentence, since the template alone "
            f"takes {len(encoding.ids) - len(inside):,} tokens: shorten it or raise max_length"
        )
    end = inside[-1] + 1
    return encoding.ids[: end - n_excess] + encoding.ids[end:]
