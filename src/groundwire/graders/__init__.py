"""Graders: a RagRecord in, Grades out.

In goes one record, out comes exactly one :class:`~groundwire.grade.Grade` a grader, in a fixed order. Graders
are pure (no clock, file, network or randomness) and deterministic; one family a file. Deliberately not known
here: where records come from, how they were sampled, what a rate over many records is, and what happens to a
grade afterwards.
"""

from __future__ import annotations

from groundwire.graders.registry import (
    BUILT_IN,
    default_graders,
    describe_graders,
    grade_record,
    resolve_graders,
)

__all__ = ["BUILT_IN", "default_graders", "describe_graders", "grade_record", "resolve_graders"]
