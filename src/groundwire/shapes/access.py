"""Reads what a value has *stored*, and runs none of its code.

A mapping's items, an object's instance dictionary, its slots and pydantic's extra fields are looked at
through the built-in types' own methods, so no property, ``__getattr__``, ``__iter__`` or ``__eq__`` of the
value is ever called: nothing can raise, hang, log, load lazily or consume an iterator. The price: a computed
property is not seen (readers compute the same text from the stored parts).
"""

from __future__ import annotations

import sys
from itertools import islice
from types import MappingProxyType, MemberDescriptorType, ModuleType
from typing import Any, Final
from weakref import WeakKeyDictionary

from groundwire.shapes.budget import Exhausted, budget

Fields = dict[str, Any]
"""What :func:`fields_of` returns: a plain dict, not to be written to."""

get = dict.get

MAX_DEPTH: Final = 8
"""How many values deep a reader follows before it gives up."""
MAX_ITEMS: Final = 10_000
"""How many items of one list are looked at."""

_SCALARS: Final = frozenset({str, int, float, bool, type(None), bytes, list, tuple, type, set, frozenset})
_BUILT_IN: Final = (str, int, float, bytes, bytearray, list, set, frozenset, type, ModuleType, BaseException)
_VIEWS: Final[tuple[type, ...]] = (type({}.values()), type({}.keys()))
_WRAPPED: Final = ("_body", "_data_store", "_store")
"""Where mapping-like answers of clients keep their plain dict."""
_WRAPPED_ALONE: Final = (*_WRAPPED, "root", "data")
"""The same for objects with one field only: pydantic's root models and UserDict."""

Getter = tuple[str, Any]
_slots_by_type: WeakKeyDictionary[type, tuple[Getter, ...] | None] = WeakKeyDictionary()


def fields_of(value: Any) -> Fields | None:
    """Return the stored fields of a mapping or an object by name; None for text, numbers, lists, streams.

    >>> fields_of({"answer": "Ada"})
    {'answer': 'Ada'}
    >>> from types import SimpleNamespace
    >>> fields_of(SimpleNamespace(answer="Ada"))
    {'answer': 'Ada'}
    >>> fields_of("Ada") is None
    True
    """
    kind = type(value)
    if kind is dict:
        return value  # type: ignore[no-any-return]
    try:
        if kind in _SCALARS:
            return None
        if issubclass(kind, dict):
            return dict(dict.items(value)) if dict.__len__(value) <= MAX_ITEMS else None
        return _stored(value, kind)
    except Exception:  # noqa: BLE001 - a class that defies introspection has no fields
        return None


def _stored(value: Any, kind: type) -> Fields | None:
    if kind is MappingProxyType:
        copied: Any = value.copy()
        return copied if type(copied) is dict else None
    getters = _getters_of(kind)
    if getters is None:
        return None
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = None
    if type(own) is not dict:
        own = {}
    return _unwrapped(_with_slots(value, own, getters) if getters else own)


def _with_slots(value: Any, own: Fields, getters: tuple[Getter, ...]) -> Fields:
    merged: Fields | None = None
    for name, read in getters:
        try:
            stored = read(value)
        except AttributeError:
            continue
        if merged is None:
            merged = dict(own)
        if name == "__pydantic_extra__":
            if type(stored) is dict:
                merged.update(stored)
        else:
            merged.setdefault(name, stored)
    return own if merged is None else merged


def _unwrapped(fields: Fields) -> Fields:
    for name in _WRAPPED if len(fields) > 1 else _WRAPPED_ALONE:
        inner: Any = get(fields, name)
        if inner is not None and issubclass(type(inner), dict):
            return dict(dict.items(inner))
    return fields


def _getters_of(kind: type) -> tuple[Getter, ...] | None:
    try:
        return _slots_by_type[kind]
    except KeyError:
        getters = _find_getters(kind)
        _slots_by_type[kind] = getters
        return getters


def _find_getters(kind: type) -> tuple[Getter, ...] | None:
    """List the slots of a class; None for classes that are not records: built-in kinds, streams."""
    names = type.__getattribute__(kind, "__mro__")
    found: dict[str, Any] = {}
    if issubclass(kind, tuple):
        return _tuple_getters(kind)
    if issubclass(kind, _BUILT_IN):
        return None
    for base in names:
        namespace = type.__getattribute__(base, "__dict__")
        if "__next__" in namespace or "__anext__" in namespace:
            return None
        for name, member in namespace.items():
            if type(member) is MemberDescriptorType and (name[:2] != "__" or name == "__pydantic_extra__"):
                found.setdefault(name, member.__get__)
    return tuple(found.items())


def _tuple_getters(kind: type) -> tuple[Getter, ...] | None:
    try:
        names = type.__getattribute__(kind, "_fields")
    except AttributeError:
        return None
    if type(names) is not tuple:
        return None
    return tuple((name, _ItemReader(index)) for index, name in enumerate(names) if type(name) is str)


