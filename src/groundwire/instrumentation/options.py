"""The options of ``@instrument`` and ``@retriever``, checked while decorating: never later, in a call.

In go a function's options and the names of its parameters; nothing comes out, or a ConfigError that names
the option, what was expected, what was given and how to mend it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from groundwire.errors import ConfigError

Options = Mapping[str, Any]
Check = Callable[[Any], bool]

RETRIEVER_OPTIONS: Final = frozenset(("name", "question", "capture", "redact", "tracer_provider"))
INSTRUMENT_OPTIONS: Final = RETRIEVER_OPTIONS | {
    "contexts", "extract", "tags", "prompt_id", "prompt_version", "index_version", "tenant", "conversation",
    "baggage", "offload",
}  # fmt: skip
_PARAMETERS: Final = ("question", "contexts", "conversation")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _maps_text(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and isinstance(text, str) for key, text in value.items()
    )


def _is_baggage(value: Any) -> bool:
    if isinstance(value, Mapping):
        return _maps_text(value)
    return isinstance(value, (str, list, tuple, set, frozenset)) and all(
        isinstance(key, str) for key in value
    )


def _is_redaction(value: Any) -> bool:
    if callable(value) or isinstance(value, (bool, str)):
        return True
    return isinstance(value, (list, tuple, set, frozenset)) and all(isinstance(kind, str) for kind in value)


def _has_tracers(value: Any) -> bool:
    return callable(getattr(value, "get_tracer", None))


_TEXT: Final = (_is_text, "text", "Write {name}='…'.")
_NAME: Final = (_is_name, "the name of a parameter", "Write {name}='…', with the parameter's name.")
_RULES: Final[Mapping[str, tuple[Check, str, str]]] = {
    "name": (_is_name, "text that is not empty", "Write name='…', or leave it out for the function's name."),
    "question": _NAME,
    "contexts": _NAME,
    "conversation": _NAME,
    "capture": (
        lambda value: value in ("full", "hash", "none"),
        "full, hash or none",
        "Write capture='hash' for lengths and digests alone, capture='none' for no content.",
    ),
    "redact": (
        _is_redaction,
        "kinds of personal data, True for all, or a function from text to text",
        "Write redact='email,phone'.",
    ),
    "extract": (
        callable,
        "a function of (arguments, result)",
        "Write extract=lambda arguments, result: {{'answer': …}}.",
    ),
    "tags": (_maps_text, "a mapping from text to text", "Write tags={{'team': 'search'}}."),
    "prompt_id": _TEXT,
    "prompt_version": _TEXT,
    "index_version": _TEXT,
    "tenant": _TEXT,
    "baggage": (
        _is_baggage,
        "keys of baggage, or a mapping from key to the record's field",
        "Write baggage=['channel'] or baggage={{'user': 'subject_id'}}.",
    ),
    "offload": (_is_name, "an fsspec URL or a folder, as text", "Write offload='s3://bucket/prefix'."),
    "tracer_provider": (
        _has_tracers,
        "a TracerProvider",
        "Pass a TracerProvider of opentelemetry.sdk.trace, or leave it out for the global one.",
    ),
}


def check_options(options: Options, known: frozenset[str], where: str) -> None:
    """Raise ConfigError on an option that ``known`` does not have, or whose value can not be right.

    None stands for an option that was left out.
    """
    for name, value in options.items():
        if name not in known:
            mend = did_you_mean(name, known) or "Leave it out."
            expected = ", ".join(sorted(known))
            raise ConfigError(f"unknown option {name!r}", where=where, expected=expected, mend=mend)
        if value is None:
            continue
        is_right, expected, mend = _RULES[name]
        if not _holds(is_right, value):
            raise ConfigError(
                f"option {name} can not be used", where=where, expected=expected, got=shown(value),
                mend=mend.format(name=name),
            )  # fmt: skip
    _check_words(options, where)


def _check_words(options: Options, where: str) -> None:
    """Raise ConfigError on an unknown kind to redact, or an unknown field to put baggage into."""
    redact, baggage = options.get("redact"), options.get("baggage")
    if redact and redact is not True and not callable(redact):
        from groundwire.patterns import parse_kinds

        try:
            parse_kinds(redact)
        except ConfigError as cause:
            raise ConfigError(
                f"option redact: {cause.problem}", where=where, expected=cause.expected, got=cause.got,
                mend="Write redact=True for every kind.",
            ) from None  # fmt: skip
    if isinstance(baggage, Mapping):
        from groundwire.instrumentation.emission import BAGGAGE_FIELDS

        _check_member("option baggage names no field of a record", baggage.values(), BAGGAGE_FIELDS, where)


def check_parameters(options: Options, parameters: Iterable[str], where: str) -> None:
    """Raise ConfigError if ``question``, ``contexts`` or ``conversation`` names none of ``parameters``."""
    known = tuple(parameters)
    for option in _PARAMETERS:
        if options.get(option) is not None:
            _check_member(
                f"option {option} names no parameter of the function", [options[option]], known, where
            )


def _check_member(problem: str, names: Iterable[str], known: Iterable[str], where: str) -> None:
    known = sorted(known)
    for name in names:
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else "a function with named parameters"
            mend = did_you_mean(name, known) or "Name one of these, or leave the option out."
            raise ConfigError(problem, where=where, expected=expected, got=shown(name), mend=mend)


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """Return a hint at the known name that is nearest to ``name``, or None.

    >>> did_you_mean("questoin", ["question", "contexts"])
    "Did you mean 'question'?"
    """
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"Did you mean {near[0]!r}?" if near else None


def shown(value: Any) -> str:
    """Return a value as an error message may show it: short, and whatever its ``__repr__`` does."""
    if isinstance(value, os.PathLike):
        return f"a path ({type(value).__name__})"
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a hostile __repr__
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else text[:79] + "…"


def _holds(is_right: Check, value: Any) -> bool:
    try:
        return bool(is_right(value))
    except Exception:  # noqa: BLE001 - an unhashable or hostile value
        return False
