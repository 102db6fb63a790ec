"""Values that programs trip over, and ways to damage good ones."""

import json
from random import Random
from typing import Any

__all__ = ["NUMBERS", "TEXTS", "cell", "damaged", "damaged_json", "number", "text"]

TEXTS = (
    "",
    " ",
    "a",
    "the cat sat",
    "a dog runs fast",
    "=1+1",
    "-1",
    "--help",
    "NaN",
    "null",
    "../../etc/passwd",
    "/dev/null",
    "/",
    ".",
    "~",
    "%s%n{0}{x}$HOME`id`",
    "<script>alert(1)</script>",
    "';DROP TABLE x;--",
    "a,b\tc",
    '"',
    "'",
    "\\",
    "\x1b[31mred\x1b[0m",
    "\x00",
    "\r\n",
    "\n",
    "\u2028",
    "\ufeff",
    "\u202eabc",
    "e\u0301" * 20,
    "\U0001f469\u200d\U0001f4bb",
    "\ud800",
    "\u00e9",
    "\u4e2d\u6587",
    "\u0627\u0644",
    "x" * 300,
    "word " * 500,
    "\u0130" * 50,
)
NUMBERS = (
    "0",
    "1",
    "-1",
    "2.5",
    "5",
    "1e308",
    "1e999",
    "-inf",
    "nan",
    "0x10",
    "1_000",
    "\u0661",
    "9" * 40,
    "1" * 5000,
    "-0.0",
    "5e-324",
    "2147483648",
    "9223372036854775808",
    "1,5",
    "+3",
    " 3 ",
    "1e",
    "true",
)


def text(rng: Random) -> str:
    """Return a text, seldom a long one."""
    if rng.random() < 0.02:
        return rng.choice("ab \u00e9") * rng.choice((5_000, 200_000, 10_000_000))
    if rng.random() < 0.2:
        return "".join(rng.choice(TEXTS)[:40] for _ in range(rng.randint(1, 4)))
    return rng.choice(TEXTS)


def number(rng: Random) -> str:
    """Return what may stand for a number."""
    return rng.choice(NUMBERS) if rng.random() < 0.8 else str(rng.uniform(-10, 10))


def cell(rng: Random) -> str:
    """Return a cell of a table."""
    return number(rng) if rng.random() < 0.4 else text(rng)


def damaged(rng: Random, content: bytes) -> bytes:
    """Return the content with one to three faults."""
    for _ in range(rng.randint(1, 3)):
        content = _FAULTS[rng.randrange(len(_FAULTS))](rng, content)
    return content


def _spot(rng: Random, content: bytes) -> int:
    """Return a place, often near the start, where headers are."""
    return (
        rng.randrange(min(len(content), 200) if rng.random() < 0.5 else len(content) or 1)
        if (content)
        else 0
    )


def _flip(rng: Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.randint(1, 8)):
        if changed:
            changed[_spot(rng, content)] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(rng: Random, content: bytes) -> bytes:
    return content[: _spot(rng, content)]


def _insert(rng: Random, content: bytes) -> bytes:
    at = _spot(rng, content)
    piece = rng.choice((text(rng).encode("utf-8", "surrogatepass"), rng.randbytes(8), bytes(64)))
    return content[:at] + piece + content[at:]


def _repeat(rng: Random, content: bytes) -> bytes:
    start, n = _spot(rng, content), rng.choice((1, 16, 500))
    return content[:start] + content[start : start + n] * rng.choice((2, 50)) + content[start:]


def _drop(rng: Random, content: bytes) -> bytes:
    start = _spot(rng, content)
    return content[:start] + content[start + rng.choice((1, 4, 100)) :]


def _blank(rng: Random, content: bytes) -> bytes:
    start, n = _spot(rng, content), rng.choice((4, 8, 64))
    return content[:start] + rng.choice((b"\0", b"\xff")) * n + content[start + n :]


_FAULTS = (_flip, _cut, _insert, _repeat, _drop, _blank)


def damaged_json(rng: Random, content: bytes) -> bytes:
    """Return a JSON document with one to three of its values replaced, dropped or renamed."""
    value = json.loads(content)
    for _ in range(rng.randint(1, 3)):
        value = _changed(rng, value)
    written = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    return written.encode("utf-8", "surrogatepass")


def _changed(rng: Random, value: Any) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        rest = {k: v for k, v in value.items() if k != key}
        how = rng.random()
        if how < 0.15:
            return rest
        if how < 0.25:
            return {**rest, text(rng): value[key]}
        return {**value, key: _changed(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], _changed(rng, value[at]), *value[at + 1 :]]
    return _json_value(rng)


def _json_value(rng: Random) -> Any:
    numbers = (0, 1, -1, 2, 7, 2.5, 1e308, 10**9, 10**12, 10**30, -(2**63), float("nan"))
    plain: tuple[Any, ...] = (None, True, False, [], {}, "", [[]], {"a": {}}, float("inf"))
    nested: Any = []
    for _ in range(rng.choice((3, 300))):
        nested = [nested]
    return rng.choice((rng.choice(numbers), rng.choice(plain), text(rng), nested, [1] * 50))
