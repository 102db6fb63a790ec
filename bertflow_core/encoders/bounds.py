"""Bounds on numbers in a model's JSON files, which could make loading or tokenizing endless."""

import base64
import re
from collections.abc import Mapping
from contextlib import suppress
from math import ceil
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

MAX_LAYERS = 1 << 10
_BUILT = r"(layer|group|block|depth)(s|_num|_sizes)?$"
_COUNT = r"(^|_)(n|num)_"
OF_CONFIG = {"num_labels|experts$": 1 << 16, _BUILT: MAX_LAYERS, _COUNT: 1 << 20, "": 1 << 26}
"""Upper bounds of the numbers in config.json, by patterns of their names.

Labels and modules are created one by one, so a large number would take for ever.
"""
OF_TOKENIZER_CONFIG = {"max_len": 1 << 200, "": 1 << 20}
"""Upper bounds in tokenizer_config.json; a tokenizer without a longest input says 1e30 tokens."""

_STEPS = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
_MAX_PARTS, _MAX_GROWTH, _MAX_WORD = 1 << 10, 1 << 11, 1_000
_GROWTH = {"NFKC": 18, "NFKD": 18, "NFD": 4, "BertNormalizer": 4, "ByteLevel": 4, "NFC": 3}
"""How many characters one character becomes at most, in steps that lengthen a text."""


def check_numbers(file: str, values: Mapping[str, Any], bounds: Mapping[str, int]) -> None:
    """Refuse a number above its bound, at any depth; the first pattern that fits the name counts.

    `file` says which file it is, and whose.
    """
    left: list[tuple[str, Any]] = [*values.items()]
    while left:
        key, value = left.pop()
        if isinstance(value, dict):
            left += value.items()
        elif isinstance(value, list):
            left += [(key, each) for each in value]
        most = next(most for names, most in bounds.items() if re.search(names, key))
        if isinstance(value, int) and value > most:
            raise InputError(f"{file} has {quoted(key)} {quoted(value)}: expected at most {most:,}")


def check_tokenizer(file: str, content: Mapping[str, Any]) -> None:
    """Refuse steps that together could lengthen a text without end, such as 40 that double it."""
    n_parts, growth = 0, 1
    left = [content.get(name) for name in _STEPS]
    while left and n_parts <= _MAX_PARTS and growth <= _MAX_GROWTH:
        part = left.pop()
        if isinstance(part, dict):
            n_parts += 1
            growth *= _growth(part)
            left += part.values()
        elif isinstance(part, list):
            left += part
    if n_parts > _MAX_PARTS or growth > _MAX_GROWTH:
        raise InputError(
            f"{file} has more than {_MAX_PARTS:,} parts, or parts that make a text more than "
            f"{_MAX_GROWTH:,} times as long: expected those that the model was trained with"
        )
    split = content.get("model")
    longest = split.get("max_input_chars_per_word") if isinstance(split, dict) else None
    check_numbers(file, {"max_input_chars_per_word": longest}, {"": _MAX_WORD})


def _growth(part: Mapping[str, Any]) -> int:
    """Return an upper bound of a text's length after a part over its length before."""
    if "pattern" in part and "content" in part:
        pattern, new = part["pattern"], len(str(part["content"]))
        old = pattern.get("String") if isinstance(pattern, dict) else None
        return max(1, ceil(new / len(old))) if old and isinstance(old, str) else new + 1
    if "prepend" in part:
        return 1 + len(str(part["prepend"]))
    if "precompiled_charsmap" in part:
        return _longest_entry(str(part["precompiled_charsmap"]))
    if isinstance(part.get("ids"), list):  # of a special token
        return 1 + len(part["ids"]) // 64
    return _GROWTH.get(str(part.get("type")), 1)


def _longest_entry(charsmap: str) -> int:
    """Return the longest replacement in SentencePiece's table: a trie, then NUL-separated texts."""
    with suppress(ValueError):  # tokenizers refuses it
        table = base64.b64decode(charsmap)
        entries = table[4 + int.from_bytes(table[:4], "little") :].split(b"\0")
        return max(len(entry.decode(errors="ignore")) for entry in entries)
    return 1
