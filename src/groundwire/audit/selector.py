"""Choosing records: the one selector that every command understands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from groundwire.audit.schema import Graded
from groundwire.errors import ConfigError

Predicate = Callable[[Graded], bool]
_CONDITION = re.compile(r"([A-Za-z][A-Za-z0-9_.]*)(!?=)(.*)", re.DOTALL)
_SUBJECT = ("trace_id", "span_id", "status", "error_type", "finish_reason", "stream_end")
_SYSTEM = (
    "service", "service_version", "environment", "model", "provider", "prompt_id", "prompt_version",
    "index_version",
)  # fmt: skip
_OWN = ("run", "record")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?Z?)?")


def parse_selector(
    where: Sequence[str] = (), *, run: str | None = None, since: str | None = None, until: str | None = None
) -> Predicate:
    """Return a predicate over records; all conditions must hold.

    A condition is ``NAME=VALUE`` or ``NAME!=VALUE``. NAME is a field of the record (``trace_id``,
    ``status``, ``error_type``, ``service``, ``environment``, ``model``, ``prompt_version``, ``run``,
    ``record``, …), or a grade's name; then VALUE is an outcome, or a label. ``since`` (inclusive) and
    ``until`` (exclusive) are UTC dates or times (``2026-11-30``, ``2026-11-30T12:00Z``) that the answer's
    start is compared with; an answer without a start is left out. Raises ConfigError.

    >>> parse_selector(["fail"])
    Traceback (most recent call last):
    groundwire.errors.ConfigError: where: is no condition, expected NAME=VALUE or NAME!=VALUE, got 'fail'
    """
    tests = [_condition(text) for text in where]
    if run is not None:
        tests.append(lambda record: record.run_id == run)
    for name, bound in (("since", since), ("until", until)):
        if bound is not None:
            tests.append(_bound(name, bound))
    return lambda record: all(test(record) for test in tests)


def _condition(text: str) -> Predicate:
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise ConfigError(
            "is no condition", where="where", expected="NAME=VALUE or NAME!=VALUE", got=repr(text)
        )
    name, operator, value = match.groups()
    return _negated(_equals(name, value)) if operator == "!=" else _equals(name, value)


def _negated(test: Predicate) -> Predicate:
    return lambda record: not test(record)


def _equals(name: str, value: str) -> Predicate:
    if name in _SUBJECT:
        return lambda record: getattr(record.subject, name) == value
    if name in _SYSTEM:
        return lambda record: getattr(record.system, name) == value
    if name in _OWN:
        return lambda record: value == (record.run_id if name == "run" else record.record_id)
    return lambda record: any(
        result.name == name and value in (result.outcome, result.label) for result in record.results
    )


def _bound(name: str, bound: str) -> Predicate:
    if not _TIME.fullmatch(bound):
        raise ConfigError(
            "is no UTC time", where=name, expected="2026-11-30 or 2026-11-30T12:00Z", got=repr(bound)
        )
    moment = bound.rstrip("Z")
    if name == "since":
        return lambda record: record.subject.started_at is not None and record.subject.started_at >= moment
    return lambda record: record.subject.started_at is not None and record.subject.started_at < moment
