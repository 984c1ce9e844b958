"""The kinds of check and what each looks at."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from groundwire.errors import ConfigError, MissingExtraError
from groundwire.grade import Shared
from groundwire.graders.options import check_limit, unknown_name


class Found(NamedTuple):
    """What a check saw: whether it ``holds`` (None: can not be said), why, and where in the answer."""

    holds: bool | None
    explanation: str
    ranges: tuple[tuple[int, int], ...] = ()
    score: float | None = None


Look = Callable[[Shared], Found]
_NOT_CAPTURED = Found(None, "The answer was not captured.")


def parse_kind(kind: str, argument: Any, *, where: str) -> Look:
    """Return the look for ``kind``; raises ConfigError on an unknown kind or a wrong argument."""
    if kind not in KINDS:
        raise unknown_name(kind, KINDS, what="kind of check", where=where)
    return KINDS[kind](argument, where)


def _on_answer(look: Callable[[str], Found]) -> Look:
    def looked(shared: Shared) -> Found:
        answer = shared.record.answer
        return _NOT_CAPTURED if answer is None else look(answer)

    return looked


def _wrong(where: str, expected: str, got: Any) -> ConfigError:
    return ConfigError("is no such check", where=where, expected=expected, got=repr(got)[:80])


def _options(argument: Any, where: str, known: tuple[str, ...], expected: str) -> Mapping[str, Any]:
    if not isinstance(argument, Mapping) or not argument:
        raise _wrong(where, expected, argument)
    for name in argument:
        if name not in known:
            raise unknown_name(str(name), known, what="option", where=where)
    return argument


def _exact(argument: Any, where: str) -> Look:
    expected = "a text, or {value: text, ignore_case: true}"
    given = {"value": argument} if isinstance(argument, str) else argument
    options = _options(given, where, ("value", "ignore_case"), expected)
    if not isinstance(options.get("value"), str):
        raise _wrong(where, expected, argument)
    fold = str.casefold if options.get("ignore_case") else str
    wanted = fold(options["value"].strip())

    def look(answer: str) -> Found:
        if fold(answer.strip()) == wanted:
            return Found(True, "The answer is exactly the expected text.", ((0, len(answer)),))
        return Found(False, "The answer is not exactly the expected text.")

    return _on_answer(look)


_TEXTS = "a text, a list of texts, or {any: […], all: […], none: […], ignore_case: true}"


def _contains(argument: Any, where: str) -> Look:
    given = {"all": argument} if isinstance(argument, (str, list, tuple)) else argument
    options = _options(given, where, ("any", "all", "none", "ignore_case"), _TEXTS)
    flags = re.IGNORECASE if options.get("ignore_case") else re.NOFLAG
    wanted = {
        group: [re.compile(re.escape(text), flags) for text in _texts(options[group], where)]
        for group in ("any", "all", "none")
        if group in options
    }
    if not wanted:
        raise _wrong(where, _TEXTS, argument)

    def look(answer: str) -> Found:
        return _judge_groups(
            {group: [p.search(answer) for p in patterns] for group, patterns in wanted.items()}
        )

    return _on_answer(look)


def _texts(value: Any, where: str) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, (list, tuple)) or not texts or not all(isinstance(t, str) and t for t in texts):
        raise _wrong(where, _TEXTS, value)
    return list(texts)


def _judge_groups(groups: Mapping[str, list[Any]]) -> Found:
    """Judge finds (a match, or None) by group: all of ``all``, one of ``any``, not one of ``none``."""
    missing = [find for find in groups.get("all", []) if find is None]
    banned = [find.span() for find in groups.get("none", []) if find is not None]
    there = [find.span() for group in ("all", "any") for find in groups.get(group, []) if find is not None]
    if banned:
        return Found(False, f"{len(banned)} of the excluded texts stand in the answer.", tuple(banned))
    if missing:
        return Found(
            False, f"{len(missing)} of {len(groups['all'])} texts are not in the answer.", tuple(there)
        )
    if "any" in groups and not any(groups["any"]):
        return Found(False, f"None of {len(groups['any'])} texts is in the answer.")
    return Found(True, "The answer holds what it should, and nothing excluded.", tuple(there))


_PATTERNS = "a pattern, or {any: […], all: […], none: […], ignore_case: true}"


def _regex(argument: Any, where: str) -> Look:
    given = {"all": argument} if isinstance(argument, (str, list, tuple)) else argument
    options = _options(given, where, ("any", "all", "none", "ignore_case"), _PATTERNS)
    prefix = "(?i)" if options.get("ignore_case") else ""
    wanted = {
        group: [_compile(prefix + pattern, where) for pattern in _texts(options[group], where)]
        for group in ("any", "all", "none")
        if group in options
    }
    if not wanted:
        raise _wrong(where, _PATTERNS, argument)

    def look(answer: str) -> Found:
        return _judge_groups(
            {group: [p.search(answer) for p in patterns] for group, patterns in wanted.items()}
        )

    return _on_answer(look)


@lru_cache(maxsize=256)
def _compile(pattern: str, where: str) -> Any:
    """Compile with RE2, whose time is linear in the text whatever the pattern."""
    try:
        import re2
    except ImportError as missing:  # pragma: no cover - [score] brings it
        raise MissingExtraError.of("score", module="google-re2") from missing
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as cause:
        reason = cause.args[0].decode() if isinstance(cause.args[0], bytes) else str(cause)
        raise ConfigError(
            f"is no RE2 expression: {reason}", where=where, got=repr(pattern), mend="RE2 has no look-around."
        ) from cause


def _json_schema(argument: Any, where: str) -> Look:
    validator = _build_validator(argument, where)

    def look(answer: str) -> Found:
        try:
            value = json.loads(_json_part(answer))
        except ValueError:
            return Found(False, "The answer is not JSON, nor is its one fenced block.")
        errors = sum(1 for _ in validator.iter_errors(value))
        if errors:
            return Found(False, f"The answer's JSON breaks the schema in {errors} places.")
        return Found(True, "The answer's JSON fits the schema.")

    return _on_answer(look)


def _build_validator(argument: Any, where: str) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for
    from referencing import Registry

    if not isinstance(argument, (dict, bool)):
        raise _wrong(where, "a JSON Schema", argument)
    schema: Any = argument
    remote = _find_remote_reference(schema)
    if remote is not None:
        raise ConfigError(
            "refers out of the schema", where=where, got=repr(remote), mend="Use #/$defs/… instead."
        )
    cls = validator_for(schema, default=Draft202012Validator)
    try:
        cls.check_schema(schema)
    except SchemaError as cause:
        raise ConfigError(f"is no JSON Schema: {cause.message}", where=where) from cause
    return cls(schema, registry=Registry())


def _find_remote_reference(schema: Any) -> str | None:
    open_parts = [schema]
    while open_parts:
        part = open_parts.pop()
        if isinstance(part, Mapping):
            for key in ("$ref", "$dynamicRef", "$recursiveRef"):
                target = part.get(key)
                if isinstance(target, str) and not target.startswith("#"):
                    return target
            open_parts.extend(part.values())
        elif isinstance(part, (list, tuple)):
            open_parts.extend(part)
    return None


_FENCE = re.compile(r"^[ \t]*```[\w+-]*[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)


def _json_part(answer: str) -> str:
    blocks = _FENCE.findall(answer)
    return blocks[0] if len(blocks) == 1 else answer


def _max_latency(argument: Any, where: str) -> Look:
    limit_ms = check_limit(argument, where)
    if limit_ms is None:
        raise _wrong(where, "milliseconds", argument)

    def look(shared: Shared) -> Found:
        latency_ns = shared.record.latency_ns
        if latency_ns is None:
            return Found(None, "No latency was recorded.")
        return Found(latency_ns / 1e6 <= limit_ms, f"The limit is {limit_ms:g} ms.", score=latency_ns / 1e6)

    return look


def _max_cost(argument: Any, where: str) -> Look:
    limit_usd = check_limit(argument, where)
    if limit_usd is None:
        raise _wrong(where, "US dollars", argument)

    def look(shared: Shared) -> Found:
        grade = shared.grades.get("cost") or _cost_grade(shared)
        if grade.score is None:
            return Found(None, grade.explanation)
        return Found(grade.score <= limit_usd, f"The limit is {limit_usd:g} USD.", score=grade.score)

    return look


def _cost_grade(shared: Shared) -> Any:
    from groundwire.graders.budgets import Cost

    return Cost().grade(shared)


KINDS: dict[str, Callable[[Any, str], Look]] = {
    "exact": _exact,
    "contains": _contains,
    "regex": _regex,
    "json_schema": _json_schema,
    "max_latency_ms": _max_latency,
    "max_cost_usd": _max_cost,
}
"""Every kind of check, by the name it is written with."""