class _ItemReader:
    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def __call__(self, value: Any) -> Any:
        return tuple.__getitem__(value, self.index)


def items_of(value: Any) -> list[Any] | tuple[Any, ...] | None:
    """Return the items of a list or tuple (at most :data:`MAX_ITEMS`); None for anything else.

    Iterators and generators are anything else: they are never consumed. A named tuple is a record. Raises
    Exhausted when the reading has used up its steps.

    >>> items_of((1, 2)), items_of("ab"), items_of(iter([1]))
    ((1, 2), None, None)
    """
    kind = type(value)
    items: list[Any] | tuple[Any, ...] | None
    if kind is list or kind is tuple:
        items = value if len(value) <= MAX_ITEMS else value[:MAX_ITEMS]
    else:
        items = _derived_items(value, kind)
        if items is None:
            return None
    budget.left = left = budget.left - len(items)
    if left < 0:
        raise Exhausted
    return items


def _derived_items(value: Any, kind: type) -> list[Any] | tuple[Any, ...] | None:
    if issubclass(kind, list):
        return list.__getitem__(value, slice(MAX_ITEMS))
    if issubclass(kind, tuple) and _getters_of(kind) is None:
        return tuple.__getitem__(value, slice(MAX_ITEMS))
    if kind is set or kind is frozenset or kind in _VIEWS:
        return list(islice(value, MAX_ITEMS))
    return None


def text_of(value: Any) -> str | None:
    """Return text as an exact ``str`` (also of a ``str`` subclass or enum); None when it is not text.

    >>> text_of("a"), text_of(b"a"), text_of(1)
    ('a', 'a', None)
    """
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if issubclass(kind, str):
        return str.__str__(value)
    if kind is bytes:
        try:
            return value.decode()  # type: ignore[no-any-return]
        except UnicodeDecodeError:
            return None
    return None


def label_of(value: Any) -> str | None:
    """Return an identifier as text: text as it is, a whole number in digits, a UUID or plain enum by value.

    >>> label_of(7), label_of("7"), label_of(True), label_of("")
    ('7', '7', None, None)
    """
    text = text_of(value)
    if text is not None:
        return text or None
    kind = type(value)
    if kind is int:
        return str(value) if value.bit_length() < 256 else None
    if known_class(kind, "uuid") == "UUID":
        return str(value)
    return text_of(get(fields_of(value) or {}, "_value_"))


def whole_of(value: Any) -> int | None:
    """Return a count (an int of 0 to 2**63 - 1, also as an integral float or digits); None: it is none.

    >>> whole_of(3), whole_of(3.0), whole_of("3"), whole_of(True), whole_of(-1), whole_of(None)
    (3, 3, 3, None, None, None)
    """
    kind = type(value)
    if kind is int:
        return value if 0 <= value < 2**63 else None
    if kind is float:
        return int(value) if 0 <= value < 2**63 and value == int(value) else None
    if kind is str:
        return int(value) if 0 < len(value) < 20 and value.isascii() and value.isdigit() else None
    number = number_of(value)
    return whole_of(number) if type(number) is float else None


def number_of(value: Any) -> float | None:
    """Return a finite float of a number (also numpy's and Decimal); None for anything else.

    >>> number_of(1), number_of(float("nan")), number_of("1")
    (1.0, None, None)
    """
    kind = type(value)
    if kind is bool:
        return None
    if kind is not float:
        value = _as_float(value, kind)
    if value is None or value - value != 0.0:
        return None
    return value  # type: ignore[no-any-return]


def _as_float(value: Any, kind: type) -> float | None:
    try:
        if issubclass(kind, float):
            return float.__float__(value)
        if issubclass(kind, int):
            return float(int.__index__(value))
        if known_class(kind, "decimal") or _is_numpy_number(kind):
            return float(value)
    except (OverflowError, ValueError, TypeError):
        pass
    return None


def _is_numpy_number(kind: type) -> bool:
    return (known_class(kind, "numpy") or "").startswith(("float", "int", "uint"))


def known_class(kind: type, module: str) -> str | None:
    """Return the name of a class that the loaded ``module`` itself offers; None for any other class.

    >>> known_class(int, "builtins"), known_class(int, "numpy")
    ('int', None)
    """
    loaded = sys.modules.get(module)
    if loaded is None:
        return None
    name: str = type.__getattribute__(kind, "__name__")
    return name if loaded.__dict__.get(name) is kind else None


def pick(fields: Fields, *names: str) -> Any:
    """Return the first of the named fields that is stored and not None.

    >>> pick({"a": None, "b": 2}, "a", "b")
    2
    """
    for name in names:
        found = get(fields, name)
        if found is not None:
            return found
    return None
