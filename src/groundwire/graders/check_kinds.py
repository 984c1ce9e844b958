"""The kinds of check and what each looks at."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from groundwire.errors import ConfigError
from groundwire.grade import Shared
from groundwire.graders.check_numbers import find_nearest, parse_wanted
from groundwire.graders.check_schema import build_validator, compile_pattern, read_json
from groundwire.graders.options import check_limit, unknown_name
from groundwire.text.locate import locate_quote


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


def _contains_expected(argument: Any, where: str) -> Look:
    if argument is not True:
        raise _wrong(where, "true", argument)

    def look(shared: Shared) -> Found:
        expected = shared.record.expected.answer if shared.record.expected is not None else None
        answer = shared.record.answer
        if answer is None or not expected or not expected.strip():
            return Found(None, "The answer was not captured, or no answer is expected.")
        located = locate_quote(expected, answer)
        if located.is_found:
            return Found(True, "The expected answer stands in the answer.")
        return Found(False, "The expected answer does not stand in the answer.")

    return look


_PATTERNS = "a pattern, or {any: […], all: […], none: […], ignore_case: true}"


def _regex(argument: Any, where: str) -> Look:
    given = {"all": argument} if isinstance(argument, (str, list, tuple)) else argument
    options = _options(given, where, ("any", "all", "none", "ignore_case"), _PATTERNS)
    prefix = "(?i)" if options.get("ignore_case") else ""
    wanted = {
        group: [compile_pattern(prefix + pattern, where) for pattern in _texts(options[group], where)]
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


_NUMERIC = "a number, or {value: number or text with a unit, tolerance: …, relative: …}"


def _numeric(argument: Any, where: str) -> Look:
    given = argument if isinstance(argument, Mapping) else {"value": argument}
    options = _options(given, where, ("value", "tolerance", "relative"), _NUMERIC)
    tolerance, relative = options.get("tolerance", 0), options.get("relative", 0)
    if not all(
        isinstance(value, (int, float)) and not isinstance(value, bool) for value in (tolerance, relative)
    ):
        raise _wrong(where, _NUMERIC, argument)
    wanted = parse_wanted(options.get("value"), tolerance, relative, where)

    def look(answer: str) -> Found:
        nearest = find_nearest(answer, wanted)
        if nearest is None:
            return Found(False, "The answer holds no number of the expected kind.")
        holds = nearest.distance <= wanted.tolerance + 1e-9 * abs(wanted.value)
        within = "within" if holds else "outside"
        explanation = f"The nearest number is {within} the tolerance."
        return Found(holds, explanation, ((nearest.start, nearest.end),), nearest.distance)

    return _on_answer(look)


def _json_schema(argument: Any, where: str) -> Look:
    validator = build_validator(argument, where)

    def look(answer: str) -> Found:
        try:
            value = read_json(answer)
        except ValueError:
            return Found(False, "The answer is not JSON, nor is its one fenced block.")
        errors = sum(1 for _ in validator.iter_errors(value))
        if errors:
            return Found(False, f"The answer's JSON breaks the schema in {errors} places.")
        return Found(True, "The answer's JSON fits the schema.")

    return _on_answer(look)


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
    "contains_expected": _contains_expected,
    "regex": _regex,
    "numeric": _numeric,
    "json_schema": _json_schema,
    "max_latency_ms": _max_latency,
    "max_cost_usd": _max_cost,
}
"""Every kind of check, by the name it is written with."""
