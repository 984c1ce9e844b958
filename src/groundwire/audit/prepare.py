"""One graded answer → what the writer needs. Pure and picklable: workers do this part.

Everything expensive happens here: canonical bytes, commitments, the record's id. What only the writer can
know (``seq``, ``prev``, ``hash``, the run) is spliced in later.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from groundwire.audit.canonical import plain_bytes
from groundwire.audit.content_fields import (
    Salts,
    commit_all,
    content_fields,
    place_inputs,
    withhold_all,
    without_commits,
)
from groundwire.audit.digests import identity
from groundwire.audit.statement import cluster_of, make_statement, trace_id_of
from groundwire.grade import Grade
from groundwire.record import RagRecord


class Prepared(Struct, frozen=True):
    """One answer, ready to be written.

    ``members`` maps the record's members to their canonical bytes, without what the writer adds.
    ``content`` is the whole content file, None with ``keep_content=False``. ``answer_key`` identifies the
    answer (trace and span), ``cluster`` its conversation, both as digests; ``started_at_ns``, trace and
    span id are the sort key. ``outcomes`` maps grade names to outcomes, for counters.
    """

    started_at_ns: int
    trace_id: str
    span_id: str
    record_id: str
    answer_key: bytes
    members: dict[str, bytes]
    content: bytes | None = None
    cluster: bytes | None = None
    outcomes: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def sort_key(self) -> tuple[int, str, str, str]:
        """The order of records within a run; the id settles ties."""
        return self.started_at_ns, self.trace_id, self.span_id, self.record_id


def prepare(
    record: RagRecord,
    grades: Sequence[Grade],
    *,
    keep_content: bool,
    salts: Salts = secrets.token_bytes,
) -> Prepared:
    """Make the canonical parts of one graded answer's record, its commitments and its content file.

    ``salts(32)`` must return 32 fresh random bytes. With ``keep_content=False`` no salt is drawn and no
    commitment made: lengths alone stand in the record.

    >>> from groundwire.grade import Basis, Outcome
    >>> grade = Grade(name="completed", outcome=Outcome.PASS, basis=Basis.CHECKED, grader_version="1")
    >>> made = prepare(RagRecord(trace_id="ab" * 16, answer="Yes."), [grade], keep_content=False)
    >>> made.members["inputs"]
    b'{"answer":{"alg":"withheld/v1","length":4},"details":{"alg":"withheld/v1","length":1}}'
    """
    fields = list(content_fields(record, grades))
    trace_id = trace_id_of(record, fields)
    statement = make_statement(record, grades, trace_id)
    placed, content = commit_all(fields, salts) if keep_content else withhold_all(fields)
    inputs = place_inputs(record, placed)
    record_id = identity(plain_bytes({**statement, "inputs": without_commits(inputs)}))
    members = {name: plain_bytes(value) for name, value in statement.items()}
    members["inputs"] = plain_bytes(inputs)
    span_id = statement["subject"].get("span_id", "")
    return Prepared(
        started_at_ns=record.started_at_ns or 0,
        trace_id=trace_id,
        span_id=span_id,
        record_id=record_id,
        answer_key=hashlib.sha256(plain_bytes([trace_id, span_id])).digest(),
        members=members,
        content=content,
        cluster=cluster_of(record),
        outcomes={grade.name: str(grade.outcome) for grade in grades},
    )
