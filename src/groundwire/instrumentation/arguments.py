"""Finds the question and the contexts among a call's arguments, by name and position, without binding.

What is looked for is settled once a function from its signature; a call then costs a look-up.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

QUESTION_NAMES: Final = (
    "question", "query", "q", "prompt", "input", "user_input", "messages", "message", "text",
)  # fmt: skip
CONTEXT_NAMES: Final = ("contexts", "context", "documents", "docs", "passages", "sources")

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_Slot = tuple[str, int]  # a parameter's name and its position among the arguments, or -1


class ArgumentFinder:
    """Knows where a function takes its question and its contexts.

    ``question`` and ``contexts`` name the parameter; None: the usual names are tried in order, then, for
    the question, the first ``str`` argument after self or cls.
    """

    __slots__ = (
        "_context_slots",
        "_defaults",
        "_first",
        "_question_slots",
        "_signature",
        "looks_for_contexts",
        "parameters",
        "searches",
        "usual",
    )

    def __init__(self, function: Callable[..., Any], question: str | None, contexts: str | None) -> None:
        self._signature = _signature_of(function)
        self._defaults: dict[str, Any] = {}
        slots, open_ended = self._slots()
        self._question_slots = _chosen(slots, (question,) if question else QUESTION_NAMES, open_ended)
        self._context_slots = _chosen(slots, (contexts,) if contexts else CONTEXT_NAMES, open_ended)
        names = list(slots)
        self.parameters = None if open_ended else tuple(names)
        self.usual = self._question_slots[0][1] if self._question_slots else -1
        self.looks_for_contexts = bool(self._context_slots)
        self._first = 1 if names and names[0] in ("self", "cls") else 0
        self.searches = question is None

    def _slots(self) -> tuple[dict[str, int], bool]:
        if self._signature is None:
            return {}, True
        slots: dict[str, int] = {}
        open_ended = False
        for position, parameter in enumerate(self._signature.parameters.values()):
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                open_ended = True
            elif parameter.kind is not inspect.Parameter.VAR_POSITIONAL:
                slots[parameter.name] = position if parameter.kind in _POSITIONAL else -1
                if parameter.default is not inspect.Parameter.empty:
                    self._defaults[parameter.name] = parameter.default
        return slots, open_ended

    def question(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Return the raw value that holds the question (text, or a list of messages), or None."""
        value = self._value(self._question_slots, args, kwargs)
        if value is not None or not self.searches:
            return value
        for value in args[self._first :]:
            if isinstance(value, str):
                return value
        for value in kwargs.values():
            if isinstance(value, str):
                return value
        return None

    def contexts(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Return the raw value that holds the contexts, or None."""
        return self._value(self._context_slots, args, kwargs) if self._context_slots else None

    def _value(self, slots: tuple[_Slot, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        for name, position in slots:
            if 0 <= position < len(args):
                value = args[position]
            elif name in kwargs:
                value = kwargs[name]
            else:
                value = self._defaults.get(name)
            if value is not None:
                return value
        return None

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Return all arguments by name, defaults included, for an ``extract`` hook."""
        if self._signature is None:
            return {**{str(i): value for i, value in enumerate(args)}, **kwargs}
        bound = self._signature.bind_partial(*args, **kwargs)
        bound.apply_defaults()
        return dict(bound.arguments)


def _signature_of(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except Exception:  # noqa: BLE001 - built-ins without one, and hostile objects
        return None


def _chosen(slots: Mapping[str, int], names: tuple[str, ...], open_ended: bool) -> tuple[_Slot, ...]:
    return tuple((name, slots.get(name, -1)) for name in names if name in slots or open_ended)
