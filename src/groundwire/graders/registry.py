"""Which graders there are, in which order they run, and how names, objects and options become graders."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from groundwire.errors import ConfigError
from groundwire.grade import Basis, Grade, Grader, Outcome, Shared
from groundwire.graders.checks import find_check_graders
from groundwire.graders.options import unknown_name
from groundwire.graders.user import load_user_grader, wrap_user_grader
from groundwire.record import RagRecord
from groundwire.text.vocabulary import VOCABULARY

GraderLike = Any
"""A grade name, ``module:object``, an entry point's name, a Grader, its class, or a function of a record."""

BUILT_IN: dict[str, str] = {
    "abstention": "groundwire.graders.abstention:Abstention",
    "citation_provenance": "groundwire.graders.citations:CitationProvenance",
    "citation_scope": "groundwire.graders.citations:CitationScope",
    "citation_support": "groundwire.graders.citations:CitationSupport",
    "citation_accuracy": "groundwire.graders.citations:CitationAccuracy",
    "citation_coverage": "groundwire.graders.citations:CitationCoverage",
    "groundedness": "groundwire.graders.groundedness:Groundedness",
    "quotation": "groundwire.graders.quotation:Quotation",
    "verbatim_reuse": "groundwire.graders.verbatim_reuse:VerbatimReuse",
    "pii_leak": "groundwire.graders.pii_leak:PiiLeak",
    "retrieval_use": "groundwire.graders.retrieval_use:RetrievalUse",
    "completed": "groundwire.graders.completed:Completed",
    "latency": "groundwire.graders.budgets:Latency",
    "cost": "groundwire.graders.budgets:Cost",
    "verdict": "groundwire.graders.verdict:Verdict",
}
"""Every built-in grade name in the order of grading (later ones may read what earlier ones said)."""


def default_graders(settings: Mapping[str, Mapping[str, Any]] | None = None) -> tuple[Grader, ...]:
    """Return all built-in graders, in their fixed order.

    ``settings`` maps a grade name to that grader's options: ``{"latency": {"limit_ms": 2000}}``. Raises
    ConfigError on an unknown name or option.

    >>> default_graders({"latency": {"limit_ms": 2000}})[-1].name
    'verdict'
    """
    return resolve_graders(None, settings)


def resolve_graders(
    graders: Iterable[GraderLike] | None = None, options: Mapping[str, Mapping[str, Any]] | None = None
) -> tuple[Grader, ...]:
    """Return graders for names and objects, built-in ones in their fixed order, ``verdict`` last.

    ``graders`` None means all built-in ones. Each item is a built-in name, ``"module:object"``, the name of
    an entry point in the group ``groundwire.graders``, a Grader, a class of one, or a function that takes a
    RagRecord. ``options`` maps a grade name (or the text that named it) to keyword arguments. Raises
    ConfigError on unknown names and options, and when two graders bear one name.

    >>> [grader.name for grader in resolve_graders(["verdict", "completed"])]
    ['completed', 'verdict']
    """
    wanted = list(BUILT_IN) if graders is None else list(graders)
    left = {name: dict(given) for name, given in (options or {}).items()}
    made = [_make(item, left) for item in wanted]
    _check_options_used(left, made)
    places = {name: place for place, name in enumerate(BUILT_IN)}
    places["verdict"] = len(places) + len(made)
    made.sort(key=lambda grader: places.get(grader.name, len(BUILT_IN)))
    _check_distinct(made)
    return tuple(made)


def _make(item: GraderLike, options: dict[str, dict[str, Any]]) -> Grader:
    if not isinstance(item, str):
        return wrap_user_grader(item, {}) if not _is_grader(item) else item
    if item in BUILT_IN:
        return build_grader(item, options.pop(item, {}))
    return load_user_grader(item, options.pop(item, {}), known=BUILT_IN)


def build_grader(name: str, options: Mapping[str, Any]) -> Grader:
    """Return the built-in grader ``name`` with ``options``; raises ConfigError on an option it has not."""
    module, _, attribute = BUILT_IN[name].partition(":")
    cls = getattr(importlib.import_module(module), attribute)
    known = [] if cls.__init__ is object.__init__ else list(inspect.signature(cls).parameters)
    for option in options:
        if option not in known:
            raise unknown_name(option, known, what="option", where=f"graders.{name}")
    grader: Grader = cls(**options)
    return grader


def _is_grader(item: object) -> bool:
    return isinstance(item, Grader) and not isinstance(item, type)


def _check_options_used(left: Mapping[str, Any], made: list[Grader]) -> None:
    names = {grader.name for grader in made}
    for name in left:
        if name not in BUILT_IN:
            raise unknown_name(name, {*BUILT_IN, *names}, what="grader", where=f"graders.{name}")
        if name in names:
            raise ConfigError("options for a grader that was given ready-made", where=f"graders.{name}")


def _check_distinct(graders: list[Grader]) -> None:
    seen: set[str] = set()
    for grader in graders:
        if grader.name in seen:
            raise ConfigError("two graders of one name", where="graders", got=repr(grader.name))
        seen.add(grader.name)


def describe_graders(graders: Iterable[Grader]) -> list[dict[str, str]]:
    """Return name, version, basis, config digest and Python type of each grader, for a run's manifest."""
    return [
        {
            "name": grader.name,
            "version": grader.version,
            "basis": str(grader.basis),
            "config_digest": grader.config_digest,
            "type": f"{type(grader).__module__}.{type(grader).__qualname__}",
        }
        for grader in graders
    ]


_DEFAULTS: list[tuple[Grader, ...]] = []


def grade_record(record: RagRecord, graders: Iterable[GraderLike] | None = None) -> list[Grade]:
    """Return exactly one Grade a grader, in their order; ``graders`` None means the built-in ones.

    A record with ``expected.checks`` gets a ``check.<name>`` grade each besides, before the verdict. A
    grader that raises gives an ``error`` grade that names the exception's type, and the others go on.

    >>> grades = grade_record(RagRecord(answer="Yes.", latency_ns=5_000_000), ["latency"])
    >>> grades[0].name, grades[0].outcome, grades[0].score
    ('latency', <Outcome.MEASURED: 'measured'>, 5.0)
    """
    if graders is None:
        if not _DEFAULTS:
            _DEFAULTS.append(default_graders())
        run = _DEFAULTS[0]
    elif isinstance(graders, tuple) and all(hasattr(grader, "grade") for grader in graders):
        run = graders
    else:
        run = resolve_graders(graders)
    shared = Shared(record)
    checks = find_check_graders(record)
    if checks:
        place = len(run) - 1 if run and run[-1].name == "verdict" else len(run)
        run = (*run[:place], *checks, *run[place:])
    with VOCABULARY.held():
        for grader in run:
            shared.grades[grader.name] = _grade_safely(grader, shared)
    return list(shared.grades.values())


def _grade_safely(grader: Grader, shared: Shared) -> Grade:
    try:
        grade = grader.grade(shared)
    except Exception as problem:  # noqa: BLE001 - one grader's fault must not lose the others' grades
        return _error_grade(grader, f"The grader raised {type(problem).__name__}.")
    if grade.name != grader.name:
        return _error_grade(grader, "The grader returned a grade of another name.")
    return grade


def _error_grade(grader: Grader, explanation: str) -> Grade:
    return Grade(
        name=grader.name,
        outcome=Outcome.ERROR,
        basis=Basis(grader.basis),
        grader_version=grader.version,
        explanation=explanation,
        config_digest=grader.config_digest,
    )
