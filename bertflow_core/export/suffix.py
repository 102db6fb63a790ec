"""The text after the sentence in a template, as tokens that an exported tokenizer adds.

A prompt of sentence-transformers stands before the sentence. The text after it can be added by the
tokenizer, as `[SEP]` is: truncation then cuts the sentence and leaves the added tokens whole.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from bertflow_core.encoders import ModelFolder
from bertflow_core.encoders.loading import load_tokenizer
from bertflow_core.encoders.running import portions
from bertflow_core.encoders.template import SLOT, filled
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted


def tokenizer_with_suffix(
    model: ModelFolder, template: str, sentences: Sequence[str]
) -> tuple[str, dict[str, Any]]:
    """Return a tokenizer that adds the text after the sentence, and the settings it needs.

    The first is the content of `tokenizer.json`, the second goes into `tokenizer_config.json`.

    Raises:
        InputError: A sentence shares a token with the text after it.
    """
    from tokenizers.processors import TemplateProcessing  # late: slow to import

    tokenizer = load_tokenizer(model)
    before, after = _added_tokens(tokenizer, template, sentences)
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    backend.post_processor = TemplateProcessing(
        single=" ".join([*["before"] * bool(before), "$A", *["after"] * bool(after)]),
        special_tokens=[
            {"id": name, "ids": ids, "tokens": tokenizer.convert_ids_to_tokens(ids)}
            for name, ids in (("before", before), ("after", after))
        ],
    )
    # This class takes the file as it is; others, and `add_bos_token`, make their own processor.
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", **tokenizer.special_tokens_map}
    kept = ("model_max_length", "model_input_names", "padding_side")
    return backend.to_str(pretty=True), settings | {name: getattr(tokenizer, name) for name in kept}


def _added_tokens(
    tokenizer: Any,  # noqa: ANN401 - transformers has no common typed base
    template: str,
    sentences: Sequence[str],
) -> tuple[list[int], list[int]]:
    """Return the ids of the tokens before the prompt and after every sentence."""
    prompt, text = template.split(SLOT)
    added: tuple[list[int], list[int]] = [], []
    for portion in portions(sentences):
        whole = tokenizer([filled(template, each) for each in portion], verbose=False).encodings
        prompted = [prompt + sentence for sentence in portion]
        inner = tokenizer(prompted, add_special_tokens=False, verbose=False)["input_ids"]
        for sentence, encoding, own in zip(portion, whole, inner, strict=True):
            ids, n = encoding.ids, sum(takewhile(bool, encoding.special_tokens_mask))
            added = added if any(added) else (ids[:n], ids[n + len(own) :])
            if ids != [*added[0], *own, *added[1]]:
                raise InputError(
                    f"template {quoted(template)} cannot be exported, since the tokenizer joins "
                    f"the end of {quoted(sentence)} with the text {quoted(text)}: write a space "
                    f"after {SLOT}, or end the template with {SLOT}"
                )
    return added
