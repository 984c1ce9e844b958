"""The exception tree, and the form that every message takes.

::

    GroundwireError
    ├── ConfigError            a setting, an argument or an environment variable is wrong
    │   └── MissingExtraError  an optional part is not installed; prints the pip line
    ├── EnvelopeError          bytes that no reader understands (path, line, byte)
    ├── DialectError           a trace that contradicts itself (trace id, attribute)
    ├── RecordError            a RagRecord that can not be built from what was given
    ├── AuditError             an audit log can not be read or written
    │   ├── ChainError         the log was changed after it was written
    │   └── SchemaVersionError the log was written by a newer or unknown format
    └── JudgeError             a model judge failed or may not be used

A message reads *where: what is wrong, expected X, got Y, how to mend it*. In a batch, bad data does
not raise: it becomes a counted :class:`groundwire.span.Rejected` and the run goes on.
"""

from __future__ import annotations


class GroundwireError(Exception):
    """Base of every exception that groundwire raises on purpose.

    ``where`` names the place (a path with line and byte, a setting, a field), ``problem`` what is
    wrong, ``expected`` and ``got`` the two sides, ``mend`` what to do. All but ``problem`` may be
    None and are then left out of the message.

    >>> str(GroundwireError("no such grader", where="graders[0]", expected="a known name", got="'foo'"))
    "graders[0]: no such grader, expected a known name, got 'foo'"
    """

    def __init__(
        self,
        problem: str,
        *,
        where: str | None = None,
        expected: str | None = None,
        got: str | None = None,
        mend: str | None = None,
    ) -> None:
        self.problem, self.where, self.expected, self.got, self.mend = problem, where, expected, got, mend
        super().__init__(problem, where, expected, got, mend)

    def __str__(self) -> str:
        parts = [self.problem if self.where is None else f"{self.where}: {self.problem}"]
        if self.expected is not None:
            parts.append(f"expected {self.expected}")
        if self.got is not None:
            parts.append(f"got {self.got}")
        text = ", ".join(parts)
        return text if self.mend is None else f"{text}. {self.mend}"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args)


def _rebuild(cls: type[GroundwireError], args: tuple[str | None, ...]) -> GroundwireError:
    problem, where, expected, got, mend = args
    return cls(problem or "", where=where, expected=expected, got=got, mend=mend)


class ConfigError(GroundwireError):
    """A setting, an argument or an environment variable is wrong."""


class MissingExtraError(ConfigError):
    """An optional part is not installed; the message ends with the line that installs it.

    >>> print(MissingExtraError.of("score", module="msgspec"))
    msgspec is not installed. Run: pip install 'groundwire[score]'
    """

    @classmethod
    def of(cls, extra: str, *, module: str) -> MissingExtraError:
        """Build the error for a missing ``module`` that the extra ``extra`` brings."""
        return cls(f"{module} is not installed", mend=f"Run: pip install 'groundwire[{extra}]'")


class EnvelopeError(GroundwireError):
    """Bytes that no reader understands, or a source that can not be opened."""


class DialectError(GroundwireError):
    """A trace that contradicts itself."""


class RecordError(GroundwireError):
    """A RagRecord can not be built from what was given."""


class AuditError(GroundwireError):
    """An audit log can not be read or written."""


class ChainError(AuditError):
    """An audit log was changed after it was written."""


class SchemaVersionError(AuditError):
    """An audit log has a format version that this release does not read."""


class JudgeError(GroundwireError):
    """A model judge failed, or may not be used."""
