"""Check the types of arguments at the public names, by their annotations."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from functools import wraps
from inspect import Parameter, signature
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_origin

from bertflow_core.errors import wrong_type

Public = TypeVar("Public", bound=Callable[..., Any])


class _Expected(NamedTuple):
    """What an annotation permits; `items` is what a list may hold, None if it may be no list."""

    kinds: tuple[type, ...]
    words: str
    items: "_Expected | None" = None


_ANYTHING = _Expected((object,), "anything")
_NO_LISTS = (str, bytes, Set, Mapping)  # sets and mappings have no order
_KNOWN = {
    str: _Expected((str,), "text"),
    int: _Expected((Integral,), "a whole number"),
    float: _Expected((Real,), "a number"),
    Path: _Expected((str, os.PathLike), "a path"),
    NoneType: _Expected((NoneType,), "None"),
}


def checked(public: Public) -> Public:
    """Decorate a public function or class, so that an argument of a wrong type is refused.

    The annotations decide. A list may be any ordered collection but a single text. Arrays,
    switches, callbacks and annotations written as text are not checked here.

    Example:
        >>> from bertflow_core.arguments import checked
        >>> @checked
        ... def repeat(text: str, times: int | None = None) -> str:
        ...     return text * (times or 2)
        >>> repeat("ab", "3")
        Traceback (most recent call last):
        bertflow_core.errors.InputTypeError: times must be a whole number or None, got '3' (str)
    """
    if isinstance(public, type):
        public.__init__ = checked(public.__init__)  # type: ignore[misc]
        return public
    declared = signature(public)
    several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    found = {
        name: _expected(each.annotation)
        for name, each in declared.parameters.items()
        if each.kind not in several and each.annotation is not Parameter.empty
    }
    expected = {name: each for name, each in found.items() if each is not None}

    @wraps(public)
    def called(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - of any function
        given = declared.bind(*args, **kwargs).arguments
        for name, each in expected.items():
            if name in given:
                _check(given[name], name, each)
        return public(*args, **kwargs)

    return cast("Public", called)


def _expected(annotation: Any) -> _Expected | None:  # noqa: ANN401 - a type, a union or a text
    """Return what an annotation permits; None if its values are not checked."""
    if isinstance(annotation, UnionType):
        parts = [_expected(part) for part in get_args(annotation)]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        words = " or ".join(dict.fromkeys(part.words for part in known))
        items = next((part.items for part in known if part.items), None)
        return _Expected(tuple(kind for part in known for kind in part.kinds), words, items)
    kind = get_origin(annotation) or annotation
    if kind in (Sequence, Collection, tuple):
        return _Expected((), "a list", _expected(get_args(annotation)[0]) or _ANYTHING)
    if kind is Mapping:
        return _Expected((Mapping,), "a mapping")
    is_class = isinstance(annotation, type) and annotation not in (Any, bool)
    if not is_class or getattr(annotation, "_is_protocol", False):
        return None
    article = "an" if annotation.__name__[0] in "AEIOU" else "a"
    return _KNOWN.get(annotation, _Expected((annotation,), f"{article} {annotation.__name__}"))


def _check(value: object, name: str, expected: _Expected) -> None:
    if isinstance(value, expected.kinds):
        return
    if expected.items is None or isinstance(value, _NO_LISTS) or not isinstance(value, Collection):
        raise wrong_type(value, name, expected.words)
    for place, each in enumerate(value):
        if not isinstance(each, expected.items.kinds):
            _check(each, f"{name}[{place}]", expected.items)
