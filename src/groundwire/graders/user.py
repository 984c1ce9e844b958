"""Graders of the user's own: a function or a class, named by import path or entry point."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import entry_points
from typing import Any, TypeGuard

from groundwire.errors import ConfigError
from groundwire.grade import Basis, Grade, Grader, Outcome, Shared
from groundwire.graders.grading import GradeMaker
from groundwire.graders.options import digest_options, unknown_name

ENTRY_POINT_GROUP = "groundwire.graders"


class FunctionGrader(GradeMaker):
    """A user's function as a grader: ``record -> Grade | bool | int | float | None``.

    True is pass, False fail, a number ``measured`` with that score (a number that is not finite is an
    error), None unknown. ``config_digest`` digests the function's source, where it can be read, and the
    options. Attributes ``name``, ``version`` and ``basis`` of the function are used where it has them;
    without, the name is ``__name__``, the version "1" and the basis estimated.

    >>> from groundwire.record import RagRecord
    >>> def polite(record): return "please" in (record.answer or "")
    >>> FunctionGrader(polite, {}).grade(Shared(RagRecord(answer="Wait, please."))).outcome
    <Outcome.PASS: 'pass'>
    """

    method = "user"

    def __init__(self, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
        self._function, self._options = function, dict(options)
        self.name = str(getattr(function, "name", getattr(function, "__name__", type(function).__name__)))
        self.version = str(getattr(function, "version", "1"))
        self.basis = Basis(getattr(function, "basis", Basis.ESTIMATED))
        self.config_digest = digest_options(
            {"source": _source_digest(function), "options": self._options or None}
        )

    def grade(self, shared: Shared) -> Grade:
        """Return what the function says of ``shared.record``, as a Grade."""
        said = self._function(shared.record, **self._options)
        if isinstance(said, Grade):
            return said
        if isinstance(said, bool):
            return self._say(Outcome.PASS if said else Outcome.FAIL)
        if isinstance(said, (int, float)) and math.isfinite(said):
            return self._say(Outcome.MEASURED, float(said))
        if said is None:
            return self._say(Outcome.UNKNOWN)
        return self._say(Outcome.ERROR)

    def _say(self, outcome: Outcome, score: float | None = None) -> Grade:
        return self.make(outcome, None, _SAID.get(outcome, "The function returned a number."), score=score)


_SAID = {
    Outcome.PASS: "The function returned True.",
    Outcome.FAIL: "The function returned False.",
    Outcome.UNKNOWN: "The function returned None.",
    Outcome.ERROR: "The function returned neither a Grade nor a bool, a finite number or None.",
}


def load_user_grader(name: str, options: Mapping[str, Any], *, known: Iterable[str]) -> Grader:
    """Return the grader that ``name`` (``module:object``, or an entry point) stands for.

    Raises ConfigError when there is none, naming the nearest name, and when it can not be imported.
    """
    if ":" in name:
        return wrap_user_grader(_import(name), options)
    points = {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
    if name not in points:
        raise unknown_name(name, {*known, *points}, what="grader", where="graders")
    try:
        loaded = points[name].load()
    except (ImportError, AttributeError) as cause:
        raise ConfigError(f"can not be loaded: {cause}", where=f"entry point {name}") from cause
    return wrap_user_grader(loaded, options)


def _import(path: str) -> Any:
    module_name, _, attribute = path.partition(":")
    try:
        target: Any = importlib.import_module(module_name)
        for part in attribute.split("."):
            target = getattr(target, part)
    except (ImportError, AttributeError, ValueError) as cause:
        mend = "Write module:object, and make the module importable from here."
        raise ConfigError(f"can not be imported: {cause}", where=f"graders {path!r}", mend=mend) from cause
    return target


def wrap_user_grader(target: Any, options: Mapping[str, Any]) -> Grader:
    """Return ``target`` (a Grader, a class of one, or a function of a record) as a Grader."""
    if inspect.isclass(target):
        target = _instance(target, options)
    elif _is_grader(target) and options:
        raise ConfigError(
            "options for a ready-made grader", where=repr(target), mend="Name its class instead."
        )
    if _is_grader(target):
        return target
    if callable(target):
        return FunctionGrader(target, options)
    raise ConfigError(
        "is no grader",
        expected="a function of a record, or an object with name, version, basis, config_digest and grade()",
        got=type(target).__name__,
    )


def _is_grader(target: object) -> TypeGuard[Grader]:
    return isinstance(target, Grader) and not isinstance(target, type)


def _instance(cls: type, options: Mapping[str, Any]) -> Any:
    try:
        return cls(**options)
    except TypeError as cause:
        raise ConfigError(f"options do not fit: {cause}", where=f"graders {cls.__qualname__}") from cause


def _source_digest(function: Callable[..., Any]) -> str | None:
    try:
        source = inspect.getsource(
            inspect.unwrap(function) if inspect.isfunction(function) else type(function)
        )
    except (OSError, TypeError):
        return None
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:16]
