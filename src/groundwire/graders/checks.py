"""Checks that a suite writes for a case: ``expected.checks`` of a record, one grade ``check.<name>`` each.

A check is written as ``kind: argument``, or, to give it a name of its own, as ``name: {kind: argument}``::

    checks:
      contains: 30 days                       # or a list (all of them), or {any: […], all: […], none: […]}
      contains_expected: true                 # the case's expected answer, whatever its typography
      no_promises: {regex: {none: "guarantee[ds]?"}}
      exact: "Yes."
      numeric: {value: 30, tolerance: 0.5}    # or 30, or {value: 45 minutes, relative: 0.01}
      json_schema: {type: object, required: [answer]}
      max_latency_ms: 2000
      max_cost_usd: 0.01

``exact`` strips both sides, ``contains`` and ``regex`` (RE2 syntax, searched) heed case unless
``ignore_case: true``. ``json_schema`` reads the whole answer, or its one fenced block, as JSON; references
out of the schema are refused. ``numeric`` looks for any number of the answer (or, with a unit, any value of
that kind, converted) near enough. Every check is ``unknown`` when what it looks at was not captured, and a
mistyped or unknown check is a ConfigError where the suite is read (:func:`parse_checks`), an ``error`` grade
where it arrives with a trace; it is never skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from groundwire.errors import ConfigError
from groundwire.grade import Basis, Evidence, Grade, Grader, Outcome, Shared
from groundwire.graders.check_kinds import KINDS, Found, parse_kind
from groundwire.graders.grading import GradeMaker
from groundwire.graders.options import digest_options
from groundwire.record import RagRecord

__all__ = ["CheckGrader", "find_check_graders", "parse_checks"]


class CheckGrader(GradeMaker):
    """One check as a grader: pass or fail by what is written, unknown when its subject was not captured.

    *Score*: None, but for ``numeric`` (the distance of the nearest number), ``max_latency_ms`` and
    ``max_cost_usd`` (the value). *Label*: the kind of check. *Basis*: checked.

    >>> from groundwire.record import RagRecord
    >>> check, = parse_checks({"contains": {"any": ["30 days", "a month"]}})
    >>> check.name, check.grade(Shared(RagRecord(answer="Within 30 days."))).outcome
    ('check.contains', <Outcome.PASS: 'pass'>)
    """

    version = "1"
    basis = Basis.CHECKED

    def __init__(self, name: str, kind: str, argument: Any, *, where: str = "checks") -> None:
        self.name = f"check.{name}"
        self.kind = kind
        self._look: Callable[[Shared], Found] = parse_kind(kind, argument, where=where)
        self.config_digest = digest_options({"kind": kind, "argument": argument})

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        found = self._look(shared)
        outcome = Outcome.UNKNOWN if found.holds is None else Outcome.PASS if found.holds else Outcome.FAIL
        evidence = (Evidence(answer_start=start, answer_end=end) for start, end in found.ranges)
        return self.make(outcome, self.kind, found.explanation, evidence, found.score)


class _BrokenCheck(GradeMaker):
    """A check that can not be read: its grade is an error, never a silent skip."""

    def __init__(self, name: str) -> None:
        self.name = f"check.{name}"

    def grade(self, shared: Shared) -> Grade:
        return self.make(Outcome.ERROR, None, "The check is not written as one of the known kinds.")


def parse_checks(checks: Mapping[str, Any], *, where: str = "checks") -> tuple[CheckGrader, ...]:
    """Return one grader for each written check, in the order of their names.

    Raises ConfigError, naming the check, for an unknown kind, a wrong argument, a regular expression that RE2
    does not take, a schema that is none, or a reference out of it.
    """
    return tuple(_parse_check(name, checks[name], f"{where}.{name}") for name in sorted(checks))


def _parse_check(name: str, written: Any, where: str) -> CheckGrader:
    if name in KINDS:
        return CheckGrader(name, name, written, where=where)
    if isinstance(written, Mapping) and len(written) == 1:
        kind, argument = next(iter(written.items()))
        return CheckGrader(name, str(kind), argument, where=where)
    expected = f"kind: argument, or name: {{kind: argument}}, with a kind of {', '.join(KINDS)}"
    raise ConfigError("is no check", where=where, expected=expected, got=repr(written)[:80])


def find_check_graders(record: RagRecord) -> tuple[Grader, ...]:
    """Return the graders of the checks that came with ``record``; one that can not be read gives an error."""
    if record.expected is None or not record.expected.checks:
        return ()
    graders: list[Grader] = []
    for name, written in sorted(record.expected.checks.items()):
        try:
            graders.append(_parse_check(name, written, f"checks.{name}"))
        except ConfigError:
            graders.append(_BrokenCheck(name))
    return tuple(graders)
