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

_ACCEPTED: dict[Any, tuple[type, ...]] = {
    int: (Integral,),
    float: (Real,),
    Path: (str, os.PathLike),
}
_WORDS: dict[Any, str] = {
    str: "text",
    **dict.fromkeys((int, Integral), "a whole number"),
    **dict.fromkeys((float, Real), "a number"),
    Path: "a path",
    Mapping: "a mapping",
    NoneType: "None",
}
_NO_LISTS = (str, bytes, Set, Mapping)  # sets and mappings have no order


class _Expected(NamedTuple):
    """What an annotation permits; `items` are the types in a list, None if no list is permitted."""

    kinds: tuple[type, ...]
    words: str
    items: tuple[type, ...] | None


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
    parts = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    kinds: list[type] = []
    words: list[str] = []
    items = None
    for part in parts:
        kind = get_origin(part) or part
        if kind in (Sequence, Collection, tuple):
            of_each = _expected(get_args(part)[0])
            items = (of_each.kinds if of_each else ()) or (object,)
            words.append("a list")
        elif kind is Mapping or (kind is part and _is_checked(kind)):
            kinds += _ACCEPTED.get(kind, (kind,))
            words.append(_name_of(kind))
        else:
            return None
    return _Expected(tuple(kinds), " or ".join(dict.fromkeys(words)), items)


def _is_checked(kind: object) -> bool:
    is_class = isinstance(kind, type) and kind not in (Any, bool)
    return is_class and not getattr(kind, "_is_protocol", False)


def _name_of(kind: type) -> str:
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    return _WORDS.get(kind, f"{article} {kind.__name__}")


def _check(value: object, name: str, expected: _Expected) -> None:
    if isinstance(value, expected.kinds):
        return
    is_list = isinstance(value, Collection) and not isinstance(value, _NO_LISTS)
    if expected.items is None or not is_list:
        raise wrong_type(value, name, expected.words)
    for place, each in enumerate(cast("Collection[object]", value)):
        if not isinstance(each, expected.items):
            raise wrong_type(each, f"{name}[{place}]", " or ".join(map(_name_of, expected.items)))
